"""One well-formed command of every kind, and what the server makes of it."""

from typing import Any, Final, cast

import msgspec

from openfelt.protocol.messages import CommandAsked
from openfelt.server.socket.commands import table_command

SAMPLES: Final[dict[str, dict[str, Any]]] = {
    "take_seat": {"seat": 2},
    "leave_seat": {"seat": 1},
    "buy_in": {"seat": 1, "cents": 1000},
    "collect": {"seat": 1},
    "set_wagers": {
        "spot": "1.1",
        "wagers": [{"kind": "ante", "cents": 1000}],
        "seed_commitment": "00" * 32,
    },
    "reveal_seed": {"seat": 1, "seed": "00" * 32},
    "close_bets": {},
    "decide": {"spot": "1.1", "decision": {"kind": "fold"}},
    "take_bank": {"seat": 1, "cover_cents": 10_000},
    "decline_bank": {"seat": 1},
    "open_bets": {},
    "deal_card": {"card": "As"},
    "correct_card": {"lies": "dealer", "position": 1, "card": "As"},
    "swap_cards": {"place": "dealer card 1", "other": "common card 1"},
    "turn_cards": {},
    "confirm": {},
    "void_round": {"reason": "misdeal"},
    "irregularity": {"irregularity": "shuffler_malfunction", "about": "deck"},
    "propose_adjustment": {"round": 1, "seat": 1, "cents": 500, "reason": "Short paid."},
    "approve_adjustment": {"number": 1},
    "reject_adjustment": {"number": 1, "reason": "No."},
    "count_stub": {"count": 40},
    "count_felt": {"spots": {"1.1": 2000}},
    "call_floor": {},
    "resume_play": {},
    "report_mispayment": {"round": 1, "seat": 1, "cents": 500, "reason": "Paid twice."},
    "resolve_mispayment": {"number": 1, "resolution": "recovered"},
    "change_dealer": {"dealer": None},
    "close_table": {"reason": "Closed."},
    "pause_table": {"reason": "A spill."},
    "reopen_table": {},
    "reopen_bets": {},
}
"""The fields of a command of each kind."""


def sample(kind: str) -> dict[str, Any]:
    """A command of this kind, as it is sent."""
    return {"kind": kind} | SAMPLES[kind]


def command_type(kind: str) -> type:
    """The command of the table that a message of this kind becomes."""
    asked = msgspec.convert(sample(kind), cast("type[CommandAsked]", CommandAsked))
    return type(table_command(asked))
