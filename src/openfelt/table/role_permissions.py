"""The one table of permissions, which is checked before every request and page.

It has a part for the endpoints of REST and one for the pages of the web terminal; the part for the
commands of the socket is ``openfelt.table.command_permissions``. A line says which callers may;
what else has to be true is in its note, and is decided where the deed is done. No person approves
their own request.
``tests/attacks/test_permissions.py`` tries every line with every caller, and ``make docs`` writes
docs/reference/permissions.md from it.
"""

from typing import Final

from openfelt.table.callers import (
    TABLE_ROLES,
    CallerKind,
    PagePermission,
    Permission,
)

__all__ = [
    "PAGES",
    "PERMISSIONS",
    "TABLE_ROLES",
    "CallerKind",
    "PagePermission",
    "Permission",
    "pages_of",
]

_API: Final = "/api/v1"
"""Where the endpoints are, as ``openfelt.protocol.messages`` has it."""


# Callers -------------------------------------------------------------------------------


_EVERY_CALLER: Final = frozenset(CallerKind)
_SIGNED_IN: Final = _EVERY_CALLER - {CallerKind.ANONYMOUS}
_OWNERS: Final = _SIGNED_IN - {CallerKind.GUEST}
_PLAYERS: Final = frozenset({CallerKind.GUEST, CallerKind.PLAYER})
_CONTROL: Final = frozenset({CallerKind.SUPERVISOR, CallerKind.AUDITOR})


# Endpoints -----------------------------------------------------------------------------


_SUPERVISORS: Final = Permission(frozenset({CallerKind.SUPERVISOR}))
_READ: Final = Permission(_CONTROL)
"""Readable by a supervisor and by an auditor."""
_CASHIERS: Final = frozenset({CallerKind.CASHIER})
_CAGE: Final = Permission(_CONTROL | _CASHIERS)
"""Readable by a cashier at the window, by supervisors and by auditors."""
_SET_UP: Final = Permission(
    _OWNERS,
    "The caller's own. The first second factor soon after the sign-in or with the password; "
    "another one with the password and the existing one.",
    before_steps=True,
)
_NEXT_ROUND: Final = Permission(_SUPERVISORS.callers, "From the next round, with a reason.")
_DEALERS: Final = frozenset({CallerKind.DEALER})
_AT_TRAYS: Final = _DEALERS | {CallerKind.SUPERVISOR}
"""Who signs for the chips of a tray, at its table."""
_OWN_DRAWER: Final = Permission(_CASHIERS, "The cashier's own drawer, while it is open.")
_OWN_VOUCHERS: Final = (
    "The caller's own wallet, at a terminal of a house that has vouchers, or on this machine if "
    "no other machine reaches the server."
)
_DRAFT: Final = "Terms are tried out; nothing is changed."
_OPEN: Final = Permission(_EVERY_CALLER)
_READERS: Final = Permission(
    frozenset(), "The token of a card reader of that table.", reader_token=True
)

