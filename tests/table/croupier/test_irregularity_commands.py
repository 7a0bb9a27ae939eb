"""Irregularities of a deal by hand: what each one does to wagers, cards and the record (R.37)."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.rules import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    TurnCards,
    choices,
)
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.decisions import Hold
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import DealerMode
from openfelt.rules.irregularity_rules import (
    MOVES_MONEY,
    STANDARD_IRREGULARITIES,
    TAKES_CARD,
    About,
    Effect,
    Irregularity,
    IrregularityRule,
    Moment,
)
from openfelt.rules.round_actions import SwapCards
from openfelt.rules.round_events import IrregularityDeclared, RoundVoided
from openfelt.table.commands import (
    ApproveAdjustment,
    CallFloor,
    CountStub,
    DeclareIrregularity,
    OpenBets,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    ReportMispayment,
    ResolveMispayment,
    ResumePlay,
    Role,
    TableCommand,
    TakeBank,
)
from openfelt.table.croupier.adjustment_commands import payer_of
from openfelt.table.croupier.irregularity_commands import rulings
from openfelt.table.croupier.permits import Permits
from openfelt.table.incidents import Resolution
from openfelt.table.refusal import TableCode
from openfelt.table.void_reasons import VoidCode, void_code
from tests.kit.felt import wagers_of
from tests.kit.strategies import few
from tests.kit.tables import DEALER, FLOOR, Pit, replayed

ONE, TWO = Spot(1, 1), Spot(2, 1)
WRONG = Irregularity


def wrong(
    irregularity: Irregularity,
    about: str = "deck",
    *,
    spot: Spot | None = None,
    card: str | None = None,
    note: str = "",
    number: int | None = None,
    cents: int | None = None,
) -> DeclareIrregularity:
    """An irregularity as staff declare it."""
    return DeclareIrregularity(
        irregularity=irregularity,
        about=About(about),
        spot=spot,
        card=Card.parse(card) if card else None,
        cents=cents,
        note=note,
        round=number,
    )


def dealing() -> Pit:
    """Ann and Bob have bet at a live table; the next card is Ann's second."""
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").bet("bob", "2.1", "ante 20").close()
    return pit.deal("As")


def decided() -> Pit:
    """Ann has bet 4x, and Bob has checked."""
    pit = dealing().deal("Ah 2s 7h Kc Kd")
    return pit.choose("ann", "1.1", "4x").choose("bob", "2.1", "check")


def ready() -> Pit:
    """All cards are turned."""
    pit = decided().deal("Ac 7d 9h").choose("bob", "2.1", "check")
    return pit.deal("Js 3c").choose("bob", "2.1", "1x").turn()


MOMENTS = {Moment.DEALING: dealing, Moment.DECIDED: decided, Moment.READY: ready}


# What is possible ------------------------------------------------------------------------


def test_the_standard_rulings_leave_no_doubt() -> None:
    """One row at most for what is wrong with which cards at which moment."""
    cases = [
        (rule.irregularity, about, moment)
        for rule in STANDARD_IRREGULARITIES
        for about in rule.about
        for moment in rule.moments
    ]
    assert len(cases) == len(set(cases))
    assert {irregularity for irregularity, _, _ in cases} == set(Irregularity)


