"""A progressive link: its state, the state after each event, and the money that moves.

Applying an event never refuses. Commands are allowed or refused in
``openfelt.table.links.link_referee``; an event is a fact.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from openfelt.ledger import Account, AccountKind, Reason, Transfer
from openfelt.ledger.accounts import feed_account
from openfelt.ledger.transfers import amounts_of
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.progressive import Meter
from openfelt.table.links.link_events import (
    LinkEvent,
    LinkOpened,
    LinkPaused,
    LinkReceived,
    LinkResumed,
    LinkRetired,
    Rates,
    RatesChanged,
    RoundCounted,
    TableJoined,
    TableLeft,
)


class LinkPhase(StrEnum):
    """Whether a link takes wagers."""

    OPEN = "open"
    PAUSED = "paused"
    """Rounds whose wagers were placed before are still counted; new wagers are refused."""
    RETIRED = "retired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A progressive link at one moment. It is a value: every event gives a new one."""

    id: str
    rates: Rates
    """The rates that apply now."""
    meter: Meter
    waiting: Rates | None = None
    """The rates that will apply once a share of the meter has been won."""
    phase: LinkPhase = LinkPhase.OPEN
    pause_reason: str | None = None
    tables: frozenset[str] = frozenset()
    """The tables that feed the link."""
    last_rounds: Mapping[str, int] = field(default_factory=dict)
    """The last round counted of each table, including tables that have left."""
    folded: Mapping[str, int] = field(default_factory=dict)
    """By table, the version of its feed up to which rounds have been counted."""
    rounds: int = 0
    """How many rounds have been counted."""
    wins: int = 0
    """How many of them won a share of the meter."""

    @property
    def takes_wagers(self) -> bool:
        """Whether a table may take progressive wagers."""
        return self.phase is LinkPhase.OPEN

    @property
    def next_seed_cents(self) -> int:
        """Where the meter begins again once a share of it is won."""
        return (self.waiting or self.rates).seed_cents

    def meter_cents_with(self, wagered_cents: int) -> int:
        """The meter by which a round with these progressive wagers is settled.

        It includes the round's own wagers, which are added to the meter before its awards are
        paid.
        """
        return self.meter_with(wagered_cents).display_cents

    def meter_with(self, wagered_cents: int) -> Meter:
        """The meter after a round's wagers have been added."""
        ceiling_cents = self.rates.ceiling_cents
        return self.meter.contribute(
            self.rates,
            wagered_cents,
            ceiling_cents=AMOUNT_MAX_CENTS if ceiling_cents is None else ceiling_cents,
        )


# Applying --------------------------------------------------------------------


def replay_link(events: Iterable[LinkEvent]) -> Link:
    """The state after a whole record of events, which begins with ``LinkOpened``."""
    link = None
    for event in events:
        link = apply_link(link, event)
    if link is None:
        raise ValueError("the record of a link begins with its opening")
    return link


def apply_link(link: Link | None, event: LinkEvent) -> Link:
    """The state after an event. It never refuses."""
    if isinstance(event, LinkOpened):
        if link is not None:
            raise ValueError("a link opens once")
        return Link(id=event.link, rates=event.rates, meter=Meter.fresh(event.rates))
    if link is None:
        raise ValueError("the record of a link begins with its opening")
    match event:
        case TableJoined(table):
            return replace(link, tables=link.tables | {table})
        case TableLeft(table):
            return replace(link, tables=link.tables - {table})
        case RoundCounted():
            return _round_counted(link, event)
        case RatesChanged():
            waiting = None if event.rates == link.rates else event.rates
            return replace(link, waiting=waiting)
        case LinkPaused(reason):
            return replace(link, phase=LinkPhase.PAUSED, pause_reason=reason)
        case LinkResumed():
            return replace(link, phase=LinkPhase.OPEN, pause_reason=None)
        case LinkRetired(into=into):
            left = link.meter.hand_back() if into is None else link.meter.move_out()
            return replace(link, phase=LinkPhase.RETIRED, waiting=None, meter=left)
        case LinkReceived(meter=meter, reserve=reserve):
            return replace(link, meter=link.meter.move_in(meter, reserve))


def _round_counted(link: Link, event: RoundCounted) -> Link:
    """Add the wagers at the present rates, and pay the awards.

    A win puts the waiting rates into effect, so the meter begins again at their seed.
    """
    rates = link.waiting if event.won and link.waiting is not None else link.rates
    return replace(
        link,
        rates=rates,
        waiting=None if event.won else link.waiting,
        meter=link.meter_with(event.wagered_cents).pay_out(
            rates,
            awarded_cents=event.awarded_cents,
            envied_cents=event.envied_cents,
            from_meter_cents=event.from_meter_cents,
        ),
        last_rounds={**link.last_rounds, event.table: event.round},
        folded={**link.folded, event.table: event.fed} if event.fed else link.folded,
        rounds=link.rounds + 1,
        wins=link.wins + event.won,
    )


