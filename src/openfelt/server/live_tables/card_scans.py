"""Cards that readers send over HTTP: each is dealt once, and its place is read from the record."""

import asyncio
from functools import partial
from http import HTTPStatus
from typing import Final

from openfelt.cards import Card
from openfelt.protocol.messages import ScanRefused
from openfelt.protocol.reader_forms import CardScan, CardsDue, CardTaken
from openfelt.rules.action_checks import malformed, read_place
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase
from openfelt.rules.round_actions import DealCard
from openfelt.rules.round_events import CardDealt
from openfelt.runtime.requests import Answer, Request, RuntimeCode
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.floor import Floor
from openfelt.server.accounts.table_readers import TableReader
from openfelt.server.errors import RETRY_MS, Denied
from openfelt.server.pit.card_codes import CardCodes
from openfelt.server.tables.room import Room
from openfelt.server.tables.rooms import Rooms
from openfelt.storage.door import StoredEvent
from openfelt.table.state import Table

_UNCERTAIN: Final = frozenset({RuntimeCode.STOPPED, RuntimeCode.MOVED, RuntimeCode.BUSY})
"""The card may or may not have been accepted: the reader sends it again, with the same id."""
_DEALT_ALREADY: Final = "The card has already been dealt."
_PAGE: Final = 16


async def take_scan(
    rooms: Rooms, codes: CardCodes, reader: TableReader, scan: CardScan
) -> CardTaken:
    """Deal a card that a reader has read; raises Denied, and tells the dealer's terminal why."""
    try:
        room = await rooms.room(reader.table)
    except Refusal as refusal:
        raise _unavailable(refusal.code.value, refusal.sentence) from refusal
    try:
        card = _card(codes, reader.table, scan.card)
    except Refusal as refusal:
        raise _refused(room, reader, scan, refusal, read=scan.card) from refusal
    try:
        place = read_place(scan.place) if scan.place is not None else None
    except Refusal as refusal:
        raise _refused(room, reader, scan, refusal) from refusal
    command = DealCard(card, round=scan.round, place=place)
    request = Request(
        by=reader.person, command=command, id=scan.id, terminal=f"reader:{reader.person.name}"
    )
    answer = await room.access.ask(request)
    if answer.refused in _UNCERTAIN:
        raise _unavailable(answer.refused or "", answer.sentence or "")
    if answer.refused is not None:
        raise _refused(room, reader, scan, answer)
    table = room.access.table
    dealt = await asyncio.to_thread(_dealt, rooms.floor, request, reader.table, answer.version)
    if dealt is None or dealt.card != card:
        await rooms.reused_scans.add(reader.id, scan.id)
    # Scans that came at the same time have waited here too.
    if dealt is None or await rooms.reused_scans.has(reader.id, scan.id):
        reused = Refusal(RuntimeCode.ID_REUSED, "This id has already been used for another card.")
        raise _refused(room, reader, scan, reused)
    return CardTaken(card=str(card), place=str(dealt.place), due=cards_due(table))


def cards_due(table: Table) -> CardsDue:
    """The cards that a table waits for, in words for a reader's display."""
    state = table.playing
    if state is None:
        return CardsDue(round=None, step=None, place=None, sentence="No round is in progress.")
    due = partial(CardsDue, round=state.opened.number, place=None)
    if state.phase is Phase.WAGERING:
        return due(step="bets", sentence="Bets are open.")
    if table.seeds is not None and table.seeds.awaited:
        return due(step="seeds", sentence="The terminals reveal their seeds.")
    match state.current_step:
        case Deal(place=place):
            return due(step="card", place=str(place), sentence=f"Next card: {place}.")
        case Turn():
            return due(step="turn", sentence="The dealer turns cards over.")
    if state.street is not None:
        return due(step="decisions", sentence="Players decide.")
    return due(step="confirm", sentence="The dealer confirms the round.")


def _card(codes: CardCodes, table: str, text: str) -> Card:
    card = codes.read(table, text)
    if card is not None:
        return card
    if codes.at(table):
        raise Refusal(
            RuntimeCode.UNKNOWN_CODE,
            f"{text!r} is not in the code table: it is a card of another deck, or was misread.",
        )
    raise malformed(f"{text!r} is not a card, such as As or Td.")


def _dealt(floor: Floor, request: Request, table: str, version: int) -> CardDealt | None:
    """The card that a request has dealt, from the events that name it as their cause."""
    codec, store, key = floor.worker_services.codec, floor.worker_services.store, request.key
    first = version
    events: list[StoredEvent] = []
    while first > 0 and len(events) == version - first:
        # A scan may be followed by all hands of a hall, which are in the same transaction.
        first = max(0, first - max(_PAGE, len(events)))
        stored = store.events(table_stream(table), after=first, up_to=version)
        events = [event for event in stored if (event.cause.actor, event.cause.command) == key]
    decoded = (codec.decode(event) for event in events)
    return next((event for event in decoded if isinstance(event, CardDealt)), None)


def _refused(
    room: Room,
    reader: TableReader,
    scan: CardScan,
    why: Answer | Refusal,
    *,
    read: str | None = None,
) -> Denied:
    """Tell the dealer's terminal why a card was not taken; returns the refusal for the reader.

    Only the reader is told which card it was, because the card may lie face down, now or soon. Text
    that is not a card is shown as it was ``read``.
    """
    if isinstance(why, Answer):
        code, sentence = why.refused or "", why.sentence or ""
    else:
        code, sentence = why.code.value, why.sentence
    room.tell_dealer(
        ScanRefused(
            id=scan.id,
            reader=reader.label,
            read=read,
            refused=code,
            sentence=_DEALT_ALREADY if code == RefusalCode.CARD_ALREADY_DEALT else sentence,
        )
    )
    return Denied(HTTPStatus.CONFLICT, code, sentence)


def _unavailable(code: str, sentence: str) -> Denied:
    return Denied(HTTPStatus.SERVICE_UNAVAILABLE, code, sentence, wait_ms=RETRY_MS)
