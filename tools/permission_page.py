"""The page of permissions, from the table by which a server decides them."""

from collections.abc import Iterable
from typing import Final, get_args

from openfelt.protocol import messages
from openfelt.rules.round_actions import MakeDecision
from openfelt.table.callers import CommandRoles
from openfelt.table.command_permissions import COMMAND_ROLES
from openfelt.table.commands import Role
from openfelt.table.role_permissions import (
    PAGES,
    PERMISSIONS,
    CallerKind,
)

_HEAD: Final = (
    "# Permissions",
    (
        "This page is generated from two modules by which a server decides who may do what: "
        "`src/openfelt/table/role_permissions.py` for its endpoints and the pages of the web "
        "terminal, and `src/openfelt/table/command_permissions.py` for the commands of a table. "
        "`tests/attacks/test_permissions.py` tries every caller on every endpoint and with every "
        "command of a real server, and "
        "`tests/browser/test_page_permissions.py` opens every page as every caller."
    ),
    (
        "A yes is necessary but not always sufficient. The last column lists further conditions. "
        "No person can approve their own request."
    ),
)
_ENDPOINTS: Final = (
    "## Endpoints",
    (
        "A caller who has not signed in is refused with 401 and `signed_out`, any other with 403 "
        "and `not_allowed`. The last line is the web terminal."
    ),
)
_COMMANDS: Final = (
    "## Commands",
    (
        "Commands are sent over [the socket](socket.md) of a table. A viewer who has not signed "
        "in, and a cashier, may watch public tables and give no command: they are refused with "
        "`signed_out`. An auditor sees every table as a supervisor does, and gives no command "
        "either. Guests are players. A command of another role is refused with `not_allowed`."
    ),
)
_PAGES: Final = (
    "## Pages",
    (
        "A page is named by the first word of its address, such as `#/verify`. "
        "[`GET /api/v1/me`](rest.md) lists the pages of the caller. A page shows nothing that "
        "its endpoints and sockets would not give to the caller anyway."
    ),
)
_OWN_COMMANDS: Final = (
    "## Commands without a message",
    (
        "These are given inside the server. `system` is the server itself: the clock, the sweeper "
        "and the virtual dealer."
    ),
)


def page() -> str:
    """The whole page."""
    sent = {_command_type(message): message for message in get_args(messages.CommandAsked)}
    commands = [
        [f"`{sent[command].__struct_config__.tag}`", *_roles(COMMAND_ROLES[command])]
        for command in sent
    ]
    inside = [
        [
            command.__name__,
            ", ".join(sorted("supervisor" if r is Role.FLOOR else r for r in roles.roles)),
        ]
        for command, roles in COMMAND_ROLES.items()
        if command not in sent
    ]
    endpoints = [
        [f"`{name}`", *_marks(CallerKind, permission.callers), permission.note]
        for name, permission in PERMISSIONS.items()
    ]
    pages = [
        [f"`{name}`", *_marks(CallerKind, page.callers), page.note] for name, page in PAGES.items()
    ]
    parts = (
        *_HEAD,
        *_ENDPOINTS,
        _table(["endpoint", *CallerKind, "further conditions"], endpoints),
        *_COMMANDS,
        _table(["command", "player", "dealer", "supervisor", "further conditions"], commands),
        *_PAGES,
        _table(["page", *CallerKind, "further conditions"], pages),
        *_OWN_COMMANDS,
        _table(["command", "given by"], inside),
    )
    return "\n\n".join(parts) + "\n"


def _command_type(message: type) -> type:
    """The command of the table that a message of the socket becomes."""
    if message is messages.Decide:
        return MakeDecision
    return next(command for command in COMMAND_ROLES if command.__name__ == message.__name__)


def _roles(roles: CommandRoles) -> list[str]:
    marks = _marks((Role.PLAYER, Role.DEALER, Role.FLOOR), roles.roles)
    if roles.dealer_only_live and Role.DEALER in roles.roles:
        marks[1] = "at live tables"
    return [*marks, roles.note]


def _marks(columns: Iterable[str], allowed: Iterable[str]) -> list[str]:
    may = set(allowed)
    return ["yes" if column in may else "" for column in columns]


def _table(heading: Iterable[str], rows: Iterable[list[str]]) -> str:
    head = list(heading)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(
        "|" + "".join(f" {cell} |" if cell else " |" for cell in line) for line in lines
    )
