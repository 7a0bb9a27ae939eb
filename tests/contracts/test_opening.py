"""Opening a database: made, found again, refused."""

import pytest

from openfelt.storage import Damaged, NewerSchema, NotOpenfelt
from openfelt.storage.migrations import KNOWN
from tests.kit.storage.store_places import Place, event, write


def test_opening_twice_changes_nothing(place: Place) -> None:
    write(place.open(), "a", 0, event())
    steps = place.run("SELECT version FROM openfelt_schema")
    assert place.open().head("a").version == 1
    assert place.run("SELECT version FROM openfelt_schema") == steps
    assert len(steps) == KNOWN


def test_a_newer_database_is_refused(place: Place) -> None:
    place.open().close()
    place.run(f"INSERT INTO openfelt_schema (version) VALUES ({KNOWN + 1})")
    with pytest.raises(NewerSchema) as caught:
        place.open()
    assert (caught.value.found, caught.value.known) == (KNOWN + 1, KNOWN)
    assert "Run the newer Openfelt" in str(caught.value)


def test_steps_with_a_gap_are_refused(place: Place) -> None:
    place.open().close()
    place.run("DELETE FROM openfelt_schema")
    place.run("INSERT INTO openfelt_schema (version) VALUES (5)")
    with pytest.raises(Damaged, match="openfelt_schema"):
        place.open()


def test_a_foreign_database_is_refused_and_left_alone(place: Place) -> None:
    place.run("CREATE TABLE invoices (number INTEGER)")
    with pytest.raises(
        NotOpenfelt, match="This is not an Openfelt database: it has a table invoices"
    ):
        place.open()
    place.run("DROP TABLE invoices")
    place.open()


def test_a_step_that_fails_leaves_nothing(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = (("CREATE TABLE streams (name {text})", "CREATE NONSENSE"),)
    monkeypatch.setattr("openfelt.storage.migrations.MIGRATIONS", broken)
    with pytest.raises(Exception, match="NONSENSE"):
        place.open()
    monkeypatch.undo()
    write(place.open(), "a", 0, event())


def test_a_later_step_is_taken_by_itself(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    write(place.open(), "a", 0, event())
    added = ("CREATE TABLE later (name {text} PRIMARY KEY) {by_key}",)
    from openfelt.storage import migrations

    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, added))
    monkeypatch.setattr(migrations, "KNOWN", KNOWN + 1)
    assert place.open().head("a").version == 1
    assert place.run("SELECT * FROM later") == []
    monkeypatch.undo()
    with pytest.raises(NewerSchema):
        place.open()
