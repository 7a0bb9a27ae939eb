"""The chips that each event of a table moves, as transfers of the ledger.

Nothing else moves money at a table: these transfers change the seats' credits and the
balances in the store. Every transfer of a settlement names the clause of its line.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason, Transfer
from openfelt.ledger.accounts import feed_account
from openfelt.ledger.transfers import amounts_of
from openfelt.rules.decisions import Bet
from openfelt.rules.lines import Line, PaidBy, Settlement
from openfelt.rules.quick_replace import maker
from openfelt.rules.round import Round, apply
from openfelt.rules.round_events import (
    BetsClosed,
    CardDealt,
    CardsTurned,
    DecisionMade,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind, wager_order
from openfelt.table.adjustments import Adjustment
from openfelt.table.collection import dues, void_hand_dues
from openfelt.table.events import AdjustmentMade, BetsReopened, BoughtIn, Collected, TableEvent
from openfelt.table.state import Table

# Looking a member up in an enumeration takes as long as a call, and a stadium settles thousands of
# lines at once.
_LINK: Final = PaidBy.LINK
_DEALER: Final = Beneficiary.DEALER
_RETURN: Final = Reason.RETURN
_LOSS: Final = Reason.LOSS
_CONTRIBUTION: Final = Reason.CONTRIBUTION
_PAYOUT: Final = Reason.PAYOUT
_WAGER: Final = Reason.WAGER
_WAGER_WITHDRAWN: Final = Reason.WAGER_WITHDRAWN
_ANTE: Final = WagerKind.ANTE
_PLAY: Final = WagerKind.PLAY
_MOVES_NOTHING: Final = frozenset({CardDealt, CardsTurned})
"""The most frequent events that move no chips."""
_WAGERS: Final = AccountKind.WAGERS
_account: Final = maker(Account)
_transfer: Final = maker(Transfer)


def wallet_of(player: str) -> Account:
    """A player's money that is at no table."""
    return Account(AccountKind.WALLET, player)


def transfers_of(table: Table, event: TableEvent) -> tuple[Transfer, ...]:
    """The transfers that an event causes, given the table as it was before."""
    if type(event) in _MOVES_NOTHING:
        return ()
    match event:
        case WagersSet():
            return tuple(_wagers_set(table, event))
        case DecisionMade(spot, decision):
            return tuple(_play_made(table, spot, decision)) if isinstance(decision, Bet) else ()
        case BoughtIn(seat, cents):
            wallet = wallet_of(table.seats[seat].player)
            return _moved(wallet, table.credit(seat), cents, Reason.BUY_IN)
        case Collected(seat, cents):
            wallet = wallet_of(table.seats[seat].player)
            return _moved(table.credit(seat), wallet, cents, Reason.COLLECT)
        case AdjustmentMade(number):
            return (_adjusted(table, table.adjustments[number]),)
        case RoundOpened():
            return _bank_wager(table, event)
        case BetsClosed():
            return tuple(_collections(table))
        case BetsReopened():
            return tuple(_collections_returned(table, table.dues, "R.31"))
        case RoundSettled(settlement, feeds):
            return (
                *_settled(table, settlement, feeds=feeds),
                *_bank_returned(table, settlement),
                *_collections_returned(table, void_hand_dues(_round(table)), "R.37"),
            )
        case RoundVoided(_, settlement):
            return (
                *_settled(table, settlement),
                *_bank_returned(table, settlement),
                *_collections_returned(table, table.dues, "R.13"),
            )
        case _:
            return ()


def _moved(debit: Account, credit: Account, cents: int, reason: Reason) -> tuple[Transfer, ...]:
    """Transfers of an amount: a seat may have won more than one transfer moves."""
    return tuple(
        Transfer(debit=debit, credit=credit, cents=amount, reason=reason)
        for amount in amounts_of(cents)
    )


def _bank_wager(table: Table, event: RoundOpened) -> tuple[Transfer, ...]:
    if event.banker is None:
        return ()
    round_id = f"{table.id}/{event.number}"
    return (
        Transfer(
            debit=table.credit(event.banker.seat),
            credit=Account(AccountKind.BANKER, round_id),
            cents=event.banker.cover_cents,
            reason=Reason.BANK_WAGER,
            round=round_id,
        ),
    )


