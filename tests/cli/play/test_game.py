"""The table without a keyboard: chips are conserved, nothing hidden is seen, rounds resume."""

import random
from datetime import date

import msgspec
import pytest

from openfelt.cards import parse_cards
from openfelt.catalog import load_catalog, load_house
from openfelt.cli.play.book import Account, Book
from openfelt.cli.play.game import Game
from openfelt.cli.play.opponents import default_opponents, seat_opponents
from openfelt.cli.play.saved_round import SavedRound
from openfelt.rules import (
    Banker,
    Beneficiary,
    Hold,
    House,
    Phase,
    Refusal,
    RefusalCode,
    Spot,
    Wager,
    WagerKind,
    choices,
)
from openfelt.rules.house import BankKind
from openfelt.rules.progressive import Meter

DAY = date(2026, 3, 1)
HOUSES = sorted(load_catalog().houses)


def new_game(house: House, rng: random.Random, *, credit_cents: int = 500_000) -> Game:
    count = max(default_opponents(house), min(2, house.seats - 1))
    return Game(
        house=house,
        seat=1,
        opponents=seat_opponents(house, count, own_seat=1),
        draw_below=rng.randrange,
        book=Book().move(credit_cents, source=Account.OUTSIDE, target=1),
        meter=Meter.fresh(house.progressive) if house.progressive else None,
    )


def random_wagers(house: House, rng: random.Random) -> tuple[Wager, ...]:
    wagers = []
    for rule in house.wagers:
        if rule.kind is WagerKind.ANTE or (rule.kind is not WagerKind.BLIND and rng.random() < 0.6):
            most = min(rule.max_cents, rule.min_cents * 5)
            wagers.append(Wager(rule.kind, rng.randrange(rule.min_cents, most + 1, 100)))
    if house.dealer_wagers and rng.random() < 0.5:
        wagers.append(Wager(WagerKind.ANTE, 500, Beneficiary.DEALER))
        wagers.append(Wager(WagerKind.TRIPS, 300, Beneficiary.DEALER))
    return tuple(wagers)


def open_and_bet(game: Game, rng: random.Random) -> None:
    """Open a round, banked by anybody where players bank, and bet where one may."""
    banker = None
    if game.house.bank.kind is BankKind.PLAYER_DEALER:
        seat = rng.choice([1, *(one.seat for one in game.opponents)])
        for one in game.opponents:
            game.top_up(one)
        banker = Banker(seat, rng.randrange(100, 20_000))
    game.open(day=DAY, banker=banker)
    if banker is None or banker.seat != 1:
        for hand in range(1, game.house.hands_per_seat + 1):
            try:
                game.place({Spot(1, hand): random_wagers(game.house, rng)})
            except Refusal:
                # Six wagers at most, or a wager that needs another: the Ante alone is always fine.
                game.place({Spot(1, hand): (Wager(WagerKind.ANTE, 1000),)})


def decide_at_random(game: Game, spot: Spot, rng: random.Random) -> None:
    open_choices = choices(game.round, spot, credit_cents=game.credit_cents)
    if open_choices.may_hold:
        cards = game.round.hands[spot].cards
        game.decide(spot, Hold(tuple(rng.sample(cards, rng.randrange(6)))))
    else:
        game.decide(spot, rng.choice(open_choices.options).decision)


def play_round(game: Game, rng: random.Random, *, resume: bool = False) -> None:
    open_and_bet(game, rng)
    game.deal()
    while (spot := game.advance()) is not None:
        if resume:
            check_that_it_resumes(game)
        decide_at_random(game, spot, rng)
    if rng.random() < 0.05:
        game.void("tested")
    else:
        game.confirm()


def check_that_it_resumes(game: Game) -> None:
    """A game that is rebuilt from disk stands at the same moment with the same cards."""
    saved = game.saved()
    assert saved is not None
    read = msgspec.json.decode(msgspec.json.encode(saved), type=SavedRound)
    again = new_game(game.house, random.Random(0))
    again.resume(read)
    assert again.state == game.state
    assert again.cards == game.cards
    assert again.book.of(Account.FELT) == game.book.of(Account.FELT)
    assert again.book.total == 0


def check_the_book(game: Game) -> None:
    assert game.book.total == 0
    assert game.book.of(Account.FELT) == 0
    assert game.book.of(Account.COVER) == 0
    assert all(
        cents >= 0 for holder, cents in game.book.balances.items() if isinstance(holder, int)
    )


@pytest.mark.clause("R.12", "R.13", "R.20")
@pytest.mark.parametrize("house_id", HOUSES)
def test_no_chip_is_lost_or_made_in_thousands_of_rounds(house_id: str) -> None:
    house = load_house(house_id)
    rng = random.Random(f"chips of {house_id}")
    game = new_game(house, rng)
    for number in range(1, 501):
        if game.credit_cents < 100_000:
            game.book = game.book.move(500_000, source=Account.OUTSIDE, target=1)
        play_round(game, rng)
        check_the_book(game)
        assert game.rounds == number


