"""One visit of the player: the welcome, the choice of a table, rounds there, the farewell."""

import random
from dataclasses import dataclass
from pathlib import Path

from openfelt.catalog import Catalog
from openfelt.cli.play.computer_players import NAMES, default_count
from openfelt.cli.play.desk import Desk, Leave
from openfelt.cli.play.earlier_profile import TakenOver
from openfelt.cli.play.game import OWN_SEAT, Game
from openfelt.cli.play.history import last_games
from openfelt.cli.play.menu import choose_house
from openfelt.cli.play.saved_game import SavedGame, table_name
from openfelt.cli.play.screens.figures import counted
from openfelt.cli.play.table_visit import TableVisit
from openfelt.cli.rule_data import find_house
from openfelt.money import format_cents
from openfelt.rules import House
from openfelt.rules.house import BankKind, ClockRule, Unfinished
from openfelt.table.deck import DrawBelow


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayOptions:
    """The options of the command line."""

    house: str | None = None
    seed: int | None = None
    credit: str | None = None
    hands: int = 1
    computer_players: int | None = None
    data: Path | None = None
    four_colour: bool = False
    with_clock: bool = False
    floor: bool = False
    houses_folder: Path | None = None


@dataclass(slots=True, kw_only=True)
class Visit:
    """The player comes, plays at one table and leaves."""

    options: PlayOptions
    catalog: Catalog
    desk: Desk
    saved: SavedGame
    earlier: TakenOver
    credit_cents: int
    """The credit of a new player."""
    game: Game | None = None

    def run(self) -> None:
        """Welcome the player, play, and say goodbye."""
        # Whatever is written from here on makes another table the last one.
        last = self._last_house()
        try:
            self._welcome()
            self._table_visit(self._choose(last)).run()
        except Leave:
            if self.game is not None:
                self.game.leave()
            self._farewell()
        except KeyboardInterrupt:
            # It came in the middle of a step. What was last written is whole, and stays.
            self._farewell()

    # Coming ------------------------------------------------------------------

    def _last_house(self) -> str | None:
        last = self.saved.last_table()
        houses = self.catalog.houses.values()
        played = next((house.id for house in houses if table_name(house) == last), None)
        return played or self.earlier.last_house

    def _welcome(self) -> None:
        credit = format_cents(self.credit_cents)
        if self.options.seed is not None:
            self.saved.deposit(self.credit_cents)
            self.desk.note(
                f"Seeded game (seed {self.options.seed}): it starts with {credit}; "
                "saved credit is neither read nor written."
            )
            return
        for note in self.earlier.notes:
            self.desk.note(note, "bold")
        if self.saved.is_new:
            self.saved.deposit(self.credit_cents)
            self.desk.note(f"Welcome. You start with {credit} of play money.")
            return
        self._cancel_expired()
        if self.saved.credit_cents == 0 and not self.saved.waiting_tables():
            self.saved.deposit(self.credit_cents)
            self.desk.note(f"You buy in again for {credit} of play money.")
        else:
            kept = format_cents(self.saved.credit_cents)
            self.desk.note(f"Welcome back. Your credit is {kept}.")

    def _cancel_expired(self) -> None:
        """Rounds that were left for too long are ended as their house says (O.unfinished)."""
        for refund in self.saved.expire_rounds():
            played_on = refund.house.unfinished is Unfinished.CLOCK
            if refund.cents or played_on:
                ended = (
                    f"It was played on as the clock decides, and {format_cents(refund.cents)} "
                    "go back to your credit."
                    if played_on
                    else f"It is cancelled and {format_cents(refund.cents)} are refunded."
                )
                self.desk.note(
                    f"Game #{refund.number} at {refund.house.name} was not finished within "
                    f"{counted(refund.house.unfinished_days or 0, 'day')}. {ended}"
                )

    def _choose(self, last: str | None) -> House:
        if self.options.house is not None:
            return find_house(self.catalog, self.options.house)
        waiting = {table.house.id for table in self.saved.waiting_tables()}
        return choose_house(self.desk, self.catalog, last=last, waiting=waiting)

    # The table ---------------------------------------------------------------

    def _table_visit(self, house: House) -> TableVisit:
        game = Game(
            self.saved,
            house,
            computer_players=self._computer_player_count(house),
            draw_below=self._luck_of_computer_players(),
        )
        self.game = game
        held_cents = self.saved.credit_cents - game.credit_cents
        if held_cents:
            self.desk.note(
                f"{format_cents(held_cents)} of your credit stays with the round that waits for "
                "you at another table."
            )
        return TableVisit(
            desk=self.desk,
            game=game,
            games=last_games(self.saved.rounds, game.table.id, seat=OWN_SEAT),
            note=self._demo_note(),
            hands=self._hands(house),
            four_colour=self.options.four_colour,
            clock=self._clock(game),
            floor=self.options.floor,
        )

    def _luck_of_computer_players(self) -> DrawBelow:
        """The randomness of computer players' bets. Cards come from the shuffler alone."""
        seed = self.options.seed
        return (random.SystemRandom() if seed is None else random.Random(seed)).randrange

    def _demo_note(self) -> str:
        seed = self.options.seed
        note = "RNG DEMO · play money" if seed is None else f"RNG DEMO · seed {seed}"
        return f"{note} · FLOOR" if self.options.floor else note

    def _clock(self, game: Game) -> ClockRule | None:
        """The countdowns of the table, where the player wants them and sits at a keyboard."""
        rule = game.table.clock_rule
        if not self.options.with_clock:
            return None
        if rule is None:
            self.desk.note("This house runs no clock.")
        elif not self.desk.interactive:
            self.desk.note("The clock runs only at a keyboard.")
        return rule if self.desk.interactive else None

    def _hands(self, house: House) -> int:
        if self.options.hands > house.hands_per_seat:
            hands = counted(house.hands_per_seat, "hand")
            self.desk.note(f"At this table you can play {hands} at once.")
        return min(self.options.hands, house.hands_per_seat)

    def _computer_player_count(self, house: House) -> int:
        count = self.options.computer_players
        if count is None:
            return default_count(house)
        if house.bank.kind is BankKind.PLAYER_DEALER and count == 0:
            self.desk.note("Players bank each other here, so one computer player sits down.")
            count = 1
        most = min(house.seats - 1, len(NAMES))
        if count > most:
            room = f"There is room for {counted(most, 'computer player')} at this table."
            self.desk.note(
                room if most else "This table has one seat, so no computer player sits down."
            )
        return min(count, most)

    # Leaving -----------------------------------------------------------------

    def _farewell(self) -> None:
        if self.options.seed is not None:
            self.desk.say("Goodbye. A seeded game is not saved.")
            return
        game = self.game
        if game is None:
            self.desk.say("Goodbye.")
            return
        if game.table.wagers_of(game.seat):
            self.desk.say(
                "Your round is kept as it is; its wagers stay on the table. "
                f"Finish it with: openfelt play {game.table.house.id}"
            )
        self.desk.say(f"Goodbye. Your credit of {format_cents(self.saved.credit_cents)} is kept.")
