"""The transfers that each figure adds up, with their signs.

The figures themselves are added up elsewhere, from events or by the state of a record. This module
is a second way to the same cents, through the ledger.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger import Account, AccountKind, Reason
from openfelt.ledger.accounts import feed_account
from openfelt.rules.wagers import WagerKind
from openfelt.storage.balances.transfer_terms import TransferTerm

_HOUSE: Final = f"{AccountKind.HOUSE}:"
_UNNAMED: Final = ("hand_void ", "hand_fouled ", "uncovered ")
"""The ends of settlement lines that do not name their wager; the settlement itself does."""
_PROGRESSIVE: Final = ("progressive.", "envy.")


def _plus(*reasons: Reason, debit: str = "", credit: str = "") -> TransferTerm:
    return TransferTerm(reasons=reasons, debit=debit, credit=credit)


def _minus(*reasons: Reason, debit: str = "", credit: str = "") -> TransferTerm:
    return TransferTerm(reasons=reasons, sign=-1, debit=debit, credit=credit)


def _negated(*terms: TransferTerm) -> tuple[TransferTerm, ...]:
    return tuple(replace(term, sign=-term.sign) for term in terms)


# The felt of a table -------------------------------------------------------------------------

_DROP: Final = _plus(Reason.BUY_IN)
_COLLECTED: Final = _plus(Reason.COLLECT)
_WIN: Final = (
    _plus(Reason.LOSS, credit=_HOUSE),
    _minus(Reason.PAYOUT, Reason.TIP, debit=_HOUSE),
)
_CONTRIBUTED: Final = _plus(Reason.CONTRIBUTION)
_AWARDED: Final = _plus(Reason.AWARD, Reason.ENVY)
_CORRECTIONS: Final = (
    _plus(Reason.CORRECTION, credit=_HOUSE),
    _minus(Reason.CORRECTION, debit=_HOUSE),
)

TABLE_TERMS: Final[Mapping[str, tuple[TransferTerm, ...]]] = {
    "drop": (_DROP,),
    "collected": (_COLLECTED,),
    "win": _WIN,
    "win_adjusted": (*_WIN, *_CORRECTIONS),
    "tips": (_plus(Reason.TIP),),
    "collections": (_plus(Reason.COLLECTION), _minus(Reason.COLLECTION_RETURNED)),
    "contributed": (_CONTRIBUTED,),
    "awarded": (_AWARDED,),
    "corrections": _CORRECTIONS,
}
"""By figure of a table, the transfers of the table's own record."""

TRAY_PLAY: Final = (_COLLECTED, *_WIN, _CONTRIBUTED, *_negated(_DROP, _AWARDED))
"""The effect of play on the chips of a tray."""
COUNTED_WIN_PLAY: Final = (_DROP, _AWARDED, *_negated(_COLLECTED, _CONTRIBUTED))
"""The effect of play on the counted win."""


# Wagers --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WagerTransferTerms:
    """The transfers of settled rounds that belong to some wagers."""

    named: tuple[TransferTerm, ...]
    """Those whose note names the wager."""
    unnamed: tuple[TransferTerm, ...]
    """Those whose wager only the settlement can tell."""
    wager: str | None
    """The wager; None for all but the progressive one."""

    def is_wanted(self, wager: str) -> bool:
        """Whether a line of a settlement belongs to them."""
        if wager == "envy":
            wager = WagerKind.PROGRESSIVE.value
        if self.wager is None:
            return wager != WagerKind.PROGRESSIVE
        return wager == self.wager


def stakes_terms(wager: str | None) -> WagerTransferTerms:
    """Stakes of settled rounds: what went back, and what the bank or the link took."""
    went = _plus(Reason.RETURN, Reason.LOSS, Reason.CONTRIBUTION)
    if wager is None:
        # All but the progressive one, and but the rounds that were void.
        apart = (*_PROGRESSIVE, *_UNNAMED, "void ")
        return WagerTransferTerms(
            (replace(went, without=apart),), (replace(went, notes=_UNNAMED),), None
        )
    return _of_wager((went,), wager)


def wager_win_terms(wager: str) -> WagerTransferTerms:
    """The house's win on a wager, less payouts; for the progressive, the link's income."""
    if wager == WagerKind.PROGRESSIVE:
        return _of_wager((_CONTRIBUTED, *_negated(_AWARDED)), wager)
    return _of_wager(_WIN, wager)


