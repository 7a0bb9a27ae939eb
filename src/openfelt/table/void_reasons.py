"""The reasons for void rounds: the sentence that the record keeps, and a code for programs.

Staff may write any sentence. The table's own reasons and the usual words of the floor have a code,
by which metrics count them and screens translate them. Records of earlier versions have only the
sentence, from which the code is then read.
"""

import re
from dataclasses import replace
from enum import StrEnum
from typing import Final

from openfelt.rules.house import House
from openfelt.rules.irregularity_rules import Effect
from openfelt.rules.referee import follow
from openfelt.rules.round import Round
from openfelt.rules.round_actions import VoidRound
from openfelt.rules.round_events import Event, RoundVoided
from openfelt.rules.settlement import void_settlement

_UNFINISHED: Final = re.compile(r"Not finished within [0-9]{1,9} days\.")
_UNFINISHED_CLAUSES: Final = {"O": "O.unfinished"}
"""The clause that ends a round whose player is away, in the documents that have one."""
LOST_CARDS: Final = "The key of its cards is lost."
"""Why a round is void whose cards cannot be decrypted any more."""
WITHDRAWN: Final = "Every wager was taken back before the table closed."
OWN_WORDS: Final = "other"
"""The stored code of a reason in the words of staff, which no screen translates."""


class VoidCode(StrEnum):
    """A reason that screens can translate."""

    MALFUNCTION = "malfunction"
    MISDEAL = "misdeal"
    UNFINISHED = "unfinished"
    """The house cancels a round whose player has been away too long (O.unfinished)."""
    WITHDRAWN = "withdrawn"
    """A closing table had an open round without wagers."""
    LOST_CARDS = "lost_cards"
    """The key of its cards was declared lost."""


_FLOOR_WORDS: Final = {code.value: code for code in (VoidCode.MALFUNCTION, VoidCode.MISDEAL)}
"""Usual words of staff, in lower case and without a full stop."""
_CODES: Final = {code.value: code for code in VoidCode}


def void_by_staff(state: Round, command: VoidRound) -> tuple[Event, ...]:
    """The events of a round that staff declare void; the usual words of the floor have a code."""
    return _with_code(state, command, _floor_code(command.reason) or OWN_WORDS)


def void_unfinished(state: Round, days: int) -> tuple[Event, ...]:
    """The events of a round that the house cancels after this many days."""
    return _with_code(state, VoidRound(unfinished(days)), VoidCode.UNFINISHED)


def void_withdrawn(state: Round) -> tuple[Event, ...]:
    """The events of a round without wagers at a table that closes."""
    return _with_code(state, VoidRound(WITHDRAWN), VoidCode.WITHDRAWN)


def void_with(state: Round, action: VoidRound, code: VoidCode) -> tuple[Event, ...]:
    """The events of a round that is void for a reason with this code."""
    return _with_code(state, action, code)


def _with_code(state: Round, action: VoidRound, code: str) -> tuple[Event, ...]:
    settlement = void_settlement(state, clause=void_clause(state, code))
    return tuple(
        replace(event, code=str(code), settlement=settlement)
        if isinstance(event, RoundVoided)
        else event
        for event in follow(state, action)
    )


def void_clause(state: Round, code: str | None) -> str:
    """The clause that voids a round for a reason with this code.

    A round that was left names the clause that ends it, an irregularity of the deal the ruling that
    staff followed, and everything else the house's clause of void rounds.
    """
    if code == VoidCode.UNFINISHED:
        return _UNFINISHED_CLAUSES.get(state.house.document, "R.32")
    declared = [
        irregularity.clause
        for irregularity in state.irregularities
        if irregularity.effect is Effect.VOID_ROUND
    ]
    return declared[-1] if declared else state.clause("void")


def unfinished(days: int) -> str:
    """The reason for cancelling a round after this many days."""
    return f"Not finished within {days} days."


def is_unfinished(event: RoundVoided) -> bool:
    """Whether a round was cancelled because its player had been away too long."""
    if event.code is not None:
        return event.code == VoidCode.UNFINISHED
    return _UNFINISHED.fullmatch(event.reason) is not None


def void_code(state: Round) -> VoidCode | None:
    """Why a round is void, None if it is not or if staff wrote a reason in their own words."""
    if state.void_code is not None:
        return _CODES.get(state.void_code)
    return code_of_sentence(state.void_reason, state.house) if state.void_reason else None


def code_of_sentence(reason: str, house: House) -> VoidCode | None:
    """The code of a reason in a record of an earlier version, None for any other sentence.

    >>> from openfelt.catalog import load_house
    >>> code_of_sentence("Malfunction.", load_house("online")).value
    'malfunction'
    >>> code_of_sentence("The cat is on the table.", load_house("online"))
    """
    if reason == WITHDRAWN:
        return VoidCode.WITHDRAWN
    if reason == LOST_CARDS:
        return VoidCode.LOST_CARDS
    if house.unfinished_days is not None and reason == unfinished(house.unfinished_days):
        return VoidCode.UNFINISHED
    return _floor_code(reason)


def _floor_code(reason: str) -> VoidCode | None:
    return _FLOOR_WORDS.get(reason.strip().rstrip(".").lower())
