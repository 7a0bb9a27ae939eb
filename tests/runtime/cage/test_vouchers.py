"""Vouchers: paid once wherever they are used, and never to be read from the database."""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest

from openfelt.ledger import AccountKind, Reason
from openfelt.ledger.vouchers import UNCLAIMED, VoucherState
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Refusal
from openfelt.runtime.audit import audit
from openfelt.runtime.cage.vouchers import Liability
from openfelt.runtime.clock import DAY_MS, SystemClock
from openfelt.storage.door import Unavailable, Unknown
from tests.kit.cages import Cage
from tests.kit.floors import Shift
from tests.kit.storage.store_places import Place

UNKNOWN_CODE = "0000-0000-0000-0001"


@pytest.fixture
def cage(shift: Shift) -> Cage:
    """A cage in which Ann has a hundred dollars."""
    cage = Cage(shift.store, shift.clock)
    cage.cashier.deposit("ann", 10_000, id="deposit")
    return cage


def refused(act: Callable[[], object], code: str) -> Refusal:
    """Check that an action is refused with this code."""
    with pytest.raises(Refusal) as caught:
        act()
    assert caught.value.code == code
    return caught.value


# Once ------------------------------------------------------------------------------


def test_a_voucher_goes_from_one_wallet_to_another(shift: Shift, cage: Cage) -> None:
    code = cage.issue("ann", 4_000, id="1")
    assert shift.cents("wallet:ann") == 6_000
    assert cage.vouchers.liability() == Liability(1, 4_000)
    voucher = cage.vouchers.redeem(code, "bob", id="r")
    assert (voucher.state, voucher.to) == (VoucherState.REDEEMED, "wallet:bob")
    assert (shift.cents("wallet:bob"), cage.vouchers.liability()) == (4_000, Liability(0, 0))
    assert audit(shift.store).clean
    cage.by_kind()


def test_without_an_amount_the_whole_wallet_goes(shift: Shift, cage: Cage) -> None:
    assert cage.vouchers.issue("ann", None, id="1").voucher.cents == 10_000
    assert shift.cents("wallet:ann") == 0
    refused(lambda: cage.vouchers.issue("ann", None, id="2"), "wallet_empty")


def test_a_repeated_press_gives_the_same_voucher(shift: Shift, cage: Cage) -> None:
    first = cage.vouchers.issue("ann", None, id="1")
    beside = Cage(shift.beside().store, shift.clock)
    assert beside.vouchers.issue("ann", None, id="1") == first
    assert cage.vouchers.liability() == Liability(1, 10_000)
    refused(lambda: cage.vouchers.issue("ann", 500, id="1"), "id_reused")
    used = cage.vouchers.redeem(first.code or "", "bob", id="2")
    assert beside.vouchers.redeem(first.code or "", "bob", id="2") == used
    assert shift.cents("wallet:bob") == 10_000
    # The code of a voucher that is used is not told again.
    assert cage.vouchers.issue("ann", None, id="1").code is None


def test_a_used_voucher_is_refused_everywhere(shift: Shift, cage: Cage) -> None:
    code = cage.issue("ann", None, id="1")
    cage.vouchers.redeem(code, "bob", id="r")
    for player, command in (("bob", "2"), ("ann", "3"), ("bob", "2")):
        refused(partial(cage.vouchers.redeem, code, player, id=command), "voucher_used")
    assert shift.cents("wallet:bob") == 10_000


@pytest.mark.parametrize("code", [UNKNOWN_CODE, "", "nonsense", UNKNOWN_CODE.replace("1", "2")])
def test_an_unknown_code_is_refused(cage: Cage, code: str) -> None:
    cage.issue("ann", 100, id="1")
    refused(lambda: cage.vouchers.redeem(code, "bob", id="r"), "voucher_unknown")
    refused(lambda: cage.vouchers.find(code), "voucher_unknown")


def test_a_wallet_that_holds_less_gives_no_voucher(shift: Shift, cage: Cage) -> None:
    short = refused(lambda: cage.vouchers.issue("ann", 10_001, id="1"), "wallet_short")
    assert short.sentence == "The wallet holds $100.00."
    cage.cashier.deposit("ann", 5_000, id="more")
    # The same press again is refused again: its sender has read that it was.
    refused(lambda: cage.vouchers.issue("ann", 10_001, id="1"), "wallet_short")
    assert cage.vouchers.liability() == Liability(0, 0)
    for cents in (0, -1, True, 10**18):
        refused(partial(cage.vouchers.issue, "ann", cents, id="2"), "malformed")


def test_a_wallet_that_holds_more_than_any_voucher(shift: Shift, cage: Cage) -> None:
    cage.cashier.deposit("ann", AMOUNT_MAX_CENTS, id="more")
    for _ in range(2):
        # The same press again is refused in the same way.
        refused(lambda: cage.vouchers.issue("ann", None, id="1"), "malformed")
    assert shift.cents("wallet:ann") == AMOUNT_MAX_CENTS + 10_000


def test_a_wallet_that_is_emptied_meanwhile(shift: Shift, cage: Cage) -> None:
    beside = Cage(shift.beside().store, shift.clock)
    cage.vouchers.issue("ann", 1_000, id="first")
    shift.store.meanwhile.append(lambda: beside.cashier.withdraw("ann", 8_000, id="out"))
    refused(lambda: cage.vouchers.issue("ann", 9_000, id="2"), "wallet_short")
    cage.by_kind()


# Faults ----------------------------------------------------------------------------


