"""Every row of the rule data, declared at every moment that it names: who, what, and the money.

The table below is typed by hand. A row of the data that is not in it fails, and so does a line of
it without a row.
"""

import pytest

from openfelt.cards import Card
from openfelt.rules import Phase, RefusalCode, Spot
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.irregularity_rules import (
    STANDARD_IRREGULARITIES,
    TAKES_CARD,
    About,
    Effect,
    Irregularity,
)
from openfelt.rules.round_actions import DealCard, TurnCards
from openfelt.table.commands import DeclareIrregularity, OpenBets, TakeBank
from openfelt.table.croupier.irregularity_commands import Ruling, rulings
from openfelt.table.croupier.stub_commands import dealt_cards
from openfelt.table.refusal import TableCode
from tests.kit.own_houses import own_house
from tests.kit.tables import DEALER, FLOOR, Pit, replayed

ONE = Spot(1, 1)
CARDS = {
    "hand 1.1 card 1": "As",
    "hand 1.1 card 2": "Ah",
    "hand 2.1 card 1": "2s",
    "hand 2.1 card 2": "7h",
    "dealer card 1": "Kc",
    "dealer card 2": "Kd",
    "common card 1": "Ac",
    "common card 2": "7d",
    "common card 3": "9h",
    "common card 4": "Js",
    "common card 5": "3c",
}
"""Ann's three aces win $65: the Ante, four times the Ante, and 3 to 1 for Trips."""
DECISIONS = {Spot(1, 1): ("4x",), Spot(2, 1): ("check", "check", "1x")}
NAMES = {Spot(1, 1): "ann", Spot(2, 1): "bob"}
OUT = "5d"

# What is declared about Ann's hand, chips or cards: by whom, the effect, and what Ann has of $500
# when the round is over.
OUTCOMES = """
shuffler_malfunction.deck.dealing  floor   void_round    500
shuffler_malfunction.deck.decided  floor   void_round    500
shuffler_malfunction.deck.ready    floor   void_round    500
deck_wrong.deck.dealing            floor   void_round    500
deck_wrong.deck.decided            floor   void_round    500
deck_wrong.deck.ready              floor   void_round    500
card_face_up.deck.dealing          dealer  replace_card  565
card_face_up.deck.decided          floor   replace_card  565
card_exposed.deck.dealing          dealer  replace_card  565
card_exposed.deck.decided          floor   replace_card  565
card_exposed.hand.dealing          dealer  note_only     565
card_exposed.hand.decided          dealer  note_only     565
card_exposed.dealer.dealing        floor   void_round    500
card_exposed.dealer.decided        floor   void_round    500
card_exposed.common.dealing        floor   void_round    500
card_exposed.common.decided        floor   void_round    500
card_misplaced.hand.dealing        dealer  note_only     565
card_misplaced.dealer.dealing      dealer  note_only     565
card_misplaced.common.dealing      dealer  note_only     565
card_misplaced.hand.decided        floor   void_hand     500
card_misplaced.hand.ready          floor   void_hand     500
card_misplaced.dealer.decided      floor   void_round    500
card_misplaced.dealer.ready        floor   void_round    500
card_misplaced.common.decided      floor   void_round    500
card_misplaced.common.ready        floor   void_round    500
too_many_cards.hand.dealing        floor   void_hand     500
too_many_cards.hand.decided        floor   void_hand     500
too_many_cards.hand.ready          floor   void_hand     500
too_many_cards.dealer.dealing      floor   void_round    500
too_many_cards.dealer.decided      floor   void_round    500
too_many_cards.dealer.ready        floor   void_round    500
too_many_cards.common.dealing      floor   void_round    500
too_many_cards.common.decided      floor   void_round    500
too_many_cards.common.ready        floor   void_round    500
too_few_cards.hand.dealing         floor   void_hand     500
too_few_cards.hand.decided         floor   void_hand     500
too_few_cards.hand.ready           floor   void_hand     500
too_few_cards.dealer.dealing       floor   void_round    500
too_few_cards.dealer.decided       floor   void_round    500
too_few_cards.dealer.ready         floor   void_round    500
too_few_cards.common.dealing       floor   void_round    500
too_few_cards.common.decided       floor   void_round    500
too_few_cards.common.ready         floor   void_round    500
cards_stuck.deck.dealing           dealer  burn_card     565
cards_stuck.deck.decided           floor   burn_card     565
cards_stuck.deck.ready             dealer  burn_card     565
hand_fouled.hand.dealing           floor   lose_hand     475
hand_fouled.hand.decided           floor   lose_hand     435
hand_fouled.hand.ready             floor   lose_hand     435
hand_touched.hand.dealing          floor   void_hand     500
hand_touched.hand.decided          floor   void_hand     500
hand_touched.hand.ready            floor   void_hand     500
hand_mucked.hand.dealing           dealer  note_only     565
hand_mucked.hand.decided           dealer  note_only     565
hand_mucked.hand.ready             dealer  note_only     565
wager_late.chips.dealing           dealer  note_only     565
wager_late.chips.decided           dealer  note_only     565
wager_late.chips.ready             dealer  note_only     565
wager_short.chips.dealing          dealer  note_only     565
wager_short.chips.decided          dealer  note_only     565
wager_short.chips.ready            dealer  note_only     565
wager_denied.chips.dealing         floor   void_hand     500
wager_denied.chips.decided         floor   void_hand     500
wager_denied.chips.ready           floor   void_hand     500
play_differs.chips.decided         dealer  note_only     565
play_differs.chips.ready           dealer  note_only     565
play_denied.chips.decided          floor   void_hand     500
play_denied.chips.ready            floor   void_hand     500
"""
ROWS = [line.split() for line in OUTCOMES.strip().splitlines()]


