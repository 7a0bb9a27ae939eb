"""A valid form for every endpoint that takes one, and who may send it."""

import re
from typing import Any, Final

from openfelt.protocol.api_prefix import API
from tests.kit.attacks.server_under_attack import PASSWORD

PASSKEY: Final = {
    "id": "AAAA",
    "client_data": "e30",
    "authenticator_data": "AAAA",
    "signature": "AAAA",
}
DRAWER: Final = f"{API}/cage/drawers/{{drawer}}"
TRAY: Final = f"{API}/tables/{{table}}/tray"
VOUCHER: Final = "0000-0000-0000-0001"
COUNT: Final = [{"denomination_cents": 2000, "pieces": 5}]

_DRAFT: Final[dict[str, Any]] = {
    "house": "washington",
    "qualifying": {"hand": "pair", "at_least": None},
    "before_flop": [4, 3],
    "on_flop": [2],
    "on_river": [1],
    "wagers": [
        {
            "kind": "trips",
            "min_cents": 100,
            "max_cents": 10_000,
            "step_cents": 100,
            "paytable": "UTH-01",
            "rows": [{"pays": "50", "envy": 0}],
        }
    ],
}
FORMS: Final[dict[str, dict[str, Any]]] = {
    f"POST {API}/sign-up": {"name": "injected", "password": PASSWORD},
    f"POST {API}/sign-in": {"name": "nobody", "password": PASSWORD, "code": "123456"},
    f"POST {API}/second-factor": {"password": "a wrong passphrase"},
    f"POST {API}/second-factor/confirm": {"code": "123456"},
    f"POST {API}/second-factor/remove": {"code": "123456", "password": "a wrong passphrase"},
    f"POST {API}/passkeys": {"password": "a wrong passphrase"},
    f"POST {API}/passkeys/confirm": {
        "name": "Phone",
        "id": "AAAA",
        "client_data": "e30",
        "attestation": "oA",
    },
    f"POST {API}/passkeys/{{passkey}}/remove": {"password": "a wrong one", "passkey": PASSKEY},
    f"POST {API}/accounts/{{name}}/public-name": {"public_name": "Dora"},
    f"POST {API}/password": {"password": PASSWORD, "new_password": PASSWORD},
    f"POST {API}/wallet/top-up": {"id": "filled"},
    f"POST {API}/accounts": {"name": "opened", "password": PASSWORD, "role": "dealer"},
    f"POST {API}/accounts/{{name}}/role": {"role": "dealer"},
    f"POST {API}/accounts/{{name}}/bar": {"reason": "A reason."},
    f"POST {API}/terminals": {"label": "By the door"},
    f"POST {API}/tables": {
        "table": "made",
        "house": "online",
        "dealer_mode": "virtual",
        "clock": {"wager_seconds": 10, "decision_seconds": 10},
        "link": "house-link",
    },
    f"POST {API}/tables/private": {"house": "online"},
    f"POST {API}/accounts/{{name}}/badge": {"badge": "4711", "pin": "730184"},
    f"POST {API}/dealer/sign-on": {"badge": "4711", "pin": "730184", "new_pin": "918273"},
    f"POST {API}/dealer/handover": {"badge": "4711", "pin": "730184", "new_pin": "918273"},
    f"POST {API}/dealer/handover/confirm": {"approval": "ab" * 16},
    f"POST {API}/dealer/approvals": {
        "act": "void_round",
        "table": "pit-1",
        "badge": "4711",
        "pin": "730184",
    },
    f"POST {API}/floor/checkpoints": {"note": "Before the break."},
    f"POST {API}/floor/alerts/{{alert}}/close": {"reason": "The shoe was changed."},
    f"POST {API}/links": {
        "link": "made",
        "percent": "12.5",
        "seed_cents": 1000,
        "ceiling_cents": 5000,
        "reason": "A new hall.",
    },
    f"POST {API}/links/{{link}}/rates": {
        "percent": "12.5",
        "seed_cents": 1000,
        "ceiling_cents": 5000,
        "reason": "A slower meter.",
    },
    f"POST {API}/links/{{link}}/pause": {"reason": "The sign is dark."},
    f"POST {API}/links/{{link}}/resume": {"reason": "The sign is lit."},
    f"POST {API}/links/{{link}}/retire": {"reason": "The end.", "into": "house-link"},
    f"POST {API}/disputes": {"table": "pit-1", "round": 1, "note": "Why?", "seats": [1]},
    f"POST {API}/audit/recalls": {"table": "pit-1", "round": 1, "seats": [1]},
    f"POST {API}/audit/verifications": {"full": False},
    f"POST {API}/audit/exports": {
        "tables": ["rounds"],
        "format": "csv",
        "first": "2026-01-01",
        "last": "2026-01-31",
    },
    f"POST {API}/disputes/{{dispute}}/notes": {"note": "The video was seen."},
    f"POST {API}/disputes/{{dispute}}/outcome": {"outcome": "rejected", "note": "It was folded."},
    f"POST {API}/readers": {"table": "pit-1", "label": "Shoe"},
    f"POST {API}/tables/{{table}}/cards": {"id": "card-1", "card": "As"},
    f"POST {API}/tables/{{table}}/rules": {
        "id": "rules-1",
        "reason": "A quiet evening.",
        "house": "online",
        "wagers": [{"kind": "ante", "min_cents": 500, "max_cents": 5000, "paytable": "UTH-01"}],
    },
    f"POST {API}/tables/{{table}}/clock": {
        "id": "clock-1",
        "reason": "A quiet evening.",
        "clock": {"wager_seconds": 40, "decision_seconds": 20},
    },
    f"POST {API}/tables/{{table}}/link": {"id": "link-1", "reason": "New.", "link": "house-link"},
    f"POST {API}/terminals/{{terminal}}/label": {"label": "Bank 7"},
    f"POST {API}/terminals/{{terminal}}/state": {"state": "locked", "reason": "A spill."},
    f"POST {API}/limits": {"id": "limit-1", "kind": "loss", "period": "day", "most": 500_000},
    f"POST {API}/accounts/{{name}}/limits": {
        "id": "limit-2",
        "kind": "time",
        "period": "week",
        "most": 600,
        "reason": "Asked for.",
    },
    f"POST {API}/accounts/{{name}}/exclusion": {
        "id": "stop-2",
        "term": "half_year",
        "reason": "Asked for.",
    },
    f"POST {API}/vouchers": {"id": "order-1", "cents": 500},
    f"POST {API}/vouchers/redeem": {"id": "use-1", "code": VOUCHER},
    f"POST {API}/cage/vouchers/look-up": {"code": VOUCHER},
    f"POST {DRAWER}/open": {"id": "open-1", "count": COUNT},
    f"POST {DRAWER}/cash-in": {"id": "in-1", "player": "nobody", "cents": 500, "note": "Two."},
    f"POST {DRAWER}/cash-out": {"id": "out-1", "player": "nobody", "cents": 500, "note": "Two."},
    f"POST {DRAWER}/voucher-in": {"id": "take-1", "code": VOUCHER},
    f"POST {DRAWER}/voucher-out": {"id": "sell-1", "cents": 500},
    f"POST {DRAWER}/payouts": {
        "id": "ask-1",
        "player": "nobody",
        "cents": 400_000,
        "code": VOUCHER,
        "note": "A large win.",
    },
    f"POST {DRAWER}/payouts/{{number}}/approve": {"id": "yes-1"},
    f"POST {DRAWER}/payouts/{{number}}/reject": {"id": "no-1", "reason": "Not today."},
    f"POST {DRAWER}/payouts/{{number}}/pay": {"id": "pay-1"},
    f"POST {TRAY}/counts": {
        "id": "count-1",
        "moment": "opening",
        "count": COUNT,
        "reason": "One is missing.",
    },
    f"POST {TRAY}/counts/{{number}}/sign": {"id": "sign-1"},
    f"POST {TRAY}/counts/{{number}}/drop": {"id": "drop-1", "reason": "Count again."},
    f"POST {TRAY}/chips": {"id": "fill-1", "kind": "fill", "count": COUNT, "note": "Reds."},
    f"POST {TRAY}/chips/{{number}}/give": {"id": "give-1"},
    f"POST {TRAY}/chips/{{number}}/receive": {"id": "receive-1"},
    f"POST {TRAY}/chips/{{number}}/refuse": {"id": "refuse-1", "reason": "Not today."},
    f"POST {DRAWER}/close": {"id": "close-1", "count": COUNT, "reason": "It was dark."},
    # It is the last one, because it ends the player's session.
    f"POST {API}/exclusion": {"id": "stop-1", "term": "day"},
    f"POST {API}/software/houses": {"houses": ["riverside"], "reason": "It was approved."},
    f"POST {API}/drafts/figures": _DRAFT,
    f"POST {API}/drafts/files": _DRAFT
    | {"id": "own-felt", "name": "Own felt", "reason": "a better Blind"},
}
"""A valid form for every endpoint that takes one."""


def sender_of(path: str) -> str:
    """Who may send a form."""
    if re.search("/cage/", path) and not re.search("approve|reject", path):
        return "cashier"
    own = f"wallet|private|password|{API}/(vouchers|limits|exclusion)"
    return "player" if re.search(own, path) else "supervisor"
