"""The published paytables as the laboratory has typed them, and what they pay."""

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from tests.laboratory.referee_sheet import HERE

_WRITTEN = tomllib.loads((HERE / "paytables.toml").read_text(encoding="utf-8"))

Rows = Mapping[str, str]


def table_of(wager: str, name: str) -> Rows:
    """The rows of one table from the best hand down, without its empty cells."""
    columns = _WRITTEN[wager]
    rows = zip(columns["hands"], columns[name], strict=True)
    return {hand: pays for hand, pays in rows if pays}


TABLES: dict[str, dict[str, Rows]] = {
    wager: {name: table_of(wager, name) for name in columns if name != "hands"}
    for wager, columns in _WRITTEN.items()
}


@cache
def odds_of(pays: str) -> tuple[int, int]:
    """``"3 to 2"`` as the amount won and the stake that wins it."""
    won, staked = pays.split(" to ")
    return int(won), int(staked)


def rounded_down(amount: Fraction, unit_cents: int) -> int:
    """An amount in whole units of the house, in cents (ruling 15)."""
    return int(amount // unit_cents) * unit_cents


def payout(stake_cents: int, pays: str, unit_cents: int) -> int:
    """What odds pay on top of a stake."""
    won, staked = odds_of(pays)
    return stake_cents * won // (staked * unit_cents) * unit_cents
