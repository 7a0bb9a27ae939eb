"""Who was allowed to see which cards, by the record in the store, and who was sent which.

A message is taken at its word: it has a version, and at that version of the table each card lay
face up, face down before its own player, or hidden. No other card may be named in it.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from openfelt.cards import Card
from openfelt.protocol.merge_patch import Plain
from openfelt.rules.round import Round
from openfelt.rules.round_events import RoundOpened, WagersSet
from openfelt.rules.wagers import Spot
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind, names_in, table_stream
from openfelt.runtime.tables.recovery.recovery import fold
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import Store
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.state import Table

_CARD: Final = re.compile(r"(?<![0-9A-Za-z.])[2-9TJQKA][cdhs](?![0-9A-Za-z])")
"""A card by its two letters; ``O.9c`` is a clause."""
_FELT_SEATS_MAX: Final = 12
"""Around a felt of at most this many seats all viewers see turned hands; in a hall none do."""
_FOR_EXAMPLE: Final = "such as As or Td"
"""How a refusal says what a card is called; these two are dealt to no place."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Something that was received."""

    table: str
    viewer: str | None
    """The name of the player, None for staff and visitors, who hold no cards."""
    text: str
    message: Plain
    sent: str = ""
    """For an answer, what it answers."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The cards of a table at one of its versions."""

    open_cards: frozenset[str]
    """What every viewer may see."""
    own_cards: Mapping[str, frozenset[str]]
    """What each player may see besides: their own hands."""
    hidden: int
    """How many cards lie there that a viewer may not see."""
    turned: frozenset[str] = frozenset()
    """What lies face up, in a hall also the hands that no other player sees."""


@dataclass
class Seen:
    """The whole record of a table."""

    moments: dict[int, Moment] = field(default_factory=dict)
    rounds: list[str] = field(default_factory=list)
    """How each round ended."""


def copy_of(database: Path, to: Path) -> SqliteStore:
    """A copy of a database that may be in use."""
    with (
        closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(to)) as target,
    ):
        source.backup(target)
    return SqliteStore(to)


def records(store: Store) -> dict[str, Seen]:
    """Every table of a store."""
    names = names_in(store, StreamKind.TABLE)
    return {table: record(store, table) for table in names}


def record(store: Store, name: str) -> Seen:
    """A table, version by version."""
    worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(1)), SystemClock())
    seen, table = Seen(), None
    owners: dict[Spot, str] = {}
    for stored in store.events(table_stream(name)):
        event = worker_services.codec.decode(stored)
        table = fold(table, event)
        if isinstance(event, RoundOpened):
            owners = {}
        elif isinstance(event, WagersSet):
            owners[event.spot] = table.seats[event.spot.seat].player
        elif stored.name in ("round_settled", "round_voided"):
            seen.rounds.append(stored.name)
        seen.moments[stored.version] = _moment(table, owners)
    return seen


def _moment(table: Table, owners: Mapping[Spot, str]) -> Moment:
    state = table.round
    if state is None:
        return Moment(frozenset(), {}, 0)
    shown = _texts(state.common[: state.common_face_up])
    shown |= _texts(state.dealer) if state.dealer_face_up else set()
    # A card that is replaced has been shown: that is why it is out of play.
    shown |= _texts(state.burned)
    own: dict[str, set[str]] = {}
    turned = set(shown)
    for spot, hand in state.hands.items():
        turned |= _texts(hand.cards) if hand.face_up else set()
        if hand.face_up and table.house.seats <= _FELT_SEATS_MAX:
            shown |= _texts(hand.cards)
        own.setdefault(owners[spot], set()).update(_texts(hand.cards))
    every = _all_cards(state)
    return Moment(
        frozenset(shown),
        {player: frozenset(cards) for player, cards in own.items()},
        hidden=len(every - shown),
        turned=frozenset(turned),
    )


def _texts(cards: tuple[Card, ...]) -> set[str]:
    return {str(card) for card in cards}


def _all_cards(state: Round) -> set[str]:
    found = _texts(state.common) | _texts(state.dealer)
    for hand in state.hands.values():
        found |= _texts(hand.cards)
    return found


# Leaks -----------------------------------------------------------------------------------


def leaks(frames: list[Frame], tables: Mapping[str, Seen]) -> Iterator[str]:
    """Every message that names a card which its viewer could not see at its version.

    A card counts wherever it is named: a sentence, a decision or its own field. In an answer the
    viewer may read again what stood in their own command.
    """
    for frame in frames:
        version = frame.message.get("version")
        told = frame.text.replace(_FOR_EXAMPLE, "")
        named = set(_CARD.findall(told)) - set(_CARD.findall(frame.sent))
        if not named or version is None:
            continue
        if hidden := named - may_see(frame, tables[frame.table].moments[version]):
            yield f"{sorted(hidden)} for {frame.viewer} at {frame.table}: {frame.text}"


def may_see(frame: Frame, moment: Moment) -> frozenset[str]:
    """The cards that may be named to the viewer of a message."""
    return moment.open_cards | moment.own_cards.get(frame.viewer or "", frozenset())