def _adjusted(table: Table, adjustment: Adjustment) -> Transfer:
    """The transfer of an adjustment, between the bank of its round and the wallet (R.38)."""
    wallet = wallet_of(adjustment.player)
    banker = adjustment.banker
    bank = wallet_of(banker) if banker is not None else Account(AccountKind.HOUSE, table.id)
    receives = adjustment.cents > 0
    return Transfer(
        debit=bank if receives else wallet,
        credit=wallet if receives else bank,
        cents=abs(adjustment.cents),
        reason=Reason.CORRECTION,
        round=f"{table.id}/{adjustment.round}",
        clause="R.38",
        note=adjustment.reason,
    )


# Wagers --------------------------------------------------------------------------


def _wagers_set(table: Table, event: WagersSet) -> Iterator[Transfer]:
    """The transfers to the felt and back, wager by wager."""
    spot = event.spot
    hand = _round(table).hands.get(spot)
    move = table.credit(spot.seat), _felt(table)
    for wager, cents in _wagers_changed(hand.wagers if hand else (), event.wagers):
        yield _to_felt(move, spot, wager, cents)


def _wagers_changed(
    before: tuple[Wager, ...], now: tuple[Wager, ...]
) -> Iterator[tuple[Wager, int]]:
    """The circles on which the cents differ, in their order, with how many more there are now."""
    if len(before) == len(now) and all(map(_is_circle, before, now)):
        # Nearly every changed bet has other cents on the same circles.
        for lay, lies in zip(before, now, strict=True):
            if lies.cents != lay.cents:
                yield lies, lies.cents - lay.cents
        return
    yield from _circles_changed(before, now)


def _is_circle(wager: Wager, other: Wager) -> bool:
    return wager.kind is other.kind and wager.beneficiary is other.beneficiary


def _circles_changed(
    before: tuple[Wager, ...], now: tuple[Wager, ...]
) -> Iterator[tuple[Wager, int]]:
    """The same for any wagers."""
    lay = {wager_order(wager): wager for wager in before}
    lie = {wager_order(wager): wager for wager in now}
    for circle in sorted(lay.keys() | lie.keys()):
        old, new = lay.get(circle), lie.get(circle)
        cents = (new.cents if new else 0) - (old.cents if old else 0)
        wager = new or old
        if cents and wager:
            yield wager, cents


def _play_made(table: Table, spot: Spot, decision: Bet) -> Iterator[Transfer]:
    move = table.credit(spot.seat), _felt(table)
    for wager in _round(table).hands[spot].wagers:
        if wager.kind is _ANTE:
            play = Wager(_PLAY, wager.cents * decision.multiple, wager.beneficiary)
            yield _to_felt(move, spot, play, play.cents)


def _to_felt(move: tuple[Account, Account], spot: Spot, wager: Wager, cents: int) -> Transfer:
    """Put this many more cents on a circle, or take some back if the number is negative.

    ``move`` has the accounts of the seat's credit and of the felt, whose owner is the round.
    """
    credit, felt = move
    note = f"{spot.seat}.{spot.hand} {wager.kind._value_}"
    if wager.beneficiary is _DEALER:
        note += " for the dealer"
    debit, why = (credit, _WAGER) if cents > 0 else (felt, _WAGER_WITHDRAWN)
    return _transfer(
        debit=debit,
        credit=felt if cents > 0 else credit,
        cents=abs(cents),
        reason=why,
        round=felt.owner,
        note=note,
    )


# Collections -----------------------------------------------------------------------


def _collections(table: Table) -> Iterator[Transfer]:
    closed = apply(_round(table), BetsClosed())
    for seat, cents in sorted(dues(closed).items()):
        yield Transfer(
            debit=table.credit(seat),
            credit=Account(AccountKind.DROP, table.id),
            cents=cents,
            reason=Reason.COLLECTION,
            round=table.round_id,
            clause="R.20",
        )