def played_until(moment: str) -> Pit:
    """Ann and Bob have bet; Ann's first card is dealt, both have decided, or all is turned."""
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").bet("bob", "2.1", "ante 20").close().deal("As")
    if moment == "decided":
        while len(pit.round.hands[Spot(2, 1)].decisions) < 1:
            step(pit)
    elif moment == "ready":
        finish(pit)
    return pit


def step(pit: Pit) -> None:
    """The next thing of a round in which nothing is wrong."""
    match pit.round.current_step:
        case Deal(place=place):
            pit.do(DealCard(Card.parse(CARDS[str(place)])), DEALER)
        case Turn():
            pit.do(TurnCards(), DEALER)
        case _:
            spot = min(pit.round.pending)
            decision = DECISIONS[spot][len(pit.round.hands[spot].decisions)]
            pit.choose(NAMES[spot], str(spot), decision)


def finish(pit: Pit) -> Pit:
    """Play until the round waits to be confirmed, or is void."""
    while pit.phase is Phase.PLAYING:
        step(pit)
    return pit


def declaration(ruling: Ruling) -> DeclareIrregularity:
    """A ruling as staff would declare it of Ann's hand."""
    of_hand = ruling.about in (About.HAND, About.CHIPS)
    return DeclareIrregularity(
        irregularity=ruling.irregularity,
        about=ruling.about,
        spot=ONE if of_hand else None,
        card=Card.parse(OUT) if ruling.effect in TAKES_CARD else None,
        cents=500 if ruling.about is About.CHIPS else None,
    )


def test_every_row_of_the_data_is_declared_below() -> None:
    rows = {
        f"{rule.irregularity}.{about}.{moment}"
        for rule in STANDARD_IRREGULARITIES
        for about in rule.about
        for moment in rule.moments
    }
    assert rows == {row for row, *_ in ROWS}
    assert len(ROWS) == len(rows)


@pytest.mark.clause("R.37", "R.40", "R.41")
@pytest.mark.parametrize(("row", "who", "effect", "dollars"), ROWS, ids=[row[0] for row in ROWS])
def test_a_row(row: str, who: str, effect: str, dollars: str) -> None:
    irregularity, about, moment = row.split(".")
    pit = played_until(moment)
    (ruling,) = [
        one for one in rulings(pit.table) if (one.irregularity, one.about) == (irregularity, about)
    ]
    command = declaration(ruling)
    if who == "floor":
        pit.refuses(command, DEALER, TableCode.NEEDS_SUPERVISOR)
    pit.do(command, FLOOR if who == "floor" else DEALER)
    declared = pit.round.irregularities[-1]
    assert (declared.effect, declared.spot) == (effect, command.spot)
    assert (declared.card, declared.cents) == (command.card, command.cents)
    assert (pit.phase is Phase.VOIDED) == (effect == "void_round")
    dealt = len(dealt_cards(pit.round))
    if effect != "void_round":
        finish(pit).confirm()
        dealt = len(dealt_cards(pit.round))
        assert dealt == len(CARDS) + (ruling.effect in TAKES_CARD)
    assert pit.credit("ann") == int(dollars) * 100
    # Bob has lost $60 to the dealer's kings, or got everything back.
    assert pit.credit("bob") == (50_000 if effect == "void_round" else 44_000)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.41")
