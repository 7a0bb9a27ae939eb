"""The names of accounts."""

import pytest

from openfelt.server.accounts.names import check_account_name, is_account_name
from openfelt.server.errors import Denied


@pytest.mark.parametrize("name", ["ann", "a", "0", "ann.b", "ann@felt", "a" * 32])
def test_valid_account_names(name: str) -> None:
    check_account_name(name)


@pytest.mark.parametrize(
    "name", ["", "Ann", "a" * 33, "-ann", "ann b", "anné", "a/b", "a:b", "guest-1", "openfelt"]
)
def test_refused_account_names(name: str) -> None:
    with pytest.raises(Denied):
        check_account_name(name)
    assert is_account_name(name) == (name in ("guest-1", "openfelt"))
