"""The independent checker: it needs nothing of ours, and finds what is lost, doubled or altered."""

import ast
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.rules import CloseBets, Settlement, SetWagers
from openfelt.storage.codec import Codec, read_json
from openfelt.storage.postgres import PostgresStore
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import ChangeDealer, ReopenBets, TakeBank
from tests.independent.money import Wrong, check_aggregates
from tests.independent.record import Look, Violation, check_record
from tests.kit.aggregate_rounds import aggregate_round
from tests.kit.audit.audited_floors import five_houses, tamper
from tests.kit.audit.forgeries import rehash
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Shift
from tests.kit.postgres_server import PostgresServer
from tests.kit.repository import ROOT

FOLDER = ROOT / "tests" / "independent"
ONE_MORE_COLLECTION = "UPDATE transfers SET cents = cents + 100 WHERE clause = 'R.31'"
DOUBLED = """
    INSERT INTO transfers
    SELECT 99999, stream, version, at_ms, debit, credit, cents, reason, round, clause, note
    FROM transfers WHERE number = 7
"""


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor of all houses, which stays as it is."""
    path = tmp_path_factory.mktemp("floor") / "felt.db"
    five_houses(path).store.close()
    return path


@pytest.fixture
def copy(finished: Path, tmp_path: Path) -> Path:
    """A copy of the floor for one test."""
    return Path(shutil.copy(finished, tmp_path / "felt.db"))


def test_it_imports_nothing_of_ours() -> None:
    own = ("money", "cage_money", "chip_money", "feeds", "record", "accountant", "journal")
    for name in (*(f"{of}.py" for of in own), "__main__.py"):
        tree = ast.parse((FOLDER / name).read_text("utf-8"))
        imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
        modules = {alias.name for node in imports for alias in node.names}
        modules |= {
            node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        }
        ours = {module for module in modules if module.startswith(("openfelt", "tests"))}
        assert ours <= {f"tests.independent.{of}" for of in own}, name


def test_a_floor_of_all_houses_holds(finished: Path) -> None:
    look = check_record(finished)
    assert look.events > 500
    assert look.transfers > 200
    assert check_record(finished, before=look) == look


def test_a_floor_on_a_database_server_holds(postgres: PostgresServer, tmp_path: Path) -> None:
    database = postgres.fresh_database()
    with closing(PostgresStore(database)) as store:
        five_houses(tmp_path / "unused.db", store=store)
    assert check_record(database).events > 500


def test_a_collection_that_goes_back_with_reopened_bets_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "felt.db"
    shift = Shift(path)
    desk = shift.open_table("california").do(ChangeDealer("dan"), "dan")
    desk.sit("ann", 1, 500).sit("bob", 2, 500).do(TakeBank(1, 20_000), "ann")
    desk.do(SetWagers(spot_of("2.1"), wagers_of("ante 10")), "bob").do(CloseBets(), "dan")
    desk.do(ReopenBets(), "eve").do(CloseBets(), "dan")
    shift.close()
    check_record(path)
    tamper(path, ONE_MORE_COLLECTION)
    with pytest.raises(Violation, match="moved"):
        check_record(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE balances SET cents = cents + 1 WHERE account = 'wallet:net-1-p1'",
        "UPDATE balances SET cents = -cents WHERE account = 'tips:dealer-arena-2'",
        "DELETE FROM balances WHERE account = 'cash'",
        "UPDATE transfers SET cents = cents + 1 WHERE number = 7",
        "UPDATE transfers SET credit = 'house:net-1' WHERE number = 7",
        "UPDATE transfers SET version = version + 1 WHERE number = 7",
        "DELETE FROM transfers WHERE number = 7",
        DOUBLED,
        "UPDATE events SET body = replace(body, '100000', '100001') WHERE name = 'bought_in'",
        "UPDATE events SET actor = 'player:mallory' WHERE stream = 'table/net-1' AND version = 3",
        "UPDATE events SET at_ms = at_ms - 1 WHERE stream = 'table/net-1' AND version = 3",
        "DELETE FROM events WHERE stream = 'table/net-1' AND version = 3",
        "DELETE FROM events WHERE stream = 'wallet/net-1-p1'",
        "UPDATE streams SET version = version - 1 WHERE name = 'table/net-1'",
        "UPDATE streams SET hash = upper(hash) WHERE name = 'table/net-1'",
    ],
)
def test_an_alteration_is_found(copy: Path, statement: str) -> None:
    tamper(copy, statement)
    with pytest.raises(Violation):
        check_record(copy)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("bought_in", '"cents":100000', '"cents":100001'),
        ("wagers_set", '"cents":500', '"cents":600'),
        ("round_settled", '"payout_cents":0', '"payout_cents":1'),
        ("round_opened", '"cover_cents":5000', '"cover_cents":4999'),
        ("link_round_counted", '"wagered_cents":200', '"wagered_cents":100'),
    ],
)
def test_an_event_that_moves_other_money_is_found_under_a_correct_chain(
    copy: Path, name: str, old: str, new: str
) -> None:
    tamper(copy, f"UPDATE events SET body = replace(body, '{old}', '{new}') WHERE name = '{name}'")
    tamper_chain(copy)
    with pytest.raises(Violation) as violation:
        check_record(copy)
    assert "hash" not in str(violation.value)
    assert "chain" not in str(violation.value)


def tamper_chain(path: Path) -> None:
    """Compute all chains anew, as a forger does."""
    with closing(sqlite3.connect(path)) as connection:
        for (stream,) in connection.execute("SELECT name FROM streams").fetchall():
            rehash(connection, stream)
        connection.commit()


def test_what_was_told_and_is_lost_or_changed_is_found(copy: Path) -> None:
    told = answers_of(copy)
    check_record(copy, told)
    lost = told[5] | {"id": "lost"}
    other = told[5] | {"version": told[5]["version"] + 1}
    carried_out = told[5] | {"refused": "below_minimum"}
    for wrong in (lost, other, carried_out):
        with pytest.raises(Violation):
            check_record(copy, [*told[:5], *told[6:], wrong])
    busy = [told[5] | {"refused": "stopped", "version": 0}, told[5]]
    check_record(copy, [*told, *busy])


def answers_of(path: Path) -> list[dict[str, Any]]:
    """What the callers of a floor were told."""
    statement = "SELECT stream, actor, command, version FROM events WHERE digest <> ''"
    with closing(sqlite3.connect(path)) as connection:
        return [
            {"stream": stream, "actor": actor, "id": command, "version": version, "refused": None}
            for stream, actor, command, version in connection.execute(statement)
        ]


def test_a_card_that_was_exchanged_since_the_last_look_is_found(copy: Path) -> None:
    before = check_record(copy)
    tamper(copy, "UPDATE secrets SET body = 'other' WHERE rowid = 1")
    with pytest.raises(Violation, match="secret"):
        check_record(copy, before=before)


def test_a_record_that_does_not_continue_the_last_look_is_found(copy: Path) -> None:
    before = check_record(copy)
    version, _ = before.heads["table/net-1"]
    rewritten = Look(heads={"table/net-1": (version, "f" * 64)})
    with pytest.raises(Violation, match="table/net-1 had"):
        check_record(copy, before=rewritten)
    with closing(SqliteStore(copy)) as store:
        assert store.head("table/net-1").version == version


@pytest.mark.clause("R.36")
@pytest.mark.parametrize("wrong_cents", [0, 1, -1])
def test_a_payout_beyond_its_aggregate_is_found(wrong_cents: int) -> None:
    felt = aggregate_round()
    codec = Codec(load_house)
    plain = codec.to_plain(Settlement, felt.settlement)
    rules = read_json(codec.house_to_json(felt.state.house))
    cut = next(line for line in plain["lines"] if line.get("over_aggregate_cents"))
    cut["payout_cents"] += wrong_cents
    cut["over_aggregate_cents"] -= wrong_cents
    day = felt.state.opened.day.isoformat()
    if wrong_cents:
        with pytest.raises(Wrong):
            check_aggregates(plain["lines"], rules, day)
    else:
        check_aggregates(plain["lines"], rules, day)
        with pytest.raises(Wrong):
            check_aggregates(plain["lines"], rules, "2010-01-01")
