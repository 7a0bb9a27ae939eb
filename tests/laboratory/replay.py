"""Rounds out of the replay of the REST interface: JSON as a player's browser gets it.

A replay shows a player's own hands and what all viewers saw. The replays of all players of a round
together make its sheet.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.laboratory.record import bets_of, line_result
from tests.laboratory.referee_sheet import Decision, Hand, Result, Sheet

Replay = Mapping[str, Any]


def sheet_of(house: str, replays: Sequence[Replay]) -> Sheet:
    """One round from the replays of all of its players; raises ValueError if they differ."""
    shown = [replay["steps"][-1]["public"] for replay in replays]
    first = shown[0]
    for key in ("number", "common", "dealer", "banker_seat", "cover_cents"):
        if any(public.get(key) != first.get(key) for public in shown):
            raise ValueError(f"the replays show different values of {key}")
    hands = [_hand(own) for replay in replays for own in replay["steps"][-1]["own"].values()]
    return Sheet(
        house=house,
        number=first["number"],
        hands=tuple(hands),
        dealer=_seen(first["dealer"]),
        common=_seen(first["common"]),
        banker_seat=first.get("banker_seat") or 0,
        cover_cents=first.get("cover_cents") or 0,
        void=replays[0]["void"],
    )


def results_of(replay: Replay) -> list[Result]:
    """The lines of a player's own wagers; those of the replay are those of its hands."""
    hands = replay["steps"][-1]["own"]
    results = [line_result(line, spot) for spot, own in hands.items() for line in own["lines"]]
    if [line for own in hands.values() for line in own["lines"]] != replay["lines"]:
        raise ValueError("the lines of the replay are not those of its hands")
    return results


def _seen(cards: Sequence[str | None]) -> tuple[str, ...]:
    """Cards that were turned over; none where one was not."""
    return tuple(card for card in cards if card) if all(cards) else ()


def _hand(own: Mapping[str, Any]) -> Hand:
    decisions = tuple(
        Decision(
            word=made["kind"],
            times=made.get("multiple") or 0,
            held=tuple(made.get("cards") or ()),
            by_clock=made["by"] == "clock",
        )
        for made in own["decisions"]
    )
    return Hand(own["seat"], own["hand"], bets_of(own["wagers"]), _seen(own["cards"]), decisions)