@pytest.mark.clause("R.23")
def test_the_meter_and_the_link_agree_to_the_last_cent() -> None:
    house = load_house("washington")
    rng = random.Random("meter")
    game = new_game(house, rng)
    for _ in range(300):
        play_round(game, rng)
    meter = game.meter
    assert meter is not None
    assert meter.contributed > 0
    assert meter.seeded + meter.contributed == (
        meter.amount + meter.reserve + meter.awarded + meter.envied
    )
    assert game.book.of(Account.LINK) == meter.contributed - meter.awarded - meter.envied


@pytest.mark.parametrize("house_id", HOUSES)
def test_a_round_resumes_at_exactly_the_moment_it_was_left(house_id: str) -> None:
    rng = random.Random(f"resume {house_id}")
    game = new_game(load_house(house_id), rng)
    for _ in range(25):
        play_round(game, rng, resume=True)


def test_a_void_gives_everything_back_and_books_no_contribution() -> None:
    rng = random.Random(5)
    game = new_game(load_house("washington"), rng)
    before, meter = game.credit_cents, game.meter
    open_and_bet(game, rng)
    game.place({Spot(1, 1): (Wager(WagerKind.ANTE, 1000), Wager(WagerKind.PROGRESSIVE, 100))})
    game.deal()
    game.advance()
    game.void("the shuffler jammed")
    assert game.credit_cents == before
    assert game.meter == meter
    assert game.round.phase is Phase.VOIDED
    check_the_book(game)


@pytest.mark.clause("R.20")
def test_the_collection_is_flat_goes_to_the_drop_and_comes_back_with_a_void() -> None:
    house = load_house("california")
    for ante, player, banker in ((1000, 100, 200), (10_000, 200, 300)):
        game = new_game(house, random.Random(1))
        game.top_up(game.opponents[0])
        game.opponents = game.opponents[:1]
        game.open(day=DAY, banker=Banker(2, 10_000))
        game.place({Spot(1, 1): (Wager(WagerKind.ANTE, ante),)})
        game.deal()
        assert game.dues == {1: player, 2: banker}
        assert game.book.of(Account.DROP) == player + banker
        game.void("tested")
        assert game.book.of(Account.DROP) == 0


def test_credit_for_the_collection_is_not_there_to_be_wagered() -> None:
    game = new_game(load_house("california"), random.Random(1), credit_cents=1500)
    game.top_up(game.opponents[0])
    game.open(day=DAY, banker=Banker(2, 10_000))
    with pytest.raises(Refusal) as refused:
        game.place({Spot(1, 1): (Wager(WagerKind.ANTE, 500),)})
    assert refused.value.code is RefusalCode.CREDIT_SHORT
    assert game.credit_cents == 1500
    game.book = game.book.move(100, source=Account.OUTSIDE, target=1)
    game.place({Spot(1, 1): (Wager(WagerKind.ANTE, 500),)})
    game.deal()
    assert game.credit_cents == 500


def test_wagers_on_several_hands_are_placed_all_or_none() -> None:
    game = new_game(load_house("stadium"), random.Random(1), credit_cents=7000)
    game.open(day=DAY)
    ante = (Wager(WagerKind.ANTE, 1000),)
    with pytest.raises(Refusal):
        game.place({Spot(1, 1): ante, Spot(1, 2): ante, Spot(1, 3): ante})
    assert game.own_wagers() == {}
    assert game.credit_cents == 7000
    game.place({Spot(1, 1): ante, Spot(1, 2): ante})
    assert game.credit_cents == 3000


def test_wagers_before_the_deal_are_taken_back_whole() -> None:
    game = new_game(load_house("california"), random.Random(1))
    game.open(day=DAY, banker=Banker(1, 10_000))
    assert game.credit_cents == 490_000
    assert game.without_round().of(1) == 500_000
    game.take_back()
    assert game.credit_cents == 500_000
    check_the_book(game)


def test_nothing_is_dealt_without_a_wager_of_the_player() -> None:
    game = new_game(load_house("washington"), random.Random(1))
    game.open(day=DAY)
    with pytest.raises(Refusal, match="Make a wager first"):
        game.deal()
    assert game.round.phase is Phase.WAGERING


def test_a_table_without_a_round_says_so() -> None:
    game = new_game(load_house("online"), random.Random(1))
    with pytest.raises(ValueError, match="no round is open"):
        _ = game.round
    assert game.saved() is None


@pytest.mark.clause("R.22")
def test_envy_pays_the_player_for_another_players_hand() -> None:
    game = new_game(load_house("washington"), random.Random(1))
    game.opponents = game.opponents[:1]
    game.open(day=DAY)
    wagers = (Wager(WagerKind.ANTE, 500), Wager(WagerKind.PROGRESSIVE, 100))
    game.place({Spot(1, 1): wagers, Spot(2, 1): wagers})
    game.deal()
    game.cards = parse_cards("2c 7d Ah Kh 3c 8d Qh Jh Th 4s 5s")
    while (spot := game.advance()) is not None:
        game.decide(spot, choices(game.round, spot).options[0].decision)
    before = game.credit_cents
    game.confirm()
    assert game.round.settlement is not None
    envy = [line for line in game.round.settlement.of_seat(1) if line.wager == "envy"]
    assert [line.payout_cents for line in envy] == [40_000]
    assert game.credit_cents == before + 40_000
    check_the_book(game)
