"""Accounts and their names."""

import pytest

from openfelt.ledger import Account, AccountKind


@pytest.mark.parametrize("kind", list(AccountKind))
def test_names_are_read_back(kind: AccountKind) -> None:
    for owner in ("", "alice", "table-7/3", "link:one"):
        assert Account.parse(str(Account(kind, owner))) == Account(kind, owner)


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="mattress"):
        Account.parse("mattress:alice")


def test_no_player_and_no_dealer_may_owe() -> None:
    owing = [kind.value for kind in AccountKind if kind.may_owe]
    assert owing == ["cash", "house", "reserve", "drawer", "tray", "chips"]
