"""What a player has used of the limits, read while the player plays on at another table."""

from collections.abc import Iterator
from typing import Any

import pytest

from openfelt.ledger import Account, AccountKind
from openfelt.ledger.play_limits import LimitKind, LimitPeriod, LimitSide
from openfelt.rules import CloseBets, SetWagers
from openfelt.runtime.cage.protection.player_use import PlayerUse
from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.door import Unavailable
from tests.kit.cages import Cage
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Shift

DAY = LimitPeriod.DAY
AWAY = Unavailable("The database server cannot be reached.")


def test_a_round_that_ends_while_it_is_read_counts_in_full(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Play wager and its settlement are written between two reads of another table's check."""
    desk = shift.beside().open_table("online", name="table-2").sit("ann", 1, 500)
    book, now_ms = shift.worker_services.people.limits, shift.clock.wall_ms()
    book.set_limit(
        "ann", side=LimitSide.OWN, kind=LimitKind.LOSS, period=DAY, most=90_000, by="ann", id="1"
    )
    balance_of, raises = shift.store.balance, False

    def balance(account: Account) -> int:
        nonlocal raises
        if raises:
            raises = False
            desk.choose("ann", "1.1", "4x")
        return balance_of(account)

    monkeypatch.setattr(shift.store, "balance", balance)
    shift.clock.pass_ms(1_000)
    lost = []
    for _ in range(6):
        before = PlayerUse(shift.store, "ann", book.at_risk)
        before.read(now_ms)
        desk.do(SetWagers(spot_of("1.1"), wagers_of("ante 10")), "ann").do(CloseBets(), "ann")
        raises = True
        use, limits = PlayerUse(shift.store, "ann", book.at_risk), book.reload("ann").limits
        use.read(now_ms)
        counted = use.lost_cents(DAY, now_ms) + use.reserved_cents(limits, besides="table-1")
        assert not raises
        use.read(now_ms)
        assert counted >= use.lost_cents(DAY, now_ms)
        lost.append(use.lost_cents(DAY, now_ms) - before.lost_cents(DAY, now_ms))
    assert 6_000 in lost


def test_a_deposit_counts_although_the_store_fails_while_it_is_read(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    cage, transfers = Cage(shift.store, shift.clock), shift.store.transfers
    use, now_ms = PlayerUse(shift.store, "ann", lambda *_: 0), shift.clock.wall_ms()
    use.read(now_ms)
    cage.cashier.deposit("bob", 3_000, id="d")
    cage.vouchers.redeem(cage.issue("bob", 3_000, id="v"), "ann", id="r")

    def failing(*, account: Account, **rest: Any) -> Iterator[StoredTransfer]:
        if account.kind is AccountKind.VOUCHER:
            raise AWAY
        return transfers(account=account, **rest)

    with monkeypatch.context() as patch:
        patch.setattr(shift.store, "transfers", failing)
        with pytest.raises(Unavailable):
            use.read(now_ms)
    use.read(now_ms)
    assert use.deposited_cents(DAY, now_ms) == 3_000


def test_playing_time_counts_although_the_store_fails_while_it_is_read(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    use = PlayerUse(shift.store, "ann", lambda *_: 0)
    use.read(shift.clock.wall_ms())
    for _ in range(2):
        desk.bet("ann", "1.1", "ante 10")
        desk.do(CloseBets(), "ann").void()
        shift.clock.pass_ms(60_000)
    now_ms = shift.clock.wall_ms()

    def failing(account: Account) -> int:
        raise AWAY

    with monkeypatch.context() as patch:
        patch.setattr(shift.store, "balance", failing)
        with pytest.raises(Unavailable):
            use.read(now_ms)
    use.read(now_ms)
    undisturbed = PlayerUse(shift.store, "ann", lambda *_: 0)
    undisturbed.read(now_ms)
    assert use.played_ms(DAY, now_ms) == undisturbed.played_ms(DAY, now_ms) == 60_000