def _collections_returned(table: Table, due: Mapping[int, int], clause: str) -> Iterator[Transfer]:
    for seat, cents in sorted(due.items()):
        yield Transfer(
            debit=Account(AccountKind.DROP, table.id),
            credit=table.credit(seat),
            cents=cents,
            reason=Reason.COLLECTION_RETURNED,
            round=table.round_id,
            clause=clause,
        )


# Settlement ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _SettledAccounts:
    """The accounts of a settlement. Those that many lines name are made once."""

    table: Table
    round: str
    felt: Account
    bank: Account
    link: Account
    credits: dict[int, Account]

    @classmethod
    def of(cls, table: Table, *, feeds: bool) -> "_SettledAccounts":
        link = table.link or ""
        at_link = feed_account(link, table.id) if feeds else Account(AccountKind.RESERVE, link)
        return cls(table, table.round_id, _felt(table), _bank(table), at_link, {})

    def credit(self, seat: int) -> Account:
        """The account of a seat's credit."""
        account = self.credits.get(seat)
        if account is None:
            account = self.credits[seat] = self.table.credit(seat)
        return account

    def payer(self, line: Line) -> Account:
        """Who pays what a line has won, and takes what it has lost."""
        if line.paid_by is _LINK:
            return self.link
        return self.bank


def _settled(table: Table, settlement: Settlement, *, feeds: bool = True) -> list[Transfer]:
    accounts = _SettledAccounts.of(table, feeds=feeds)
    transfers: list[Transfer] = []
    for line in settlement.lines:
        transfers += _line(accounts, line)
    return transfers


def _line(accounts: _SettledAccounts, line: Line) -> Iterable[Transfer]:
    """One line as transfers: what goes back, what is taken, what is paid."""
    felt, (seat, hand) = accounts.felt, line.spot
    credit, payer = accounts.credit(seat), accounts.payer(line)
    returned_cents, paid_cents = line.returned_cents, line.payout_cents
    taken_cents = line.stake_cents - returned_cents
    moves: list[tuple[Account, Account, int, Reason]] = []
    if returned_cents:
        moves.append((felt, credit, returned_cents, _RETURN))
    if taken_cents:
        why = _CONTRIBUTION if line.paid_by is _LINK else _LOSS
        moves.append((felt, payer, taken_cents, why))
    if paid_cents:
        paid_to, why = _paid_to(accounts, line)
        moves.append((payer, paid_to, paid_cents, why))
    round_id, clause, note = accounts.round, line.clause, f"{seat}.{hand} {line.outcome}"
    return [
        _transfer(
            debit=debit,
            credit=credit,
            cents=cents,
            reason=reason,
            round=round_id,
            clause=clause,
            note=note,
        )
        for debit, credit, cents, reason in moves
    ]


def _paid_to(accounts: _SettledAccounts, line: Line) -> tuple[Account, Reason]:
    """Who receives what a line has won, and why."""
    table, credit = accounts.table, accounts.credit(line.spot.seat)
    if line.paid_by is _LINK:
        return credit, Reason.ENVY if line.wager == "envy" else Reason.AWARD
    if line.beneficiary is _DEALER:
        return Account(AccountKind.TIPS, table.tips_to or table.id), Reason.TIP
    return credit, _PAYOUT


def _bank(table: Table) -> Account:
    """The account of the house or, where players bank, of the round's player/dealer."""
    if _round(table).opened.banker is not None:
        return Account(AccountKind.BANKER, table.round_id)
    return Account(AccountKind.HOUSE, table.id)


def _bank_returned(table: Table, settlement: Settlement) -> Iterator[Transfer]:
    """Return what is left of a player/dealer's bank, won stakes included."""
    banker = _round(table).opened.banker
    if banker is None:
        return
    for left_cents in amounts_of(banker.cover_cents + settlement.bank_net_cents):
        yield Transfer(
            debit=Account(AccountKind.BANKER, table.round_id),
            credit=table.credit(banker.seat),
            cents=left_cents,
            reason=Reason.BANK_RETURN,
            round=table.round_id,
        )


def _felt(table: Table) -> Account:
    return _account(_WAGERS, table.round_id)


def _round(table: Table) -> Round:
    assert table.round is not None
    return table.round
