"""Games of the terminal program without a keyboard, played at random."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path

from openfelt.catalog import load_house
from openfelt.cli.play.computer_players import default_count
from openfelt.cli.play.game import Game
from openfelt.cli.play.saved_game import SavedGame
from openfelt.cli.play.start import FILE_NAME
from openfelt.rules import Beneficiary, Hold, House, Refusal, Spot, Wager, WagerKind, choices
from openfelt.runtime.shuffle.entropy import Entropy, SeededEntropy
from openfelt.storage.sqlite import SqliteStore
from tests.kit.cli.scripted_game import DAY, clock_on


@contextmanager
def game_at(
    house: str | House,
    folder: Path,
    *,
    computer_players: int | None = None,
    credit_cents: int = 500_000,
    entropy: Entropy | None = None,
    day: date = DAY,
) -> Iterator[Game]:
    """A game in a folder, where a new player has this credit."""
    rules = load_house(house) if isinstance(house, str) else house
    if computer_players is None:
        computer_players = max(default_count(rules), min(2, rules.seats - 1))
    with closing(SqliteStore(folder / FILE_NAME)) as store:
        saved = SavedGame(store, entropy=entropy or SeededEntropy(1), clock=clock_on(day))
        if saved.is_new:
            saved.deposit(credit_cents)
        draw_below = random.Random(2).randrange
        yield Game(saved, rules, computer_players=computer_players, draw_below=draw_below)


def random_wagers(house: House, rng: random.Random) -> tuple[Wager, ...]:
    """Wagers of a hand; now and then the table refuses them."""
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
    """Open a round, banked by the player in half of the turns, and bet where the player may."""
    game.prepare()
    while game.needs_bank and not game.let_computer_player_bank():
        # The bank is the player's, or free to take because every other player has passed.
        if rng.random() < 0.5 and game.table.bank_offered_to == game.seat:
            game.decline_bank()
        else:
            game.take_bank(rng.randrange(game.bank_min_cents, 20_000))
    game.open_bets()
    if game.banker is None or game.banker.seat != game.seat:
        for hand in range(1, game.house.hands_per_seat + 1):
            try:
                game.place({Spot(game.seat, hand): random_wagers(game.house, rng)})
            except Refusal:
                # Six wagers at most, or a wager that needs another: the Ante alone is always fine.
                game.place({Spot(game.seat, hand): (Wager(WagerKind.ANTE, 1000),)})


def decide_at_random(game: Game, spot: Spot, rng: random.Random) -> None:
    """Make any decision that is open to the hand."""
    open_choices = choices(game.round, spot, credit_cents=game.credit_cents)
    if open_choices.may_hold:
        cards = game.round.hands[spot].cards
        game.decide(spot, Hold(tuple(rng.sample(cards, rng.randrange(6)))))
    else:
        game.decide(spot, rng.choice(open_choices.options).decision)


def play_round(game: Game, rng: random.Random) -> None:
    """Play a round to its end; one in ten is void."""
    open_and_bet(game, rng)
    game.deal()
    while (spot := game.advance()) is not None:
        if rng.random() < 0.03:
            game.void("tested")
        else:
            decide_at_random(game, spot, rng)