def test_whatever_returns_wagers_needs_a_supervisor() -> None:
    """A dealer alone never moves a player's money (R.31)."""
    for rule in STANDARD_IRREGULARITIES:
        # Nor does a dealer alone choose another card once a player has decided.
        chosen = rule.effect in TAKES_CARD and Moment.DECIDED in rule.moments
        assert rule.supervisor == (rule.effect in MOVES_MONEY or chosen)


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_offered_is_accepted_and_nothing_else_is(moment: Moment) -> None:
    offered = {(one.irregularity, one.about): one for one in rulings(MOMENTS[moment]().table)}
    assert offered
    for irregularity in Irregularity:
        for about in About:
            pit, ruling = MOMENTS[moment](), offered.get((irregularity, about))
            taken = ruling is not None and ruling.effect in TAKES_CARD
            command = wrong(
                irregularity,
                about,
                spot=ONE if about in (About.HAND, About.CHIPS) else None,
                card="5d" if taken else None,
            )
            if ruling is None:
                pit.refuses(command, FLOOR, TableCode.NOT_IRREGULAR_NOW)
                continue
            if ruling.supervisor:
                sentence = pit.refuses(command, DEALER, TableCode.NEEDS_SUPERVISOR)
                assert "supervisor" in sentence
            pit.do(command, FLOOR if ruling.supervisor else DEALER)
            assert pit.round.irregularities[-1].effect is ruling.effect


def test_bets_are_open_or_the_round_is_over() -> None:
    command = wrong(WRONG.SHUFFLER_MALFUNCTION)
    betting = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    betting.refuses(command, FLOOR, TableCode.NOT_IRREGULAR_NOW)
    ready().confirm().refuses(command, FLOOR, TableCode.NO_ROUND)
    dealing().refuses(wrong(WRONG.SHUFFLER_MALFUNCTION, number=2), FLOOR, RefusalCode.TOO_LATE)


def test_virtual_cards_are_never_irregular() -> None:
    pit = Pit("online", mode=DealerMode.VIRTUAL).sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    pit.refuses(wrong(WRONG.SHUFFLER_MALFUNCTION), FLOOR, TableCode.CARDS_ARE_VIRTUAL)
    assert not rulings(pit.table)


def test_the_permits_offer_an_irregularity_to_staff() -> None:
    for pit in (dealing(), decided(), ready()):
        permits = Permits(pit.table, pit.outside)
        assert "irregularity" in permits.of(DEALER)
        assert "irregularity" in permits.of(FLOOR)
    before = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    assert "irregularity" not in Permits(before.table, before.outside).of(FLOOR)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (wrong(WRONG.CARD_EXPOSED, "hand"), RefusalCode.MALFORMED),
        (wrong(WRONG.CARD_EXPOSED, "hand", spot=Spot(3, 1)), RefusalCode.NO_SUCH_SPOT),
        (wrong(WRONG.CARD_FACE_UP, spot=ONE, card="5d"), RefusalCode.MALFORMED),
        (wrong(WRONG.CARD_FACE_UP), RefusalCode.MALFORMED),
        (wrong(WRONG.CARD_EXPOSED, "hand", spot=ONE, card="5d"), RefusalCode.MALFORMED),
        (wrong(WRONG.CARD_FACE_UP, card="As"), RefusalCode.CARD_ALREADY_DEALT),
        (wrong(WRONG.CARD_FACE_UP, card="5d", note="two\nlines"), RefusalCode.MALFORMED),
        (wrong(WRONG.CARDS_STUCK), RefusalCode.MALFORMED),
        (wrong(WRONG.CARDS_STUCK, card="As"), RefusalCode.CARD_ALREADY_DEALT),
        (wrong(WRONG.CARD_FACE_UP, card="5d", cents=500), RefusalCode.MALFORMED),
        (wrong(WRONG.WAGER_LATE, "chips"), RefusalCode.MALFORMED),
        (wrong(WRONG.WAGER_LATE, "chips", spot=ONE, cents=0), RefusalCode.MALFORMED),
        (wrong(WRONG.WAGER_LATE, "chips", spot=Spot(9, 1)), RefusalCode.NO_SUCH_SPOT),
        (wrong(WRONG.WAGER_SHORT, "chips", spot=Spot(3, 1)), RefusalCode.NO_SUCH_SPOT),
    ],
)
def test_the_hand_and_the_card_must_make_sense(
    command: DeclareIrregularity, code: RefusalCode
) -> None:
    dealing().refuses(command, FLOOR, code)


# What follows ----------------------------------------------------------------------------