# Money -----------------------------------------------------------------------


def link_moves(before: Link | None, event: LinkEvent) -> tuple[Transfer, ...]:
    """The transfers between meter, reserve and house that an event causes (R.23).

    ``before`` is the link as it was, None for its opening. The table's own transfers
    bring the wagers to the table's account at the link and pay awards and Envy from it; a
    round that is counted moves the same amounts on to the reserve. So the meter's account
    holds ``meter.display_cents`` and the reserve's account holds ``meter.reserve_cents``
    after every event.
    """
    if isinstance(event, LinkOpened):
        return _moved(event.link, (_HOUSE, _METER, event.seed_cents, Reason.SEED))
    if before is None:
        raise ValueError("the record of a link begins with its opening")
    if isinstance(event, RoundCounted):
        return _round_moves(before, event)
    if isinstance(event, LinkRetired):
        return _retirement_moves(before, event)
    if isinstance(event, LinkReceived):
        # Two fractions of a cent may make a cent, which the display shows now.
        grown_cents = apply_link(before, event).meter.display_cents - before.meter.display_cents
        carried_cents = grown_cents - int(event.meter // 1)
        return _moved(before.id, (_RESERVE, _METER, carried_cents, Reason.RETIREMENT))
    return ()


_METER, _RESERVE, _HOUSE = AccountKind.METER, AccountKind.RESERVE, AccountKind.HOUSE


def _retirement_moves(before: Link, event: LinkRetired) -> tuple[Transfer, ...]:
    """The remaining money goes to the house, or to the accounts of another link."""
    meter, into = before.meter, event.into
    if into is None:
        return _moved(
            before.id,
            (_METER, _HOUSE, meter.display_cents, Reason.RETIREMENT),
            (_RESERVE, _HOUSE, meter.reserve_cents, Reason.RETIREMENT),
        )
    debt_cents = min(meter.reserve_cents, 0)
    return (
        *_moved(before.id, (_RESERVE, _HOUSE, debt_cents, Reason.RETIREMENT)),
        *_moved(
            before.id,
            (_METER, _METER, meter.display_cents, Reason.RETIREMENT),
            (_RESERVE, _RESERVE, meter.reserve_cents - debt_cents, Reason.RETIREMENT),
            into=into,
        ),
    )


def _round_moves(before: Link, event: RoundCounted) -> tuple[Transfer, ...]:
    """The growth of the meter, the house's seed, and the shares that winners take.

    The seed comes before the shares, so the meter's account never falls below zero.
    """
    grown = before.meter_with(event.wagered_cents)
    seed = apply_link(before, event).meter.seeded - grown.seeded
    if seed.denominator != 1:
        raise ValueError(f"a seed of {seed} cents cannot be booked")
    growth_cents = grown.display_cents - before.meter.display_cents
    return (
        *(_feed_moves(before.id, event) if event.fed else ()),
        *_moved(
            before.id,
            (_RESERVE, _METER, growth_cents, Reason.CONTRIBUTION),
            (_HOUSE, _METER, int(seed), Reason.SEED),
            (_METER, _RESERVE, event.from_meter_cents, Reason.AWARD),
            round_id=f"{event.table}/{event.round}",
        ),
    )


def _feed_moves(link: str, event: RoundCounted) -> tuple[Transfer, ...]:
    """Move the wagers from the table's account to the reserve, and the awards the other way."""
    feed, reserve = feed_account(link, event.table), Account(_RESERVE, link)
    moves = (
        (feed, reserve, event.wagered_cents, Reason.CONTRIBUTION),
        (reserve, feed, event.awarded_cents, Reason.AWARD),
        (reserve, feed, event.envied_cents, Reason.ENVY),
    )
    return tuple(
        Transfer(
            debit=debit,
            credit=credit,
            cents=amount,
            reason=reason,
            round=f"{event.table}/{event.round}",
            clause="R.23",
        )
        for debit, credit, cents, reason in moves
        for amount in amounts_of(cents)
    )


def _moved(
    link: str,
    *moves: tuple[AccountKind, AccountKind, int, Reason],
    round_id: str | None = None,
    into: str | None = None,
) -> tuple[Transfer, ...]:
    """Transfers between a link's accounts, or to those of another link.

    A negative amount goes the other way.
    """
    to = into or link
    return tuple(
        Transfer(
            debit=Account(source, link) if cents > 0 else Account(target, to),
            credit=Account(target, to) if cents > 0 else Account(source, link),
            cents=amount,
            reason=reason,
            round=round_id,
            clause="R.23",
        )
        for source, target, cents, reason in moves
        for amount in amounts_of(abs(cents))
    )