def _of_wager(terms: tuple[TransferTerm, ...], wager: str) -> WagerTransferTerms:
    notes = _PROGRESSIVE if wager == WagerKind.PROGRESSIVE else (f"{wager}.",)
    return WagerTransferTerms(
        tuple(replace(term, notes=notes) for term in terms),
        tuple(replace(term, notes=_UNNAMED) for term in terms),
        wager,
    )


# Trays, links, drawers, dealers and vouchers ---------------------------------------------------


def tray_terms(table: str) -> dict[str, tuple[TransferTerm, ...]]:
    """By figure, the transfers of the record of a tray. Chips that come to it are its debit."""
    own = f"{AccountKind.TRAY}:{table}"
    return {
        "fills": (_plus(Reason.FILL, debit=own),),
        "credits": (_plus(Reason.CREDIT, credit=own), _minus(Reason.CREDIT, debit=own)),
        "difference": (
            _plus(Reason.TRAY_DIFFERENCE, debit=own),
            _minus(Reason.TRAY_DIFFERENCE, credit=own),
        ),
    }


def tray_move_terms(table: str, *, sign: int = 1) -> tuple[TransferTerm, ...]:
    """Fills less credits, or credits less fills."""
    terms = tray_terms(table)
    moves = (*terms["fills"], *_negated(*terms["credits"]))
    return moves if sign == 1 else _negated(*moves)


def link_terms(link: str) -> dict[str, tuple[TransferTerm, ...]]:
    """By figure, the transfers of a link's two accounts.

    Wagers come to the reserve from the accounts of the tables at the link when it counts them, in
    records of earlier versions from the felt; awards and Envy go the same way back. The reserve as
    a figure includes what waits at the tables, so what goes between them is not part of it.
    """
    meter, reserve = f"{AccountKind.METER}:{link}", f"{AccountKind.RESERVE}:{link}"
    felt, feeds = f"{AccountKind.WAGERS}:", f"{reserve}/"
    return {
        "contributed": (
            _plus(Reason.CONTRIBUTION, debit=felt, credit=reserve),
            _plus(Reason.CONTRIBUTION, debit=feeds, credit=reserve),
        ),
        "awarded": (_plus(Reason.AWARD, debit=reserve),),
        "envied": (_plus(Reason.ENVY, debit=reserve),),
        "meter": _balance(meter),
        "reserve": _balance(reserve, apart_from=feeds),
    }


def feed_terms(link: str, table: str) -> tuple[TransferTerm, ...]:
    """The money waiting at a table for its link: what came to its account there from elsewhere."""
    return _balance(
        str(feed_account(link, table)), apart_from=str(Account(AccountKind.RESERVE, link))
    )


def drawer_terms(drawer: str) -> dict[str, tuple[TransferTerm, ...]]:
    """By figure, the transfers of a drawer since it was opened. Cash in it is its debit."""
    own = f"{AccountKind.DRAWER}:{drawer}"
    terms = {
        "opening": (_plus(Reason.DRAWER_OPENED, debit=own),),
        "cash_in": (_plus(Reason.DEPOSIT, debit=own),),
        "vouchers_sold": (_plus(Reason.VOUCHER_ISSUED, debit=own),),
        "cash_out": (_minus(Reason.WITHDRAWAL, credit=own),),
        "vouchers_cashed": (_minus(Reason.VOUCHER_REDEEMED, credit=own),),
    }
    return {**terms, "holds": tuple(term for group in terms.values() for term in group)}


def tip_terms(dealer: str) -> tuple[TransferTerm, ...]:
    """The winnings of wagers for one dealer."""
    return (_plus(Reason.TIP, credit=f"{AccountKind.TIPS}:{dealer}"),)


VOUCHER_TERMS: Final = (_plus(Reason.VOUCHER_ISSUED, credit=f"{AccountKind.VOUCHER}:"),)


def _balance(account: str, *, apart_from: str = "") -> tuple[TransferTerm, ...]:
    """Everything that came to an account, less what left it."""
    reasons = tuple(Reason)
    terms = _plus(*reasons, credit=account), _minus(*reasons, debit=account)
    return tuple(replace(term, apart_from=apart_from) for term in terms)
