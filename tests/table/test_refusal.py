"""The page of the table lists every command, event and refusal that a table has, and no other."""

from dataclasses import fields
from typing import Any, get_args

from openfelt.rules.round_actions import Action
from openfelt.rules.round_events import Event
from openfelt.table.commands import OpenTable, TableCommand
from openfelt.table.events import TableEvent
from openfelt.table.refusal import TableCode
from tests.kit.docs import DOCS, rows, sections

PAGE = DOCS / "reference" / "table.md"


def told(heading: str) -> dict[str, list[str]]:
    """By the names in the first column of a table, the fields in the second."""
    found: dict[str, list[str]] = {}
    for name, field, *_ in rows(sections(PAGE)[heading]):
        found.setdefault(name or list(found)[-1], []).extend([field] if field else [])
    return found


def fields_of(*forms: Any) -> dict[str, list[str]]:
    return {form.__name__: [field.name for field in fields(form)] for form in forms}


def test_every_refusal_is_on_the_page() -> None:
    codes = [row[0] for row in rows(sections(PAGE)["Refusals of a table"])]
    assert codes == list(TableCode)


def test_every_event_of_a_table_is_on_the_page() -> None:
    own = [form for form in get_args(TableEvent) if form not in get_args(Event)]
    assert told("Events of a table") == fields_of(*own)


def test_every_command_is_on_the_page() -> None:
    commands = told("Commands of a table")
    opening = [name for name in commands if name in fields_of(OpenTable)["OpenTable"]]
    assert opening == fields_of(OpenTable)["OpenTable"]
    own = [form for form in get_args(TableCommand) if form not in get_args(Action)]
    actions: dict[str, list[str]] = {form.__name__: [] for form in get_args(Action)}
    assert {name: found for name, found in commands.items() if name not in opening} == {
        **actions,
        **fields_of(*own),
    }
