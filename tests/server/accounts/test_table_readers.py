"""Card readers, as two processes see them."""

import pytest

from openfelt.rules.refusal import Refusal
from openfelt.server.accounts import table_readers
from openfelt.server.accounts.table_readers import TableReaders
from openfelt.storage.sqlite import SqliteStore
from tests.kit.floors import StandingClock


def test_a_reader_is_known_to_every_process_until_it_is_revoked(store: SqliteStore) -> None:
    clock = StandingClock()
    first, other = TableReaders(store, clock), TableReaders(store, clock)
    reader, token = first.issue("live-1", "Shuffler 3", by="eve")
    known = other.find(token)
    assert known is not None
    assert (known.id, known.table, known.label) == (reader, "live-1", "Shuffler 3")
    for wrong in (token[:-1], "reader.", "nonsense", "", f"terminal.{token.partition('.')[2]}"):
        assert other.find(wrong) is None
    assert first.revoke(reader, by="eve")
    assert not first.revoke(reader, by="eve")
    clock.pass_ms(1001)
    assert other.find(token) is None


def test_there_is_a_limit(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_readers, "READERS_MAX", 1)
    readers = TableReaders(store, StandingClock())
    readers.issue("live-1", "R1", by="eve")
    with pytest.raises(Refusal, match="too many"):
        readers.issue("live-1", "R2", by="eve")