def test_a_lost_answer_pays_once(shift: Shift, cage: Cage) -> None:
    shift.store.loses_answer = True
    with pytest.raises(Unknown):
        cage.vouchers.issue("ann", None, id="1")
    # What was lost may have been the making of the key, so the press is repeated until it is told.
    code = cage.issue("ann", None, id="1")
    shift.store.loses_answer = True
    with pytest.raises(Unknown):
        cage.vouchers.redeem(code, "bob", id="2")
    assert cage.vouchers.redeem(code, "bob", id="2").state is VoucherState.REDEEMED
    assert (shift.cents("wallet:ann"), shift.cents("wallet:bob")) == (0, 10_000)


def test_a_full_disk_changes_nothing(shift: Shift, cage: Cage) -> None:
    code = cage.issue("ann", 400, id="1")
    shift.store.full = True
    with pytest.raises(Unavailable):
        cage.vouchers.redeem(code, "bob", id="2")
    shift.store.full = False
    assert cage.vouchers.find(code).state is VoucherState.OPEN
    cage.vouchers.redeem(code, "bob", id="2")
    assert shift.cents("wallet:bob") == 400


# Expiry ----------------------------------------------------------------------------


def test_a_voucher_expires_by_a_transfer_with_a_reason(shift: Shift, cage: Cage) -> None:
    early, late = cage.issue("ann", 400, id="1"), ""
    shift.clock.pass_ms(DAY_MS)
    late = cage.issue("ann", 600, id="2")
    assert cage.vouchers.expire_due() == 0
    shift.clock.pass_ms(89 * DAY_MS)
    # Its time is over, whether or not the chore has come by.
    refused(lambda: cage.vouchers.redeem(early, "bob", id="3"), "voucher_expired")
    assert cage.vouchers.expire_due() == 1
    assert cage.vouchers.expire_due() == 0
    assert shift.store.balance(UNCLAIMED) == 400
    assert list(shift.store.transfers())[-1].transfer.reason is Reason.VOUCHER_EXPIRED
    refused(lambda: cage.vouchers.redeem(early, "bob", id="4"), "voucher_expired")
    assert cage.vouchers.redeem(late, "bob", id="5").cents == 600
    assert audit(shift.store).clean


def test_a_voucher_that_is_used_as_it_expires_does_one_of_both(shift: Shift, cage: Cage) -> None:
    code = cage.issue("ann", 400, id="1")
    shift.clock.pass_ms(90 * DAY_MS - 1)
    beside = Cage(shift.beside().store, shift.clock)

    def expire() -> None:
        shift.clock.pass_ms(1)
        assert beside.vouchers.expire_due() == 1

    shift.store.meanwhile.append(expire)
    refused(lambda: cage.vouchers.redeem(code, "bob", id="2"), "voucher_expired")
    assert (shift.cents("wallet:bob"), shift.store.balance(UNCLAIMED)) == (0, 400)


# Secrecy ---------------------------------------------------------------------------


def test_no_code_is_in_the_database(shift: Shift, cage: Cage) -> None:
    codes = [cage.issue("ann", 100, id=str(number)) for number in range(5)]
    cage.vouchers.redeem(codes[0], "bob", id="r")
    stored = b"".join(file.read_bytes() for file in shift.path.parent.glob("felt.db*"))
    assert b"voucher_issued" in stored
    for code in codes:
        for form in (code, code.replace("-", "")):
            assert form.encode() not in stored


def test_the_key_of_codes_is_encrypted(shift: Shift, cage: Cage) -> None:
    cage.issue("ann", 100, id="1")
    (name,) = shift.store.secret_names("voucher_keys/house")
    key = shift.store.secret("voucher_keys/house", name)
    assert key is not None
    stored = b"".join(file.read_bytes() for file in shift.path.parent.glob("felt.db*"))
    assert key.encode() not in stored


# Races -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "vouchers", [40, pytest.param(10_000, marks=pytest.mark.sweep)], ids=["some", "ten-thousand"]
)
def test_vouchers_that_are_used_in_many_places_at_once_pay_once(
    place: Place, vouchers: int
) -> None:
    """Every code is used at six places, in an order of their own; two of them are windows."""
    cages = [Cage(place.open(), SystemClock()) for _ in range(6)]
    head = cages[0]
    head.cashier.deposit("ann", 100 * vouchers, id="deposit")
    codes = [head.issue("ann", 100, id=str(number)) for number in range(vouchers)]
    for window in (4, 5):
        count = {100 * vouchers: 1}
        cages[window].drawers.open(f"window-{window}", count, by=f"cal-{window}", id="open")

    def use(number: int) -> int:
        cage, order = cages[number], random.Random(number)
        paid = 0
        for code in order.sample(codes, len(codes)):
            command = f"{number} {code[:9]}"
            try:
                if number < 4:
                    cage.vouchers.redeem(code, f"player-{number}", id=command)
                else:
                    window, by = f"window-{number}", f"cal-{number}"
                    cage.drawers.cash_voucher(window, code, by=by, id=command)
                paid += 1
            except Refusal as refusal:
                if refusal.code != "voucher_used":
                    raise
        return paid

    with ThreadPoolExecutor(6) as threads:
        paid = list(threads.map(use, range(6)))
    assert sum(paid) == vouchers
    assert head.vouchers.liability() == Liability(0, 0)
    sums = head.by_kind()
    assert sums[AccountKind.WALLET] == 100 * sum(paid[:4])
    for window in (4, 5):
        cashed = cages[window].drawers.get(f"window-{window}").sums.vouchers_cashed
        assert cashed == 100 * paid[window]
    assert audit(head.store).clean
