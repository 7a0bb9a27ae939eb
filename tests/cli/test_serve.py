"""``openfelt serve``: what it says, and what it refuses to do."""

import io
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from openfelt.cli import main
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.serve import print_welcome, shown_database
from openfelt.runtime.clock import SystemClock
from openfelt.server.accounts.accounts import Accounts
from openfelt.server.accounts.events import SecondFactorSet, SessionOpened
from openfelt.server.process.listener import bind
from openfelt.server.settings import Settings
from openfelt.storage.addresses import open_store
from tests.kit.cli.commands import complaint, output
from tests.kit.server.open_house import SUPERVISOR
from tests.kit.server.own_logging import own_logging
from tests.kit.server.real_server import free_port, server_process


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    with own_logging():
        yield


def test_a_port_in_use_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with bind("127.0.0.1", 0) as taken:
        taken.listen()
        port = str(taken.getsockname()[1])
        database = str(tmp_path / "felt.db")
        text, code = complaint(capsys, "serve", "--database", database, "--port", port)
    assert f"Port {port} is in use by another program. Try: openfelt serve --port" in text
    assert code == ExitCode.FAILED
    assert not (tmp_path / "felt.db").exists()


@pytest.mark.parametrize("action", [(), ("--set-password", "ann")])
@pytest.mark.parametrize("by_variable", [False, True])
def test_a_folder_that_does_not_exist_is_refused_and_not_made(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    action: tuple[str, ...],
    by_variable: bool,
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("a long password of ann\n"))
    file = tmp_path / "missing" / "felt.db"
    where = ("--port", str(free_port()), *action)
    if by_variable:
        monkeypatch.setenv("OPENFELT_DATABASE", str(file))
    else:
        where = ("--database", str(file), *where)
    text, code = complaint(capsys, "serve", *where)
    assert f"There is no folder {file.parent}" in text
    assert code == ExitCode.WRONG_INPUT
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_an_address_that_others_reach_needs_a_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], host: str
) -> None:
    where = ("--database", str(tmp_path / "felt.db"), "--port", str(free_port()))
    text, code = complaint(capsys, "serve", "--host", host, *where)
    assert f"openfelt serve --host {host} --allow-host NAME" in text
    assert code == ExitCode.WRONG_INPUT
    assert not (tmp_path / "felt.db").exists()


def test_a_password_that_is_too_easy_is_reported_and_not_set(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("--database", str(tmp_path / "felt.db"), "--port", str(free_port()))
    monkeypatch.setenv("OPENFELT_SUPERVISOR_PASSWORD", "short")
    text, code = complaint(capsys, "serve", *where)
    assert text.splitlines()[-1] == (
        "openfelt: The password given for supervisor is refused: "
        "A password must have 12 to 128 characters."
    )
    assert code == ExitCode.WRONG_INPUT


def test_a_password_is_read_from_the_input(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("serve", "--database", str(tmp_path / "felt.db"), "--set-password", "eve")
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    assert "eve is the supervisor now" in output(capsys, *asked)
    monkeypatch.setattr("sys.stdin", io.StringIO("another horse battery\n"))
    assert "All sessions of this account have ended." in output(capsys, *asked)
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    text, code = complaint(capsys, *asked)
    assert "A password must have 8 to 128 characters." in text
    assert code == ExitCode.WRONG_INPUT
    monkeypatch.setattr("sys.stdin", io.StringIO("k7wq-2mfz\n"))
    text, code = complaint(capsys, *asked)
    assert "A password must have 12 to 128 characters." in text


def test_a_lost_second_factor_is_removed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = ("--database", str(tmp_path / "felt.db"))
    monkeypatch.setattr("sys.stdin", io.StringIO("correct horse battery\n"))
    output(capsys, "serve", *where, "--set-password", "eve")
    text, code = complaint(capsys, "serve", *where, "--reset-second-factor", "eve")
    assert "This account has no second factor." in text
    assert code == ExitCode.WRONG_INPUT
    with closing(open_store(str(tmp_path / "felt.db"))) as store:
        accounts = Accounts(store, SystemClock())
        accounts.change("eve", lambda _: ((SecondFactorSet(1), SessionOpened("s", 1)), ()))
        assert "is removed" in output(capsys, "serve", *where, "--reset-second-factor", "eve")
        account = accounts.get("eve", fresh=True)
        assert account is not None
        assert (account.second_factor, account.sessions) == (0, {})


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--log", "loud"), "json or plain"),
        (("--port", "0"), "Invalid value for '--port'"),
        (("--lease", "1"), "Invalid value for '--lease'"),
        (("--lease", "31"), "Invalid value for '--lease'"),
        (("--houses", "no-such-folder"), "is not a folder of houses"),
        (("--database", "mysql://host/felt"), "There is no store of the kind mysql"),
    ],
)
def test_wrong_options_are_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], expected: str
) -> None:
    usual = ("--database", str(tmp_path / "felt.db"), "--port", str(free_port()))
    text, _ = complaint(capsys, "serve", *usual, *arguments)
    assert expected in text


