"""A finished round as it is frozen for a dispute: its record, its rules, its views and its proof.

The views are those of the replay: step by step what the dealer and every seat could see, with a
picture of each. Seats of a hall see the same board and differ in their own hands, so equal values
are written once, in a list, and steps name them by their place in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.metadata import version
from typing import Any, Final

import msgspec

from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.proof_forms import proof_json
from openfelt.runtime.rounds.record import NoSuchRound, RoundReader
from openfelt.runtime.rounds.recorded_round import RecordedRound, seat_players
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.server.errors import Denied, not_found
from openfelt.server.history.replay import replay_steps
from openfelt.server.supervision.frozen_pictures import (
    RENDERER,
    PictureTitle,
    digest_of_picture,
    picture,
)
from openfelt.server.supervision.shared_values import SharedValues
from openfelt.storage.codec import read_json
from openfelt.storage.door import Irrecoverable, Store, StoredEvent
from openfelt.storage.event_forms import ROUND_ENDS

FORM: Final = "openfelt.dispute/2"
"""Version 1 had no pictures, and views of sixteen seats at most, in which nothing was shared."""
DEALER: Final = 0
"""No seat has this number: a replay for it shows what the dealer and every spectator see."""


@dataclass(frozen=True, slots=True)
class FrozenRound:
    """A round, ready to be written down."""

    body: str
    """JSON."""
    seats: tuple[int, ...]
    """The seats whose views are in it."""
    purged: bool


class RoundFreezer:
    """Reads rounds for disputes. All calls block."""

    def __init__(self, store: Store, reader: RoundReader) -> None:
        self._store = store
        self._reader = reader

    def freeze(
        self,
        table: str,
        number: int,
        *,
        seats: Sequence[int] = (),
        seats_max: int | None = None,
    ) -> FrozenRound:
        """A finished round by its number; raises Denied.

        Without ``seats``, the views of all seats that played are written out, or of the first ones
        where there is a maximum.
        """
        events = self._events(table, number)
        recorded = self._reader.read(table, number, version=events[0].version)
        played = sorted({spot.seat for spot in recorded.opened.hands})
        banker = recorded.opened.opened.banker
        played += [banker.seat] if banker is not None and banker.seat not in played else []
        if strangers := set(seats) - set(played):
            raise _refused(f"Seat {min(strangers)} did not play round {number}.")
        chosen = tuple(sorted(seats) or sorted(played))[:seats_max]
        house = recorded.opened.house
        rules = self._store.rule_set(house.fingerprint)
        plain = {
            "form": FORM,
            "software": version("openfelt"),
            "table": table,
            "round": number,
            "house": house.id,
            "fingerprint": house.fingerprint,
            "rules": read_json(rules.body) if rules is not None else None,
            "record": [_line(stored) for stored in events],
            "seats_played": played,
            **_views(recorded, chosen, seat_players(events)),
            **self._proof(recorded),
        }
        return FrozenRound(msgspec.json.encode(plain).decode(), chosen, recorded.purged)

    def _events(self, table: str, number: int) -> list[StoredEvent]:
        """The events of a finished round; raises Denied."""
        try:
            events = self._reader.events_of(table, number)
        except NoSuchRound as error:
            raise not_found(f"{table} has no round {number}.") from error
        if events[-1].name not in ROUND_ENDS:
            raise _refused(f"Round {number} is not over yet.")
        return events

    def _proof(self, recorded: RecordedRound) -> dict[str, Any]:
        """The public proof of the round, or why there is none."""
        try:
            proofs = self._reader.proofs(recorded)
            proof = proofs.public()
            if proof.seeds is not None and proof.seeds.seeds is None:
                proof = proof.with_seeds(proofs.seed_list())
        except (Unprovable, ProofError) as error:
            return {"proof": None, "proof_missing": str(error)}
        return {"proof": read_json(proof_json(proof)), "proof_missing": None}


def _views(
    recorded: RecordedRound, seats: tuple[int, ...], players: dict[int, str]
) -> dict[str, Any]:
    """The views of the dealer and each seat, step by step and as a picture."""
    shared, house = SharedValues(), recorded.opened.house

    def view(seat: int, player: str) -> dict[str, Any]:
        steps = msgspec.to_builtins(replay_steps(recorded, seat=seat, player=player))
        whose = "The dealer and every spectator" if seat == DEALER else f"Seat {seat}, {player}"
        title = PictureTitle(
            table=recorded.table,
            round=recorded.opened.opened.number,
            house=house.name,
            whose=whose.removesuffix(", "),
        )
        drawn = picture(title, steps)
        return {
            "steps": [shared.step(step) for step in steps],
            "picture": drawn,
            "picture_sha256": digest_of_picture(drawn),
        }

    return {
        "renderer": RENDERER,
        "views": {
            "dealer": view(DEALER, ""),
            "seats": {
                str(seat): {"player": players.get(seat), **view(seat, players.get(seat, ""))}
                for seat in seats
            },
        },
        "shared": shared.values,
    }


def _line(stored: StoredEvent) -> dict[str, Any]:
    """An event of the record, with its hidden cards if these are still readable."""
    try:
        body = stored.plain_body
    except Irrecoverable:
        body = stored.open_body
    return {
        "version": stored.version,
        "name": stored.name,
        "at_ms": stored.at_ms,
        "actor": stored.cause.actor,
        "terminal": stored.cause.terminal,
        "hash": stored.hash,
        "previous": stored.previous,
        "body": read_json(body),
    }


def _refused(sentence: str) -> Denied:
    return Denied(HTTPStatus.CONFLICT, "not_frozen", sentence)