def void_clauses(pit: Pit) -> set[str]:
    """The clauses by which the wagers of a void round went back."""
    assert pit.round.settlement is not None
    return {line.clause for line in pit.round.settlement.lines}


@pytest.mark.clause("W.irregularities", "R.37")
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_shuffler_that_fails_voids_all_hands(moment: Moment) -> None:
    pit = MOMENTS[moment]().do(wrong(WRONG.SHUFFLER_MALFUNCTION, note="Jammed."), FLOOR)
    assert (pit.credit("ann"), pit.credit("bob")) == (50_000, 50_000)
    assert pit.names[-2:] == ["IrregularityDeclared", "RoundVoided"]
    assert pit.round.irregularities[0].clause == "W.irregularities"
    assert pit.round.irregularities[0].note == "Jammed."
    assert void_code(pit.round) is VoidCode.MALFUNCTION
    assert void_clauses(pit) == {"W.irregularities"}


@pytest.mark.clause("R.37")
def test_a_card_that_lies_face_up_is_replaced_and_a_second_one_voids_the_round() -> None:
    pit = dealing().do(wrong(WRONG.CARD_FACE_UP, card="5d"), DEALER)
    assert pit.round.burned == parse_cards("5d")
    pit.refuses(DealCard(Card.parse("5d")), DEALER, RefusalCode.CARD_ALREADY_DEALT)
    pit.refuses(
        CorrectCard(Place(Lies.HAND, ONE, 1), Card.parse("5d")),
        DEALER,
        RefusalCode.CARD_ALREADY_DEALT,
    )
    pit.deal("Ah")
    assert pit.round.hands[ONE].cards == parse_cards("As Ah")
    again = wrong(WRONG.CARD_FACE_UP)
    pit.refuses(again, DEALER, TableCode.NEEDS_SUPERVISOR)
    pit.do(again, FLOOR)
    assert pit.phase is Phase.VOIDED
    assert (pit.credit("ann"), pit.credit("bob")) == (50_000, 50_000)
    # The document voids hands for a shuffler alone, so the wagers go back by the ruling.
    assert void_clauses(pit) == {"R.37"}


@pytest.mark.clause("R.31", "R.37")
def test_a_dealer_takes_three_cards_out_of_play_and_a_supervisor_more() -> None:
    """Replaced or stuck: each refusal of a card that was dealt says where it is not."""
    pit = dealing().do(wrong(WRONG.CARD_EXPOSED, card="5d"), DEALER)
    for card in ("6d", "7c"):
        pit.do(wrong(WRONG.CARDS_STUCK, card=card), DEALER)
    for kind in (WRONG.CARDS_STUCK, WRONG.CARD_EXPOSED, WRONG.CARD_FACE_UP):
        # A card that was dealt is refused like any other.
        for card in ("8c", "As"):
            pit.refuses(wrong(kind, card=card), DEALER, TableCode.NEEDS_SUPERVISOR)
    pit.do(wrong(WRONG.CARDS_STUCK, card="8c"), FLOOR)
    assert pit.round.burned == parse_cards("5d 6d 7c 8c")


@pytest.mark.clause("R.37")
def test_a_card_is_named_only_if_it_is_taken_out_of_play() -> None:
    pit = dealing()
    unnamed = pit.refuses(wrong(WRONG.CARD_FACE_UP), DEALER, RefusalCode.MALFORMED)
    assert unnamed == "Name the card that is taken out of play."
    # The second one voids the round, and all cards with it.
    again = wrong(WRONG.CARD_FACE_UP, card="6d")
    pit.do(wrong(WRONG.CARD_FACE_UP, card="5d"), DEALER)
    named = pit.refuses(again, FLOOR, RefusalCode.MALFORMED)
    assert named == "No card is taken out of play by this: name none."


