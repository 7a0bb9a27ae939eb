"""Starting ``openfelt play``: settings, the saved profile, the choice of a house, the farewell."""

import os
import random
import secrets
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from openfelt.catalog import Catalog
from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.play.book import Account, Book
from openfelt.cli.play.desk import Desk, Leave, is_interactive, line_reader
from openfelt.cli.play.game import Game
from openfelt.cli.play.menu import choose_house
from openfelt.cli.play.opponents import NAMES, default_opponents, seat_opponents
from openfelt.cli.play.profile import (
    STANDARD_CREDIT_CENTS,
    Profile,
    TableRecord,
    load_meter,
    refund,
    refund_stale,
    save_meter,
)
from openfelt.cli.play.saved_round import restore_round
from openfelt.cli.play.screens.figures import counted
from openfelt.cli.play.session import Session
from openfelt.cli.play.store import Store, data_folder, locked
from openfelt.cli.rule_data import find_house, open_catalog
from openfelt.cli.terminal import make_console
from openfelt.money import format_cents, parse_cents
from openfelt.rules import House, Phase, Refusal
from openfelt.rules.house import BankKind, ClockRule
from openfelt.rules.progressive import Meter
from openfelt.table.deck import DrawBelow

OWN_SEAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What was asked for on the command line."""

    house: str | None = None
    seed: int | None = None
    credit: str | None = None
    hands: int = 1
    opponents: int | None = None
    data: Path | None = None
    four_colour: bool = False
    with_clock: bool = False
    floor: bool = False
    houses_folder: Path | None = None


def today() -> date:
    """The day at this place."""
    return datetime.now().astimezone().date()


def run(
    settings: Settings,
    *,
    desk: Desk | None = None,
    clock: Callable[[], date] = today,
    draw_below: DrawBelow | None = None,
) -> None:
    """Play until the player leaves. Tests bring their own desk, clock and shuffle."""
    catalog = open_catalog(settings.houses_folder)
    if settings.house is not None:
        find_house(catalog, settings.house)
    credit_cents = _read_credit(settings.credit)
    desk = desk or _own_desk()
    if draw_below is None:
        seeded = settings.seed is not None
        draw_below = random.Random(settings.seed).randrange if seeded else _fair_draw()
    with ExitStack() as stack:
        store = None
        if settings.seed is None:
            folder = data_folder(settings.data, os.environ)
            stack.enter_context(locked(folder))
            store = Store(folder)
        visit = Visit(
            settings=settings,
            catalog=catalog,
            desk=desk,
            store=store,
            clock=clock,
            draw_below=draw_below,
            credit_cents=credit_cents,
            profile=Profile(credit_cents=credit_cents),
        )
        visit.run()


def _fair_draw() -> DrawBelow:
    return secrets.SystemRandom().randrange


def _own_desk() -> Desk:
    interactive = is_interactive()
    if not interactive and hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    console = make_console()
    return Desk(
        console,
        line_reader(sys.stdin, console, interactive=interactive),
        interactive=interactive,
    )


def _read_credit(text: str | None) -> int:
    if text is None:
        return STANDARD_CREDIT_CENTS
    try:
        cents = parse_cents(text)
    except ValueError as error:
        raise Complaint(f"--credit: {error}.", ExitCode.WRONG_INPUT) from error
    if cents == 0:
        raise Complaint("--credit: nothing to play with.", ExitCode.WRONG_INPUT)
    return cents


@dataclass(slots=True, kw_only=True)
class Visit:
    """One visit of a player: the profile is opened, a table chosen, and kept up to date."""

    settings: Settings
    catalog: Catalog
    desk: Desk
    store: Store | None
    """None for a seeded session, which keeps nothing."""
    clock: Callable[[], date]
    draw_below: DrawBelow
    credit_cents: int
    profile: Profile
    game: Game | None = None

    def run(self) -> None:
        """Welcome, play, and say goodbye."""
        try:
            self._welcome()
            house = self._choose()
            self._session(house).run()
        except Leave:
            self.save()
            self._farewell()
        except KeyboardInterrupt:
            # It came in the middle of a step. What was last written down is whole, and stays.
            self._farewell()

    def _welcome(self) -> None:
        if self.store is None:
            self.desk.note(
                f"Seeded session (seed {self.settings.seed}): it starts with "
                f"{format_cents(self.credit_cents)}; saved credit is neither read nor written."
            )
            return
        found, message = self.store.read()
        if message:
            self.desk.note(message, "bold red")
        if found is None:
            self.desk.note(
                f"Welcome. You start with {format_cents(self.credit_cents)} of play money."
            )
            return
        self.profile = found
        self._cancel_stale()
        unfinished = [t for t in found.tables.values() if t.unfinished is not None]
        if found.credit_cents == 0 and not unfinished:
            found.credit_cents = self.credit_cents
            self.desk.note(f"You buy in again for {format_cents(self.credit_cents)} of play money.")
        else:
            self.desk.note(f"Welcome back. Your credit is {format_cents(found.credit_cents)}.")

    def _cancel_stale(self) -> None:
        """Rounds that were left for too long are cancelled and refunded (O.unfinished)."""
        stale = refund_stale(
            self.profile, self.catalog.houses.values(), today=self.clock(), seat=OWN_SEAT
        )
        for house, saved, cents in stale:
            self.desk.note(
                f"Game #{saved.number} at {house.name} was unfinished for more than "
                f"{counted(house.unfinished_days or 0, 'day')}. It is cancelled and "
                f"{format_cents(cents)} are refunded."
            )
        if stale and self.store is not None:
            self.store.write(self.profile)

    def _choose(self) -> House:
        if self.settings.house is not None:
            return find_house(self.catalog, self.settings.house)
        return choose_house(self.desk, self.catalog, self.profile)

    # The table -----------------------------------------------------------------

    def _session(self, house: House) -> Session:
        self.profile.last_house = house.id
        record = self.profile.table(house.id)
        self._drop_unplayable(house, record)
        self.game = self._seat(house, record)
        seeded = self.settings.seed is not None
        note = f"RNG DEMO · seed {self.settings.seed}" if seeded else "RNG DEMO · play money"
        if self.settings.floor:
            note += " · FLOOR"
        return Session(
            desk=self.desk,
            game=self.game,
            record=record,
            save=self.save,
            today=self.clock,
            note=note,
            hands=self._hands(house),
            four_colour=self.settings.four_colour,
            clock=self._clock(house),
            floor=self.settings.floor,
        )

    def _clock(self, house: House) -> ClockRule | None:
        if not self.settings.with_clock:
            return None
        if house.clock is None:
            self.desk.note("This house runs no clock.")
        elif not self.desk.interactive:
            self.desk.note("The clock runs only at a keyboard.")
        return house.clock if self.desk.interactive else None

    def _hands(self, house: House) -> int:
        if self.settings.hands > house.hands_per_seat:
            hands = counted(house.hands_per_seat, "hand")
            self.desk.note(f"At this table you can play {hands} at once.")
        return min(self.settings.hands, house.hands_per_seat)

    def _drop_unplayable(self, house: House, record: TableRecord) -> None:
        """A round that cannot go on, most often because the house has new rules, is refunded."""
        saved = record.unfinished
        if saved is None:
            return
        problem = f"Game #{saved.number} cannot be read back."
        if saved.fingerprint != house.fingerprint:
            problem = (
                f"The rules of {house.name} have changed since game #{saved.number} was dealt, "
                "so it cannot be finished."
            )
        else:
            try:
                restore_round(house, saved)
            except (ValueError, LookupError, Refusal):
                pass
            else:
                return
        cents = refund(self.profile, house.id, seat=OWN_SEAT)
        self.desk.note(f"{problem} {format_cents(cents)} are refunded.")

    def _seat(self, house: House, record: TableRecord) -> Game:
        count = self._opponent_count(house, record)
        opponents = seat_opponents(house, count, own_seat=OWN_SEAT)
        book = Book()
        for holder, cents in (
            (OWN_SEAT, self.profile.credit_cents),
            *((one.seat, record.stacks_cents.get(one.seat, 0)) for one in opponents),
        ):
            book = book.move(cents, source=Account.OUTSIDE, target=holder)
        book = book.move(record.tips_cents, source=Account.OUTSIDE, target=Account.TIPS)
        meter = None
        if house.progressive is not None:
            meter = load_meter(record.meter) if record.meter else Meter.fresh(house.progressive)
        game = Game(
            house=house,
            seat=OWN_SEAT,
            opponents=opponents,
            draw_below=self.draw_below,
            book=book,
            meter=meter,
            rounds=record.rounds,
        )
        if record.unfinished is not None:
            game.resume(record.unfinished)
        return game

    def _opponent_count(self, house: House, record: TableRecord) -> int:
        if record.unfinished is not None and record.opponents is not None:
            return record.opponents
        count = self.settings.opponents
        if count is None:
            return default_opponents(house)
        if house.bank.kind is BankKind.PLAYER_DEALER and count == 0:
            self.desk.note("Players bank each other here, so one computer player sits down.")
            count = 1
        most = min(house.seats - 1, len(NAMES))
        if count > most:
            room = f"There is room for {counted(most, 'computer player')} at this table."
            self.desk.note(room if most else "This table has one seat, so nobody else sits down.")
        return min(count, most)

    # Leaving -------------------------------------------------------------------

    def save(self) -> None:
        """Bring the profile up to date and write it, unless the session is seeded."""
        game = self.game
        if game is None or self.store is None:
            return
        record = self.profile.table(game.house.id)
        stacks = settled_stacks(game)
        self.profile.credit_cents = stacks.pop(game.seat)
        record.stacks_cents = stacks
        record.opponents = len(game.opponents)
        record.rounds = game.rounds
        record.tips_cents = game.book.of(Account.TIPS)
        record.meter = save_meter(game.meter) if game.meter else None
        record.unfinished = game.saved()
        self.store.write(self.profile)

    def _farewell(self) -> None:
        game = self.game
        if self.store is None:
            self.desk.say("Goodbye. A seeded session is not saved.")
            return
        if game is None:
            self.desk.say("Goodbye.")
            return
        if self.profile.table(game.house.id).unfinished is not None:
            self.desk.say(
                "Your round is kept as it is; its wagers stay on the table. "
                f"Finish it with: openfelt play {game.house.id}"
            )
        self.desk.say(f"Goodbye. Your credit of {format_cents(self.profile.credit_cents)} is kept.")


def settled_stacks(game: Game) -> dict[int, int]:
    """What each seat holds; wagers and bank of a round that is not dealt count as its own."""
    seats = [game.seat, *(one.seat for one in game.opponents)]
    book = game.book
    if game.state is not None and game.state.phase is Phase.WAGERING:
        book = game.without_round()
    return {seat: book.of(seat) for seat in seats}
