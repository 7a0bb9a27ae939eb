"""``openfelt scan`` simulates a shuffler: it sends real cards to a live table by HTTP."""

import random
import secrets
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Final

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import COUNT_MAX, SEED_MAX

if TYPE_CHECKING:
    from openfelt.cards import Card
    from openfelt.client.card_reader import CardReader
    from openfelt.client.casino import CasinoError
    from openfelt.protocol.reader_forms import CardsDue

TOKEN_VARIABLE: Final = "OPENFELT_READER_TOKEN"  # noqa: S105 (the name of a variable)
POLL_SECONDS: Final = 0.2
WRONG_EVERY: Final = 4
"""With ``--wrong``, about one card in this many is followed by a card that is out already."""
BOUNCES_MAX: Final = 3
_DEALT: Final = "card_already_dealt"
_NOT_NOW: Final = ("too_late", "no_card_expected", "no_round", "round_over", "not_signed_on")
"""The table has moved on, or waits for its dealer; the card stays in the shoe."""

TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The live table.")]
Server = Annotated[str, typer.Option(metavar="URL", help="The server of the table.")]
Token = Annotated[
    str,
    typer.Option(
        envvar=TOKEN_VARIABLE,
        help="The token that a supervisor has issued for a card reader of this table.",
    ),
]
Cards = Annotated[
    str | None,
    typer.Option(metavar='"As Kd ..."', help="Send these cards in this order, and exit."),
]
Seed = Annotated[
    int | None,
    typer.Option(
        min=0, max=SEED_MAX, help="The seed of the shuffle, so that a deal can be repeated."
    ),
]
Rounds = Annotated[
    int | None,
    typer.Option(
        min=1,
        max=COUNT_MAX,
        help="Exit after the cards of this many rounds. By default, never exit.",
    ),
]
Pace = Annotated[
    float, typer.Option(min=0, max=3600, metavar="SECONDS", help="The time between two cards.")
]
Bounce = Annotated[
    bool, typer.Option("--bounce", help="Send every card several times, as a loose contact does.")
]
Wrong = Annotated[
    bool, typer.Option("--wrong", help="Now and then send a card that has already been dealt.")
]


def scan(
    table: TableName,
    token: Token,
    server: Server = "http://127.0.0.1:8080",
    cards: Cards = None,
    seed: Seed = None,
    rounds: Rounds = None,
    pace: Pace = 0.5,
    bounce: Bounce = False,
    wrong: Wrong = False,
) -> None:
    """Simulate a shuffler or card reader at a live table: send a card whenever one is due."""
    import httpx

    from openfelt.client.card_reader import CardReader
    from openfelt.client.casino import CasinoError

    given = _given(cards)
    source = random.Random(seed) if seed is not None else secrets.SystemRandom()
    habits = Habits(pace_seconds=pace, bounce=bounce, wrong=wrong)

    def wait() -> None:
        typer.echo("No answer from the server; the same card is sent again.", err=True)

    try:
        with CardReader(server, table, token, on_wait=wait) as reader:
            Shoe(reader, source, habits).deal(given, rounds)
    except CasinoError as error:
        raise Complaint(_refusal(error, table)) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Complaint(f"The server {server} does not answer: {error}") from error
    except KeyboardInterrupt:
        typer.echo("Stopped.", err=True)


def _given(cards: str | None) -> "list[Card] | None":
    if cards is None:
        return None
    from openfelt.cards import parse_cards

    try:
        parsed = list(parse_cards(cards))
    except ValueError as error:
        raise wrong_input(error) from error
    if not parsed:
        raise Complaint("--cards names no card.", ExitCode.WRONG_INPUT)
    return parsed


def _refusal(error: "CasinoError", table: str) -> str:
    if error.code == "signed_out":
        return (
            f"The token is not that of a card reader of {table}, or it was revoked. A supervisor "
            "issues one; see docs/guides/card-readers.md."
        )
    return error.sentence


@dataclass(frozen=True, slots=True)
class Habits:
    """The device's behaviour."""

    pace_seconds: float
    bounce: bool
    wrong: bool


class Shoe:
    """Deals a shuffled deck, or given cards, into a live table as its cards become due."""

    def __init__(self, reader: "CardReader", source: random.Random, habits: Habits) -> None:
        self._reader = reader
        self._source = source
        self._habits = habits
        self._sent: list[Card] = []
        """The cards of this round that the table has taken."""
        self._said = ""

    def deal(self, given: "list[Card] | None", rounds: int | None) -> None:
        """Deal until the given cards are out, or the cards of the given number of rounds."""
        left, number, dealt_rounds = list(given or ()), None, 0
        while given is None or left:
            due = self._due()
            if due.round != number:
                # The dealer may have confirmed the last round, or a supervisor has voided it.
                dealt_rounds += bool(self._sent)
                number, self._sent = due.round, []
                left = left if given is not None else self._shuffled()
            if dealt_rounds == rounds or (due.step == "confirm" and dealt_rounds + 1 == rounds):
                return
            if due.place is not None and left:
                left = self._deal(left, due, may_skip=given is None)
            else:
                time.sleep(POLL_SECONDS)

    def _shuffled(self) -> "list[Card]":
        from openfelt.cards import FULL_DECK

        deck = list(FULL_DECK)
        self._source.shuffle(deck)
        return deck

    def _due(self) -> "CardsDue":
        """The step that is due now; a change of it is printed."""
        due = self._reader.due()
        if due.place is None and due.sentence != self._said:
            typer.echo(due.sentence)
        self._said = due.sentence
        return due

    def _deal(self, left: "list[Card]", due: "CardsDue", *, may_skip: bool) -> "list[Card]":
        """Send the next card; returns the cards that are left in the shoe."""
        from openfelt.client.casino import CasinoError

        card, name = left[0], secrets.token_hex(8)
        calls = self._source.randint(2, BOUNCES_MAX) if self._habits.bounce else 1
        try:
            for _ in range(calls):
                taken = self._reader.send(
                    str(card), scan_id=name, number=due.round, place=due.place
                )
        except CasinoError as error:
            if error.code == _DEALT and may_skip:
                # The dealer has scanned it by hand.
                return left[1:]
            if error.code not in _NOT_NOW:
                raise
            self._say_refused(card, error.sentence)
            time.sleep(POLL_SECONDS)
            return left
        self._sent.append(card)
        typer.echo(f"{taken.place:18} {card}")
        if self._habits.wrong and self._source.randrange(WRONG_EVERY) == 0:
            self._send_wrong()
        time.sleep(self._habits.pace_seconds)
        return left[1:]

    def _send_wrong(self) -> None:
        """Send a card that is out already, which the table has to refuse."""
        from openfelt.client.casino import CasinoError

        card = self._source.choice(self._sent)
        try:
            taken = self._reader.send(str(card), scan_id=secrets.token_hex(8))
        except CasinoError as error:
            self._say_refused(card, error.sentence)
            return
        raise Complaint(f"The table has taken {card} a second time, as {taken.place}.")

    def _say_refused(self, card: "Card", sentence: str) -> None:
        typer.echo(f"{'refused':18} {card}  {sentence}")