PERMISSIONS: Final[dict[str, Permission]] = {
    # The caller's own account
    f"GET {_API}/me": Permission(_EVERY_CALLER, "The caller's own account."),
    f"POST {_API}/guest": Permission(_EVERY_CALLER, "Where the house uses play money."),
    f"POST {_API}/practice-dealer": Permission(
        _EVERY_CALLER, "On a starter floor with play money that only this machine reaches."
    ),
    f"POST {_API}/sign-up": _OPEN,
    f"POST {_API}/sign-in": _OPEN,
    f"POST {_API}/sign-out": Permission(_EVERY_CALLER, "The caller's own session."),
    f"POST {_API}/password": Permission(
        _OWNERS, "The caller's own, with the current password.", before_steps=True
    ),
    f"POST {_API}/second-factor": _SET_UP,
    f"POST {_API}/second-factor/confirm": Permission(
        _OWNERS, "The caller's own, with a code of the app.", before_steps=True
    ),
    f"POST {_API}/second-factor/remove": Permission(
        _OWNERS, "The caller's own, with the password and a code or a passkey."
    ),
    f"GET {_API}/passkeys": Permission(_OWNERS, "The caller's own."),
    f"POST {_API}/passkeys": _SET_UP,
    f"POST {_API}/passkeys/confirm": Permission(
        _OWNERS, "The caller's own, with a new passkey.", before_steps=True
    ),
    f"POST {_API}/passkeys/challenge": Permission(_OWNERS, "For the caller's own session."),
    f"POST {_API}/passkeys/{{passkey}}/remove": Permission(
        _OWNERS, "The caller's own, with the password and a code or a passkey."
    ),
    f"POST {_API}/wallet/top-up": Permission(
        _PLAYERS, "The caller's own wallet, where the house uses play money."
    ),
    f"GET {_API}/limits": Permission(_PLAYERS, "The caller's own."),
    f"POST {_API}/limits": Permission(
        _PLAYERS, "The caller's own: tighter immediately, looser after 24 hours."
    ),
    f"POST {_API}/exclusion": Permission(_PLAYERS, "The caller, for a term."),
    # The cage
    f"POST {_API}/vouchers": Permission(_PLAYERS, _OWN_VOUCHERS),
    f"POST {_API}/vouchers/redeem": Permission(_PLAYERS, _OWN_VOUCHERS),
    f"GET {_API}/cage": _CAGE,
    f"GET {_API}/cage/thresholds": _CAGE,
    f"GET {_API}/cage/wallets/{{name}}": _CAGE,
    f"POST {_API}/cage/vouchers/look-up": Permission(
        _CASHIERS | {CallerKind.SUPERVISOR}, "With the voucher at hand: it is found by its code."
    ),
    f"POST {_API}/cage/drawers/{{drawer}}/open": Permission(_CASHIERS, "A drawer that is closed."),
    f"POST {_API}/cage/drawers/{{drawer}}/close": Permission(
        _CASHIERS | {CallerKind.SUPERVISOR}, "A cashier who has opened it, or any supervisor."
    ),
    f"GET {_API}/cage/last-drawer": Permission(_CASHIERS, "The cashier's own."),
    f"GET {_API}/cage/drawers/{{drawer}}/transfers": Permission(
        _CASHIERS, "The cashier's own drawer: while it is open, and the one closed last."
    ),
    f"POST {_API}/cage/drawers/{{drawer}}/cash-in": _OWN_DRAWER,
    f"POST {_API}/cage/drawers/{{drawer}}/cash-out": _OWN_DRAWER,
    f"POST {_API}/cage/drawers/{{drawer}}/voucher-in": _OWN_DRAWER,
    f"POST {_API}/cage/drawers/{{drawer}}/voucher-out": _OWN_DRAWER,
    f"POST {_API}/cage/drawers/{{drawer}}/payouts": _OWN_DRAWER,
    f"POST {_API}/cage/drawers/{{drawer}}/payouts/{{number}}/approve": Permission(
        _SUPERVISORS.callers, "A person other than the one who requested it."
    ),
    f"POST {_API}/cage/drawers/{{drawer}}/payouts/{{number}}/reject": Permission(
        _CASHIERS | {CallerKind.SUPERVISOR}, "The cashier who requested it, or any supervisor."
    ),
    f"POST {_API}/cage/drawers/{{drawer}}/payouts/{{number}}/pay": Permission(
        _CASHIERS, "The cashier's own drawer, once a supervisor has approved."
    ),
    # The chips of live tables, and the money of a shift
    f"GET {_API}/shift": _READ,
    f"GET {_API}/tables/{{table}}/shift": _READ,
    f"GET {_API}/cage/chips": _CAGE,
    f"GET {_API}/tables/{{table}}/tray": Permission(
        _CONTROL | _CASHIERS | _DEALERS,
        "Dealers at the table where they are signed on; only supervisors and auditors see what "
        "the tray must hold.",
        by_pin=True,
    ),
    f"POST {_API}/tables/{{table}}/tray/counts": Permission(
        _AT_TRAYS, "The dealer of the table, or any supervisor.", by_pin=True
    ),
    f"POST {_API}/tables/{{table}}/tray/counts/{{number}}/sign": Permission(
        _AT_TRAYS,
        "A person other than the one who counted: the dealer of the table signs a supervisor's "
        "count, and a supervisor the dealer's.",
        by_pin=True,
    ),
    f"POST {_API}/tables/{{table}}/tray/counts/{{number}}/drop": Permission(
        _AT_TRAYS, "The dealer of the table, or any supervisor.", by_pin=True
    ),
    f"POST {_API}/tables/{{table}}/tray/chips": Permission(
        _AT_TRAYS, "The dealer of the table, or any supervisor; the tray is open.", by_pin=True
    ),
    f"POST {_API}/tables/{{table}}/tray/chips/{{number}}/give": Permission(
        _AT_TRAYS | _CASHIERS,
        "A person other than the one who requested them. A cashier gives a fill; the dealer of "
        "the table, or a supervisor if the dealer requested it, gives a credit.",
        by_pin=True,
    ),
    f"POST {_API}/tables/{{table}}/tray/chips/{{number}}/receive": Permission(
        _AT_TRAYS | _CASHIERS,
        "A third person. A cashier receives a credit; the dealer of the table, or a supervisor "
        "if the dealer requested it, receives a fill.",
        by_pin=True,
    ),
    f"POST {_API}/tables/{{table}}/tray/chips/{{number}}/refuse": Permission(
        _AT_TRAYS | _CASHIERS,
        "The dealer who requested them, any supervisor or a cashier; once the chips are on "
        "their way, only a cashier.",
        by_pin=True,
    ),
    # The dealer's terminal of a table
    f"POST {_API}/dealer/sign-on": Permission(
        _EVERY_CALLER,
        "A dealer with badge number and PIN, at a device that is enrolled as the dealer's terminal "
        "of a table; the session is valid only for that table and device.",
    ),
    f"POST {_API}/dealer/handover": Permission(
        frozenset({CallerKind.DEALER}),
        "The dealer of the table at its terminal, with badge number and PIN of another dealer.",
        by_pin=True,
    ),
    f"POST {_API}/dealer/handover/confirm": Permission(
        frozenset({CallerKind.DEALER}),
        "The dealer of the table at its terminal, after another dealer has entered badge and PIN.",
        by_pin=True,
    ),
    f"GET {_API}/dealer/shift": Permission(
        frozenset({CallerKind.DEALER}), "The caller's own last shift.", by_pin=True
    ),
    f"GET {_API}/dealers/{{name}}/shifts": _READ,
    f"POST {_API}/dealer/approvals": Permission(
        _EVERY_CALLER,
        "A supervisor with name and password, or badge number and PIN, at the dealer's terminal "
        "of the table or in the session of its dealer.",
    ),
    # Supervision
    f"POST {_API}/accounts": _SUPERVISORS,
    f"GET {_API}/accounts/{{name}}": _READ,
    f"POST {_API}/accounts/{{name}}/public-name": _SUPERVISORS,
    f"POST {_API}/accounts/{{name}}/role": Permission(
        _SUPERVISORS.callers, "Of an account other than the caller's."
    ),
    f"POST {_API}/accounts/{{name}}/unlock": _SUPERVISORS,
    f"POST {_API}/accounts/{{name}}/badge": _SUPERVISORS,
    f"DELETE {_API}/accounts/{{name}}/badge": _SUPERVISORS,
    f"POST {_API}/accounts/{{name}}/bar": Permission(
        _SUPERVISORS.callers, "An account other than the caller's."
    ),
    f"POST {_API}/accounts/{{name}}/admit": _SUPERVISORS,
    f"POST {_API}/accounts/{{name}}/sign-out": _SUPERVISORS,
    f"GET {_API}/accounts/{{name}}/limits": _READ,
    f"POST {_API}/accounts/{{name}}/limits": Permission(
        _SUPERVISORS.callers, "Limits of the house; the player's own stay."
    ),
    f"POST {_API}/accounts/{{name}}/exclusion": _SUPERVISORS,
    f"GET {_API}/terminals": _READ,
    f"POST {_API}/terminals": _SUPERVISORS,
    f"DELETE {_API}/terminals/{{terminal}}": _SUPERVISORS,
    f"POST {_API}/terminals/{{terminal}}/label": _SUPERVISORS,
    f"POST {_API}/terminals/{{terminal}}/state": _SUPERVISORS,
    f"GET {_API}/unfinished": _READ,
    f"GET {_API}/floor": _READ,
    f"GET {_API}/floor/checkpoints": _READ,
    f"POST {_API}/floor/checkpoints": _SUPERVISORS,
    f"GET {_API}/floor/transfers": _READ,
    f"GET {_API}/floor/transfers/file": Permission(
        _CONTROL, "A file is made; the reading is recorded, and nothing else changes."
    ),
    f"GET {_API}/floor/fairness": _READ,
    f"GET {_API}/floor/fairness/series": _READ,
    f"GET {_API}/floor/alerts": _READ,
    f"POST {_API}/floor/alerts/{{alert}}/seen": _SUPERVISORS,
    f"POST {_API}/floor/alerts/{{alert}}/close": _SUPERVISORS,
    # Progressive links
    f"GET {_API}/floor/links": _READ,
    f"GET {_API}/floor/links/{{link}}/entries": _READ,
    f"POST {_API}/links": _SUPERVISORS,
    f"POST {_API}/links/{{link}}/rates": _SUPERVISORS,
    f"POST {_API}/links/{{link}}/pause": _SUPERVISORS,
    f"POST {_API}/links/{{link}}/resume": _SUPERVISORS,
    f"POST {_API}/links/{{link}}/retire": _SUPERVISORS,
    # Disputes
    f"GET {_API}/disputes": _READ,
    f"POST {_API}/disputes": Permission(_SUPERVISORS.callers, "A finished round."),
    f"GET {_API}/disputes/{{dispute}}": _READ,
    f"POST {_API}/disputes/{{dispute}}/notes": _SUPERVISORS,
    f"POST {_API}/disputes/{{dispute}}/outcome": Permission(
        _SUPERVISORS.callers, "A dispute without an outcome."
    ),
    f"GET {_API}/disputes/{{dispute}}/views/{{seat}}": Permission(
        _CONTROL, "The reading is recorded, and nothing else changes."
    ),
    f"GET {_API}/disputes/{{dispute}}/export": _READ,
    # The auditor's page
    f"GET {_API}/audit/events": _READ,
    f"GET {_API}/audit/event": _READ,
    f"POST {_API}/audit/recalls": Permission(
        _CONTROL, "A finished round; the reading is recorded, and nothing else changes."
    ),
    f"GET {_API}/audit/archives": _READ,
    f"GET {_API}/audit/verifications": _READ,
    f"POST {_API}/audit/verifications": Permission(
        _CONTROL, "The record is audited and the result is recorded; nothing else changes."
    ),
    f"GET {_API}/audit/checkpoints": _READ,
    f"GET {_API}/audit/exports": _READ,
    f"POST {_API}/audit/exports": Permission(
        _CONTROL, "Files are written; the reading is recorded, and nothing else changes."
    ),
    f"GET {_API}/audit/exports/{{number}}/file": _READ,
    # Card readers
    f"GET {_API}/readers": _READ,
    f"POST {_API}/readers": _SUPERVISORS,
    f"DELETE {_API}/readers/{{reader}}": _SUPERVISORS,
    f"GET {_API}/tables/{{table}}/cards": _READERS,
    f"POST {_API}/tables/{{table}}/cards": _READERS,
    f"GET {_API}/tables/{{table}}/card-codes": Permission(
        _CONTROL | {CallerKind.DEALER}, by_pin=True
    ),
    # Tables
    f"GET {_API}/tables": Permission(
        _EVERY_CALLER, "Public tables, and the caller's own private ones."
    ),
    f"POST {_API}/tables": _SUPERVISORS,
    f"GET {_API}/tables/{{table}}/terms": _READ,
    f"POST {_API}/tables/{{table}}/rules": _NEXT_ROUND,
    f"POST {_API}/tables/{{table}}/clock": _NEXT_ROUND,
    f"POST {_API}/tables/{{table}}/link": _NEXT_ROUND,
    f"POST {_API}/tables/private": Permission(_PLAYERS, "A table of the caller's own."),
    f"GET {_API}/links": _OPEN,
    "WEBSOCKET /ws/tables/{table}": Permission(
        _EVERY_CALLER,
        "A private table only for its player, supervisors and auditors; commands by the table "
        "below.",
    ),
    # Houses
    f"GET {_API}/clauses/{{clause}}": _OPEN,
    f"GET {_API}/houses": _OPEN,
    f"GET {_API}/houses/{{house}}": _OPEN,
    f"GET {_API}/houses/{{house}}/own-rules": _OPEN,
    f"GET {_API}/houses/{{house}}/draft": _READ,
    f"POST {_API}/drafts/figures": Permission(_CONTROL, _DRAFT),
    f"POST {_API}/drafts/files": Permission(_CONTROL, _DRAFT),
    # Rounds
    f"GET {_API}/played-tables": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {_API}/tables/{{table}}/rounds": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {_API}/tables/{{table}}/visit": Permission(_SIGNED_IN, "The caller's own rounds."),
    f"GET {_API}/tables/{{table}}/rounds/{{number}}": Permission(
        _SIGNED_IN, "A round of the caller's own, once it is over."
    ),
    f"GET {_API}/tables/{{table}}/rounds/{{number}}/coach": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; while it is in progress only at the "
        "caller's own private table.",
    ),
    f"GET {_API}/tables/{{table}}/rounds/{{number}}/proof": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; any finished round for supervisors and "
        "auditors.",
    ),
    f"GET {_API}/tables/{{table}}/rounds/{{number}}/seeds": Permission(
        _SIGNED_IN,
        "A round of the caller's own, once it is over; any finished round for supervisors and "
        "auditors.",
    ),
    f"POST {_API}/verify": _OPEN,
    # Operations, descriptions and the web terminal
    f"GET {_API}/software": _READ,
    f"POST {_API}/software/checks": Permission(
        _CONTROL, "The program's files are read and the check is recorded; nothing else changes."
    ),
    f"POST {_API}/software/houses": Permission(
        _SUPERVISORS.callers, "House files that have changed since they were accepted."
    ),
    f"GET {_API}/servers": _READ,
    "GET /healthz": _OPEN,
    "GET /metrics": Permission(
        _CONTROL,
        "The token for metrics; every caller on this machine, where no other machine reaches the "
        "server.",
        this_machine=True,
        metrics_token=True,
    ),
    f"GET {_API}/openapi.json": _OPEN,
    f"GET {_API}/asyncapi.json": _OPEN,
    "GET /{path:path}": Permission(_EVERY_CALLER, "The files of the web terminal."),
}