@pytest.mark.clause("R.37")
def test_an_exposed_card() -> None:
    """A player's card plays on, one in the dealer's fingers is replaced, the dealer's voids."""
    pit = dealing().do(wrong(WRONG.CARD_EXPOSED, "hand", spot=ONE), DEALER)
    assert (pit.phase, pit.round.burned) == (Phase.PLAYING, ())
    for card in ("5d", "6d"):
        pit.do(wrong(WRONG.CARD_EXPOSED, card=card), DEALER)
    assert pit.round.burned == parse_cards("5d 6d")
    pit.do(wrong(WRONG.CARD_EXPOSED, "dealer"), FLOOR)
    assert pit.phase is Phase.VOIDED


@pytest.mark.clause("R.37")
@pytest.mark.parametrize("irregularity", [WRONG.TOO_MANY_CARDS, WRONG.TOO_FEW_CARDS])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_hand_with_a_wrong_number_of_cards_is_void_and_the_others_play_on(
    irregularity: Irregularity, moment: Moment
) -> None:
    pit = MOMENTS[moment]().do(wrong(irregularity, "hand", spot=ONE), FLOOR)
    pit.refuses(wrong(irregularity, "hand", spot=ONE), FLOOR, TableCode.NOT_IRREGULAR_NOW)
    if moment is Moment.DEALING:
        pit.deal("Ah 2s 7h Kc Kd")
    if moment is not Moment.READY:
        if moment is Moment.DEALING:
            pit.choose("bob", "2.1", "check")
        pit.deal("Ac 7d 9h").choose("bob", "2.1", "check")
        pit.deal("Js 3c").choose("bob", "2.1", "1x").turn()
        assert not pit.round.hands[ONE].face_up
    pit.confirm()
    # The Play wager of a void hand goes back with the others.
    assert pit.credit("ann") == 50_000
    wagers = {"ante", "blind", "trips"} | (set() if moment is Moment.DEALING else {"play"})
    for wager in wagers:
        line = pit.line("1.1", wager)
        assert (line.outcome, line.clause, line.net_cents) == ("hand_void", "R.37", 0)
    # Bob's pair of sevens loses to the dealer's kings, as if Ann had not been there.
    assert pit.line("2.1", "ante").net_cents == -2_000


@pytest.mark.clause("R.37")
def test_a_void_hand_waits_for_no_decision() -> None:
    pit = dealing().deal("Ah 2s 7h Kc Kd").choose("bob", "2.1", "4x")
    assert pit.round.pending == {ONE}
    pit.do(wrong(WRONG.TOO_MANY_CARDS, "hand", spot=ONE), FLOOR)
    # The board is due at once, for Bob has decided.
    assert isinstance(pit.round.current_step, Deal)
    pit.deal("Ac 7d 9h Js 3c").turn()
    assert pit.phase is Phase.READY


@pytest.mark.clause("R.37")
def test_when_no_hand_is_left_the_round_is_void() -> None:
    pit = decided().do(wrong(WRONG.CARD_MISPLACED, "hand", spot=ONE), FLOOR)
    pit.do(wrong(WRONG.CARD_MISPLACED, "hand", spot=TWO), FLOOR)
    assert pit.phase is Phase.VOIDED
    assert void_code(pit.round) is VoidCode.MISDEAL
    assert pit.names[-2:] == ["IrregularityDeclared", "RoundVoided"]
    assert (pit.credit("ann"), pit.credit("bob")) == (50_000, 50_000)


@pytest.mark.clause("R.37")
def test_a_misplaced_card_is_put_right_until_a_hand_has_decided() -> None:
    pit = dealing().do(wrong(WRONG.CARD_MISPLACED, "common"), DEALER)
    assert pit.round.irregularities[-1].effect is Effect.NOTE_ONLY
    late = decided().do(wrong(WRONG.CARD_MISPLACED, "common"), FLOOR)
    assert late.phase is Phase.VOIDED