@pytest.mark.parametrize(
    ("arguments", "variables", "expected"),
    [
        ((), {}, None),
        (("--lease", "2"), {}, 2_000),
        ((), {"OPENFELT_LEASE": "30"}, 30_000),
        (("--lease", "7"), {"OPENFELT_LEASE": "9"}, 7_000),
    ],
)
def test_the_time_of_a_lease_is_an_option(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    arguments: tuple[str, ...],
    variables: dict[str, str],
    expected: int | None,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    served: list[Settings] = []
    monkeypatch.setattr("openfelt.cli.serve.run", served.append)
    with pytest.raises(SystemExit):
        main(("serve", "--database", str(tmp_path / "felt.db"), *arguments))
    assert [settings.cluster.lease_ms for settings in served] == [expected]


def test_the_welcome_says_what_to_try(capsys: pytest.CaptureFixture[str]) -> None:
    print_welcome(Settings(database="felt.db"))
    text = capsys.readouterr().out
    assert "http://127.0.0.1:8080" in text
    assert "Things to try" in text
    assert "password" not in text
    print_welcome(Settings(database="felt.db"), "k3fq-7xwd-m2hp-9tzr")
    assert "password  k3fq-7xwd-m2hp-9tzr" in capsys.readouterr().out
    print_welcome(Settings(database="postgresql://a:secret@b/c", host="::", starter=False))
    text = capsys.readouterr().out
    assert "http://[::1]:8080" in text
    assert "Things to try" not in text
    assert "secret" not in text
    assert shown_database("sqlite:///felt.db") == "felt.db"


@pytest.mark.slow
def test_a_server_says_where_it_is_and_closes_in_order(tmp_path: Path) -> None:
    port = free_port()
    with server_process(tmp_path, port, "--log", "json") as server:
        assert server.end() == 0
    text = (tmp_path / "server.log").read_text()
    assert f"Openfelt is open at http://127.0.0.1:{port}" in text
    assert "Closed." in text
    logged = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    assert {line["level"] for line in logged} == {"info"}
    expected = [line for line in logged if line["logger"] == "openfelt.server.process.listener"]
    assert [line["message"] for line in expected] == [
        "the server is open",
        "the server is closing",
        "the server has closed",
    ]
    assert (expected[0]["host"], expected[0]["port"]) == ("127.0.0.1", port)
    for name in ("felt.db", "felt.db.lock", "felt.db.notary.key"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0


def test_the_options_of_the_cage_reach_its_endpoints(tmp_path: Path) -> None:
    options = ("--vouchers", "--voucher-days", "7", "--payout-limit", "50")
    with (
        server_process(tmp_path, free_port(), *options) as server,
        httpx.Client(base_url=server.address, headers={"Origin": server.address}) as guest,
    ):
        assert guest.post("/api/v1/guest").json()["vouchers"]
        voucher = guest.post("/api/v1/vouchers", json={"id": "1"}).json()["voucher"]
        assert voucher["expires_ms"] // 1000 == voucher["issued_ms"] // 1000 + 7 * 86_400
        guest.post("/api/v1/sign-in", json=SUPERVISOR)
        assert guest.get("/api/v1/cage").json()["limit_cents"] == 5_000
