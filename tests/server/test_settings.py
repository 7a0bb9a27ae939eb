"""Settings: which servers are local, and their host names."""

from pathlib import Path

import pytest

from openfelt.server.settings import Settings, SettingsError, is_loopback


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.1.2.3", True),
        ("::1", True),
        ("localhost", True),
        ("LOCALHOST", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("felt.example", False),
        ("localhost.evil.example", False),
        ("", False),
    ],
)
def test_what_is_local(host: str, *, local: bool) -> None:
    assert is_loopback(host) is local
    assert Settings(database="x", host=host).local is local


@pytest.mark.parametrize(
    ("names", "local"),
    [
        ((), True),
        (("localhost", "127.0.0.1", "::1"), True),
        (("felt.example",), False),
        (("localhost", "felt.example"), False),
        (("10.0.0.1",), False),
    ],
)
def test_a_host_name_of_another_machine_is_not_local(
    names: tuple[str, ...], *, local: bool
) -> None:
    assert Settings(database="x", hosts=frozenset(names)).local is local
    assert not Settings(database="x", host="0.0.0.0", hosts=frozenset(names)).local


def test_the_names_of_a_server() -> None:
    assert Settings(database="x").host_names == {"localhost", "127.0.0.1", "::1"}
    named = Settings(database="x", host="0.0.0.0", hosts=frozenset({"felt.example"}))
    assert "felt.example" in named.host_names
    assert "evil.example" not in named.host_names


def test_no_secret_is_printed() -> None:
    settings = Settings(database="x", supervisor_password="a secret one", houses=Path("houses"))
    assert "a secret one" not in repr(settings)


def test_an_address_that_others_reach_needs_a_name() -> None:
    Settings(database="x").check()
    Settings(database="x", host="0.0.0.0", hosts=frozenset({"felt.example"})).check()
    for host in ("0.0.0.0", "::", "10.0.0.1", "felt.example"):
        with pytest.raises(SettingsError, match="--allow-host NAME"):
            Settings(database="x", host=host).check()


def test_staff_need_a_second_factor_where_others_reach_the_server() -> None:
    hosts = frozenset({"felt.example"})
    assert not Settings(database="x").second_factor_required
    assert Settings(database="x", hosts=hosts).second_factor_required
    assert Settings(database="x", second_factor=True).second_factor_required
    assert not Settings(database="x", hosts=hosts, second_factor=False).second_factor_required