@pytest.mark.clause("R.37", "R.20")
def test_a_void_hand_in_a_cardroom_gets_its_collection_back_and_uses_no_cover() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500).sit("cyd", 3, 500)
    pit.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").bet("cyd", "3.1", "ante 10")
    pit.close()
    drop = pit.cents("drop:table-1")
    pit.do(wrong(WRONG.TOO_MANY_CARDS, "hand", spot=TWO), FLOOR)
    deck = iter(FULL_DECK)
    while pit.phase is Phase.PLAYING:
        step = pit.round.current_step
        if isinstance(step, Deal):
            pit.do(DealCard(next(deck)), DEALER)
        elif isinstance(step, Turn):
            pit.do(TurnCards(), DEALER)
        else:
            assert pit.round.pending == {Spot(3, 1)}
            open_choices = choices(pit.round, Spot(3, 1)).options
            pit.do(MakeDecision(Spot(3, 1), open_choices[-1].decision), "cyd")
    pit.confirm()
    assert pit.credit("bob") == 50_000
    assert pit.cents("drop:table-1") == drop - 100


def test_a_void_hand_is_in_no_progressive() -> None:
    pit = Pit("washington", link="pot").sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1")
    pit.bet("bob", "2.1", "ante 10").close().deal("As Ks 2c 2d 3c 3d")
    pit.do(wrong(WRONG.TOO_MANY_CARDS, "hand", spot=ONE), FLOOR)
    pit.choose("bob", "2.1", "4x").deal("Qs Js Ts 4d 5h").turn()
    # Without the wager of the void hand no meter is needed: ann's royal flush wins nothing.
    pit.confirm()
    assert pit.credit("ann") == 50_000
    assert pit.round.settlement is not None
    assert pit.round.settlement.meter_cents is None


def test_a_house_may_rule_otherwise() -> None:
    own = IrregularityRule(
        irregularity=WRONG.CARD_EXPOSED,
        about=(About.HAND,),
        moments=tuple(Moment),
        effect=Effect.VOID_HAND,
        supervisor=True,
        clause="R.37",
    )
    washington = Pit("washington").table.house
    house = house_with(washington, irregularities=(own,))
    assert house.fingerprint != washington.fingerprint
    pit = Pit(house).sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 20").close().deal("As")
    pit.do(wrong(WRONG.CARD_EXPOSED, "hand", spot=ONE), FLOOR)
    assert pit.round.void_hands == {ONE}


# Any sequence ----------------------------------------------------------------------------

PLACES = [Place(Lies.DEALER, None, 1), Place(Lies.COMMON, None, 2), Place(Lies.HAND, TWO, 1)]


def _try(pit: Pit, rng: random.Random) -> None:
    """One thing that could happen at a live table, most of it allowed."""
    state, card = pit.round, rng.choice(FULL_DECK)
    place = rng.choice(PLACES)
    # Most rounds go on to their end: whatever voids the round comes rarely.
    void_too = rng.random() < 0.05
    possible = [one for one in rulings(pit.table) if void_too or one.effect != Effect.VOID_ROUND]
    ruling = rng.choice(possible) if possible else None
    acts: list[Callable[[], object]] = [
        lambda: pit.do(DealCard(card), DEALER),
        lambda: pit.do(TurnCards(), DEALER),
        lambda: pit.do(CorrectCard(place, card), rng.choice([DEALER, FLOOR])),
        lambda: pit.do(SwapCards(place, rng.choice(PLACES)), rng.choice([DEALER, FLOOR])),
        lambda: pit.do(CallFloor(), DEALER),
        lambda: pit.do(ResumePlay(), DEALER),
    ]
    if ruling is not None and rng.random() < 0.12:
        command = DeclareIrregularity(
            irregularity=ruling.irregularity,
            about=ruling.about,
            spot=rng.choice(list(state.hands))
            if ruling.about in (About.HAND, About.CHIPS)
            else None,
            card=card if ruling.effect in TAKES_CARD else None,
        )
        acts = [lambda: pit.do(command, rng.choice([DEALER, FLOOR]))]
    elif state.pending:
        spot = min(state.pending)
        player = pit.table.seats[spot.seat].player
        options = choices(state, spot)
        decision = (
            Hold(state.hands[spot].cards[: rng.randrange(6)])
            if options.may_hold
            else rng.choice(options.options).decision
        )
        acts.append(lambda: pit.do(MakeDecision(spot, decision), player))
    elif state.phase is Phase.READY and rng.random() < 0.3:
        acts = [lambda: pit.do(Confirm(), DEALER)]
    with suppress(Refusal):
        rng.choice(acts)()