# Pages ---------------------------------------------------------------------------------


PAGES: Final[dict[str, PagePermission]] = {
    "lobby": PagePermission(_SIGNED_IN, "The tables; before the sign-in, the welcome."),
    "table": PagePermission(_SIGNED_IN, "The terminal of a table, for watching without a seat."),
    "deal": PagePermission(
        frozenset({CallerKind.DEALER, CallerKind.SUPERVISOR}),
        "The dealer's terminal of a live table; auditors see its felt on the floor's page.",
    ),
    "floor": PagePermission(_CONTROL, "All tables of the floor; auditors read only."),
    "audit": PagePermission(
        _CONTROL, "The log of events, rounds recalled, verifications, checkpoints and exports."
    ),
    "practice": PagePermission(
        _EVERY_CALLER, "On a starter floor with play money that only this machine reaches."
    ),
    "cage": PagePermission(_CAGE.callers, "The cashier's window; supervisors approve there."),
    "verify": PagePermission(_EVERY_CALLER, "The check of a proof, which needs no server."),
}
"""The pages by the first word of their addresses, such as ``#/verify``."""


def pages_of(kind: CallerKind) -> list[str]:
    """The pages that a caller of this kind may open.

    >>> pages_of(CallerKind.ANONYMOUS)
    ['practice', 'verify']
    """
    return [name for name, page in PAGES.items() if kind in page.callers]
