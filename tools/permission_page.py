"""The page of permissions, from the two tables by which a server decides them."""

from collections.abc import Iterable
from typing import Final, get_args

from openfelt.protocol import messages
from openfelt.rules.referee import MakeDecision
from openfelt.server.http.endpoint_permissions import PERMISSIONS, CallerKind
from openfelt.table.commands import Role
from openfelt.table.croupier.command_roles import COMMAND_ROLES, CommandRoles

_HEAD: Final = (
    "# Permissions",
    (
        "This page is generated from the two tables by which a server decides who may do what: the "
        "endpoints in `src/openfelt/server/http/endpoint_permissions.py`, and the commands of a "
        "table in `src/openfelt/table/croupier/command_roles.py`. "
        "`tests/attacks/test_permissions.py` tries every caller on every endpoint and with every "
        "command of a real server."
    ),
    "A yes is necessary but not always sufficient. The last column lists further conditions.",
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
        "in, and an auditor, may watch public tables and give no command: they are refused with "
        "`signed_out`. Guests are players. A command of another role is refused with `not_allowed`."
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
    parts = (
        *_HEAD,
        *_ENDPOINTS,
        _table(["endpoint", *CallerKind, "further conditions"], endpoints),
        *_COMMANDS,
        _table(["command", "player", "dealer", "supervisor", "further conditions"], commands),
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