def _look_back(pit: Pit, rng: random.Random) -> None:
    """Count the stub, and put payouts right, as staff do after a round."""
    wallets = {player: pit.cents(f"wallet:{player}") for player in ("ann", "bob", "cyd")}
    approved = rng.choice([*pit.table.adjustments, 1])
    proposal = pit.table.adjustments.get(approved)
    if proposal is not None:
        # The runtime tells the table what is in the wallet that has to pay.
        payer = payer_of(pit.table, ApproveAdjustment(approved))
        pit.told(wallet_cents=wallets.get(payer or "", 0))
    cents = rng.choice([-1_000_000, -500, 500, 25])
    acts: list[TableCommand] = [
        CountStub(rng.randrange(53)),
        ReportMispayment(1, rng.choice([1, 2, 3]), cents, "Paid twice."),
        ResolveMispayment(1, rng.choice(list(Resolution))),
        CountStub(cards=tuple(rng.sample(FULL_DECK, rng.randrange(53)))),
        ProposeAdjustment(1, rng.choice([1, 2, 3]), cents, "Paid short."),
        ApproveAdjustment(approved),
        RejectAdjustment(approved, "Paid right."),
    ]
    with suppress(Refusal):
        pit.do(rng.choice(acts), rng.choice([DEALER, FLOOR, Person(Role.FLOOR, "eva")]))


@few
@given(st.sampled_from(["washington", "california", "draw", "stadium"]), st.integers(0, 10**6))
def test_any_scans_corrections_and_irregularities_balance_and_replay(house: str, seed: int) -> None:
    """The pit checks the books after each event; what was staked comes back or is settled."""
    rng = random.Random(seed)
    pit = Pit(house, mode=DealerMode.LIVE).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.sit("cyd", 3, 500)
    if pit.table.player_banked:
        pit.do(TakeBank(1, 10_000), "ann")
    else:
        pit.do(OpenBets(), "dan")
    for player, seat in (("bob", 2), ("cyd", 3)):
        pit.do(SetWagers(Spot(seat, 1), wagers_of("ante 10")), player)
    pit.do(CloseBets(), "dan")
    for _ in range(120):
        if pit.table.playing is None:
            break
        _try(pit, rng)
    if pit.table.playing is not None:
        pit.do(wrong(WRONG.SHUFFLER_MALFUNCTION), FLOOR)
    assert replayed(pit.opened, pit.events) == pit.table
    lines = pit.round.settlement.lines if pit.round.settlement else ()
    void = {
        event.spot
        for event in pit.events
        if isinstance(event, IrregularityDeclared) and event.effect is Effect.VOID_HAND
    }
    assert all(line.returned_cents == line.stake_cents for line in lines if line.spot in void)
    if isinstance(pit.events[-1], RoundVoided):
        assert all(pit.credit(player) == 50_000 for player in ("ann", "bob", "cyd"))
    before = pit.round
    for player in ("ann", "bob", "cyd"):
        pit.fund(player, 100)
    for _ in range(20):
        _look_back(pit, rng)
    assert replayed(pit.opened, pit.events) == pit.table
    assert pit.round is before
    assert all(pit.cents(f"wallet:{player}") >= 0 for player in ("ann", "bob", "cyd"))