def test_a_fouled_hand_that_is_alone_still_loses() -> None:
    """The dealer's cards are not turned for it, and the round is settled as usual."""
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").close().deal("As Ah")
    fouled = DeclareIrregularity(Irregularity.HAND_FOULED, About.HAND, ONE)
    finish(pit.do(fouled, FLOOR)).confirm()
    assert pit.credit("ann") == 47_500
    assert not pit.round.dealer_face_up
    line = pit.line("1.1", "trips")
    assert (line.outcome, line.clause, line.net_cents) == ("hand_fouled", "R.41", -500)
    pit.refuses(fouled, FLOOR, TableCode.NO_ROUND)


@pytest.mark.clause("R.41")
def test_a_fouled_hand_feeds_the_progressive_and_wins_nothing_of_it() -> None:
    pit = Pit("washington", link="pot").sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1")
    pit.bet("bob", "2.1", "ante 10").close().deal("As Ks 2c 2d 3c 3d")
    pit.do(DeclareIrregularity(Irregularity.HAND_FOULED, About.HAND, ONE), FLOOR)
    pit.choose("bob", "2.1", "4x").deal("Qs Js Ts 4d 5h").turn()
    pit.told(meter_cents=1_000_000, seed_cents=100_000).confirm()
    settlement = pit.round.settlement
    assert settlement is not None
    assert (settlement.meter_cents, settlement.meter_paid_cents) == (1_000_000, 0)
    line = pit.line("1.1", "progressive")
    assert (line.outcome, line.net_cents) == ("hand_fouled", -100)
    # The reason names no card of the hand, which was never shown.
    assert "royal" not in line.because.lower()
    assert pit.credit("ann") == 50_000 - 2_100


@pytest.mark.clause("C.8", "R.41", "R.18")
def test_a_fouled_hand_is_taken_first_in_a_cardroom_and_keeps_its_collection() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500).sit("cyd", 3, 500)
    pit.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").bet("cyd", "3.1", "ante 10")
    pit.close()
    drop = pit.cents("drop:table-1")
    pit.do(DeclareIrregularity(Irregularity.HAND_FOULED, About.HAND, Spot(3, 1)), FLOOR)
    deck = iter(["As", "Ah", "2s", "7h", "Kc", "Kd", "Ac", "7d", "9h", "Js", "3c"])
    while pit.phase is Phase.PLAYING:
        if isinstance(pit.round.current_step, Deal):
            pit.deal(next(deck))
        elif isinstance(pit.round.current_step, Turn):
            pit.turn()
        else:
            pit.choose("bob", "2.1", "4x")
    pit.confirm()
    assert pit.round.settlement is not None
    assert pit.round.settlement.lines[0].spot == Spot(3, 1)
    assert pit.cents("drop:table-1") == drop
    assert pit.line("3.1", "ante").net_cents == -1_000


@pytest.mark.clause("R.37", "R.39")
def test_stuck_cards_leave_a_stub_that_is_whole() -> None:
    """Also where the last card brings another one with it."""
    pit = played_until("ready")
    stuck = DeclareIrregularity(Irregularity.CARDS_STUCK, About.DECK, card=Card.parse(OUT))
    pit.do(stuck, DEALER)
    assert len(dealt_cards(pit.round)) == len(CARDS) + 1
    pit.refuses(stuck, DEALER, RefusalCode.CARD_ALREADY_DEALT)


@pytest.mark.clause("R.40")
def test_late_chips_may_lie_where_no_hand_is() -> None:
    pit = played_until("dealing")
    late = DeclareIrregularity(
        Irregularity.WAGER_LATE, About.CHIPS, Spot(4, 1), cents=2_500, note="After the flop."
    )
    pit.do(late, DEALER)
    declared = pit.round.irregularities[-1]
    assert (declared.spot, declared.cents, declared.note) == (Spot(4, 1), 2_500, "After the flop.")
    assert Spot(4, 1) not in pit.round.hands


@pytest.mark.clause("R.40")
def test_only_a_hand_with_a_play_wager_has_play_chips() -> None:
    pit = played_until("decided")
    differs = DeclareIrregularity(Irregularity.PLAY_DIFFERS, About.CHIPS, Spot(2, 1))
    pit.refuses(differs, DEALER, TableCode.NOT_IRREGULAR_NOW)


@pytest.mark.clause("R.41")
def test_a_house_may_void_fouled_hands() -> None:
    """The ruling is data: the same declaration has the effect that the house file names."""
    house = own_house(
        "washington",
        {
            "irregularities": [
                {
                    "irregularity": "hand_fouled",
                    "about": ["hand"],
                    "moments": ["dealing", "decided", "ready"],
                    "effect": "void_hand",
                    "clause": "R.41",
                }
            ]
        },
    )
    pit = Pit(house).sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 20").close().deal("As")
    pit.do(DeclareIrregularity(Irregularity.HAND_FOULED, About.HAND, ONE), FLOOR)
    assert pit.round.irregularities[-1].effect is Effect.VOID_HAND
