"""The table of commands; tests/attacks/test_permissions.py tries it on a real server."""

from typing import get_args

from openfelt.rules.referee import Action
from openfelt.table.commands import TableCommand
from openfelt.table.croupier.command_roles import COMMAND_ROLES


def test_every_command_has_a_line_and_every_line_a_command() -> None:
    assert COMMAND_ROLES.keys() == {*get_args(TableCommand), *get_args(Action)}
