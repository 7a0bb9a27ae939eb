"""Rows whose values have the wrong type, which only a changed table can give."""

from collections.abc import Callable

import pytest

from openfelt.storage import Damaged
from openfelt.storage.sql import rows
from openfelt.storage.sql.rows import Row

GOOD: list[tuple[Callable[[Row], object], Row, str]] = [
    (rows.stream_head, ("a", 1, "h", 2, 3, "c"), "streams"),
    (rows.stream_name, ("a",), "streams"),
    (rows.event, ("a", 1, "n", 1, "{}", 5, "p", "h", "player:ann", "t", "1", "d"), "events"),
    (
        rows.transfer,
        (1, "a", 1, 5, "cash", "wallet:x", 5, "deposit", None, None, ""),
        "transfers",
    ),
    (rows.snapshot, ("a", 1, 5, "{}", "c", "h", "h"), "snapshots"),
    (rows.old_answer, ("alice", "1", "d", "{}"), "answers"),
    (rows.command, ("alice", "1", "d", 7), "events"),
    (rows.secret, ("1/table", "deck", "00c0ffee"), "secrets"),
    (rows.rule_set, ("f", "online", "{}"), "rule_sets"),
    (rows.balance, ("wallet:x", 5), "balances"),
    (rows.checkpoint, (1, 5, "{}", "k", "s"), "checkpoints"),
]


@pytest.mark.parametrize(("read", "row", "table"), GOOD, ids=[one[2] for one in GOOD])
def test_every_column_has_its_type(read: Callable[[Row], object], row: Row, table: str) -> None:
    read(row)
    for column in range(len(row)):
        for wrong in (b"x", None, 1.5, True):
            changed = (*row[:column], wrong, *row[column + 1 :])
            if wrong is None and table == "transfers" and column in (8, 9):
                read(changed)
                continue
            with pytest.raises(Damaged, match=f"of the table {table} is damaged") as caught:
                read(changed)
            assert caught.value.table == table


def test_a_secret_is_never_quoted() -> None:
    with pytest.raises(Damaged) as caught:
        rows.secret(("1/table", b"As Kh"))
    assert "As" not in str(caught.value)
