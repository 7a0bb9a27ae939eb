"""``openfelt ledger``."""

import csv
import io
from pathlib import Path

import pytest

from openfelt.ledger import Account
from openfelt.money import format_cents
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import AccountOpened, AccountRole
from openfelt.server.accounts.sign_in import guest_account
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import DAY_MS, Floor, five_houses, tamper
from tests.kit.cli.commands import complaint, facts, output, with_findings


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor of two days."""
    floor = five_houses(tmp_path_factory.mktemp("ledger") / "floor.db")
    floor.clock.now_ms += DAY_MS
    floor.play("net-1")
    floor.cashier.deposit("ann", 12_345, id="second day", note="by card, at the desk")
    floor.store.close()
    return floor.path


def balance(path: Path, name: str) -> int:
    store = SqliteStore(path)
    found = store.balance(Account.parse(name))
    store.close()
    return found


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_no_note_is_a_formula_in_a_spreadsheet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path / "floor.db")
    notes = ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(A1)", "by card"]
    for number, note in enumerate(notes):
        floor.cashier.deposit("ann", 100, id=f"{number}", note=note)
    floor.store.close()
    told = rows(output(capsys, *CSV, str(floor.path), "--account", "wallet:ann"))
    assert [row["note"] for row in told] == [*(f"'{note}" for note in notes[:4]), "by card"]
    assert [row["change_cents"] for row in told] == ["100"] * 5


# The trial balance -------------------------------------------------------------------


def test_the_trial_balance_by_kind(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, "ledger", str(path))
    assert told.splitlines()[-1] == "The book balances."
    machine = facts(capsys, "ledger", str(path))
    assert machine["total_cents"] == 0
    assert machine["balanced"] is True
    for kind, cents in machine["by_kind_cents"].items():
        assert any(line.split() == [kind, format_cents(cents)] for line in told.splitlines())
    table = {row["kind"]: int(row["cents"]) for row in rows(output(capsys, *CSV, str(path)))}
    assert table == machine["by_kind_cents"] | {"total": 0}


CSV = ("ledger", "--csv")


def test_a_book_that_does_not_balance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("ann", 500, id="1")
    floor.store.close()
    tamper(floor.path, "UPDATE balances SET cents = -1 WHERE account = 'wallet:ann'")
    told = with_findings(capsys, "ledger", str(floor.path))
    assert "wallet:ann is overdrawn." in told
    assert "The book does not balance." in told
    assert "Off by" in with_findings(capsys, "ledger", str(floor.path), "--day", "2026-01-01")
    with_findings(capsys, "ledger", str(floor.path), "--account", "wallet:ann")


# A statement -------------------------------------------------------------------------


def test_a_statement_has_the_balance_after_each_line(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "credit:net-1/net-1-p1"
    lines = facts(capsys, "ledger", str(path), "--account", name)["lines"]
    held = 0
    for line in lines:
        held += line["change_cents"]
        assert line["balance_cents"] == held
    assert held == balance(path, name)
    assert lines[0]["reason"] == "buy_in"
    assert lines[0]["other_account"] == "wallet:net-1-p1"
    table = rows(output(capsys, *CSV, str(path), "--account", name))
    assert [int(row["balance_cents"]) for row in table] == [one["balance_cents"] for one in lines]
    text = output(capsys, "ledger", str(path), "--account", name).splitlines()
    assert len(text) == len(lines) + 2
    assert text[-1] == f"Balance: {format_cents(held)}"


def test_a_note_with_a_comma_stays_one_field(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = rows(output(capsys, *CSV, str(path), "--account", "wallet:ann"))
    assert line["note"] == "by card, at the desk"
    assert line["change_cents"] == "12345"
    assert line["time"].startswith("2026-01-02T")


@pytest.mark.parametrize(
    "name", ["wallet:nobody", "wallet", "credit:net-1/nobody", "house:nowhere", "wagers:net-1/999"]
)
@pytest.mark.parametrize("form", [(), ("--csv",), ("--json",)])
def test_an_unknown_account_is_an_error(
    path: Path, capsys: pytest.CaptureFixture[str], name: str, form: tuple[str, ...]
) -> None:
    told, code = complaint(capsys, "ledger", str(path), "--account", name, *form)
    assert told == f"openfelt: There is no account {name}: no money has ever moved on it.\n"
    assert code == 2


def test_a_guest_who_signed_up_is_found_by_either_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.cashier.deposit("guest-1", 500, id="1")
    accounts = Accounts(floor.store, floor.clock)
    opened = AccountOpened(name="guest-1", role=AccountRole.PLAYER, guest=True)
    accounts.change("guest-1", lambda _: ((opened,), ()))
    both = guest_account("eve", guest="guest-1", hashed="a hash of a password")
    accounts.change_together(("eve", "guest-1"), both)
    empty = AccountOpened(name="dan", role=AccountRole.PLAYER)
    accounts.change("dan", lambda _: ((empty,), ()))
    floor.store.close()
    asked = ("ledger", str(floor.path), "--account")
    told = output(capsys, *asked, "wallet:eve").splitlines()
    assert (told[0], told[-1]) == ("wallet:eve is wallet:guest-1.", "Balance: $5.00")
    assert told[1:] == output(capsys, *asked, "wallet:guest-1").splitlines()
    found = facts(capsys, *asked, "wallet:eve")
    assert found["account"] == "wallet:guest-1"
    assert [line["balance_cents"] for line in found["lines"]] == [500]
    # An account that holds nothing yet is there; a seat that was never taken is not.
    assert output(capsys, *asked, "wallet:dan").endswith("Balance: $0.00\n")
    assert "There is no account" in complaint(capsys, *asked, "credit:net-1/eve")[0]


# A day -------------------------------------------------------------------------------


def test_a_day_closes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, "ledger", str(path), "--day", "2026-01-01")
    assert told.splitlines()[-1] == (
        "The day closes: opening, movements and closing agree everywhere."
    )
    for words in ("= Closing", "wallet:net-1-p1", "Handle", "wash-1", "+ Contributions", "main"):
        assert words in told
    assert "…" not in told


def test_two_days_meet(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (
        facts(capsys, "ledger", str(path), "--day", day) for day in ("2026-01-01", "2026-01-02")
    )
    assert first["reconciled"] is second["reconciled"] is True
    assert second["deposits_cents"] == 12_345
    assert first["withdrawals_cents"] == 20_000
    for name, account in second["accounts"].items():
        before = first["accounts"].get(name, {"closing_cents": 0})
        if name != "wagers":
            assert before["closing_cents"] == account["opening_cents"]
        assert account["difference_cents"] == 0
    assert second["accounts"]["wallet:ann"]["closing_cents"] == balance(path, "wallet:ann")
    assert set(second["tables"]) == {"net-1"}
    assert second["links"]["main"]["difference_cents"] == 0


def test_by_kind_adds_the_accounts_up(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = ("ledger", str(path), "--day", "2026-01-01")
    every = facts(capsys, *day)["accounts"]
    kinds = facts(capsys, *day, "--by", "kind")["accounts"]
    for kind, total in kinds.items():
        parts = [one for name, one in every.items() if name.partition(":")[0] == kind]
        assert total["closing_cents"] == sum(one["closing_cents"] for one in parts)
        assert total["in_cents"] == sum(one["in_cents"] for one in parts)
    assert "Kind" in output(capsys, *day, "--by", "kind")


def test_a_day_for_a_pivot_table(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    day = ("ledger", str(path), "--day", "2026-01-01")
    machine = facts(capsys, *day)
    table = {
        (row["section"], row["name"], row["item"]): int(row["value"])
        for row in rows(output(capsys, *day, "--csv"))
    }
    for name, one in machine["tables"].items():
        assert table["table", name, "wagered_cents"] == one["wagered_cents"]
    assert table["account", "cash", "closing_cents"] == -1_780_000
    assert table["reason", "deposit", "transfers"] == 12
    assert table["link", "main", "seeded_cents"] == 150_000


def test_a_day_on_which_nothing_happened(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for day in ("2025-06-30", "9999-12-31", "0001-01-01"):
        machine = facts(capsys, "ledger", str(path), "--day", day)
        assert machine["reconciled"] is True
        assert machine["reasons"] == {}
        output(capsys, "ledger", str(path), "--day", day)


# Wrong input -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--day", "yesterday"], "'yesterday' is not a date such as 2026-01-31."),
        (["--account", "piggybank:me"], "'piggybank:me' is not an account."),
        (["--account", "cash", "--day", "2026-01-01"], "Give --account or --day, not both."),
        (["--csv", "--json"], "Give --csv or --json, not both."),
    ],
)
def test_wrong_input(
    arguments: list[str], words: str, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told, code = complaint(capsys, "ledger", str(path), *arguments)
    assert words in told
    assert code == 2
