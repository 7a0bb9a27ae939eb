"""Endpoints of progressive links for supervisors and auditors: books, awards and actions."""

import asyncio
from fractions import Fraction
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query

from openfelt.protocol.api_prefix import API
from openfelt.protocol.link_forms import (
    LinkAct,
    LinkAwardView,
    LinkBooksView,
    LinkEntriesView,
    LinkEntryKind,
    LinkEntryView,
    LinkRatesChange,
    LinkRatesForm,
    LinkRatesView,
    LinkRetirement,
    MeterBooksView,
    NewLink,
    ReconciliationView,
)
from openfelt.rules.progressive import Meter
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.services import Services
from openfelt.server.supervision.jackpots.link_books import NO_METER, LinkBooks
from openfelt.server.supervision.jackpots.link_record import LinkEntry
from openfelt.table.commands import Actor
from openfelt.table.links.link_events import (
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
from openfelt.table.links.link_referee import (
    ChangeRates,
    LinkCommand,
    OpenLink,
    PauseLink,
    ResumeLink,
    RetireLink,
)

router = APIRouter(prefix=API, tags=["links"])
LinkName = Annotated[str, Path(min_length=1, max_length=64)]
VERSION_MAX: Final = 2**53


# Reading -----------------------------------------------------------------------------------


@router.get("/floor/links")
async def link_books(services: CurrentServices) -> list[LinkBooksView]:
    """All progressive links with their books, each checked against the ledger now."""
    return [_books(books) for books in await asyncio.to_thread(services.watch.accountant.all)]


@router.get("/floor/links/{link}/entries")
async def link_entries(
    link: LinkName,
    services: CurrentServices,
    before: Annotated[int | None, Query(ge=1, le=VERSION_MAX)] = None,
) -> LinkEntriesView:
    """Awards and acts of a link, the newest first; ``before`` continues with older ones."""
    return await services.round_pool.run(lambda: _entries(services, link, before))


# Actions -------------------------------------------------------------------------------------


@router.post("/links")
async def open_link(form: NewLink, services: CurrentServices) -> LinkBooksView:
    """Open a link; the house puts its seed on the meter."""
    rates = _rates(form)
    return await _act(
        services,
        form.link,
        OpenLink(
            link=form.link,
            contribution=rates.contribution,
            seed_cents=rates.seed_cents,
            ceiling_cents=rates.ceiling_cents,
            reason=form.reason,
        ),
    )


@router.post("/links/{link}/rates")
async def change_rates(
    link: LinkName, form: LinkRatesChange, services: CurrentServices
) -> LinkBooksView:
    """Set rates that apply once a share of the meter has been won."""
    rates = _rates(form)
    command = ChangeRates(
        contribution=rates.contribution,
        seed_cents=rates.seed_cents,
        ceiling_cents=rates.ceiling_cents,
        reason=form.reason,
    )
    return await _act(services, link, command)


@router.post("/links/{link}/pause")
async def pause_link(link: LinkName, form: LinkAct, services: CurrentServices) -> LinkBooksView:
    """Stop accepting progressive wagers until the link is resumed."""
    return await _act(services, link, PauseLink(form.reason))


@router.post("/links/{link}/resume")
async def resume_link(link: LinkName, form: LinkAct, services: CurrentServices) -> LinkBooksView:
    """Accept progressive wagers again."""
    return await _act(services, link, ResumeLink(form.reason))


@router.post("/links/{link}/retire")
async def retire_link(
    link: LinkName, form: LinkRetirement, services: CurrentServices
) -> LinkBooksView:
    """End a paused link without tables; what is left goes to the house or to another link."""
    return await _act(services, link, RetireLink(form.into, form.reason))


async def _act(services: Services, link: str, command: LinkCommand) -> LinkBooksView:
    def act() -> LinkBooks:
        services.floor.worker_services.links.command(link, command)
        return services.watch.accountant.of(link)

    return _books(await asyncio.to_thread(act))


def _rates(form: LinkRatesForm) -> Rates:
    return Rates(
        contribution=Fraction(form.percent) / 100,
        seed_cents=form.seed_cents,
        ceiling_cents=form.ceiling_cents,
    )


# Views -------------------------------------------------------------------------------------


def exact(number: Fraction) -> str:
    """A number with a finite decimal expansion, written in full.

    >>> exact(Fraction(400103, 4)), exact(Fraction(-1, 8)), exact(Fraction(7))
    ('100025.75', '-0.125', '7')
    """
    sign = "-" if number < 0 else ""
    integer, rest = divmod(abs(number), 1)
    digits = ""
    while rest and len(digits) < 40:
        digit, rest = divmod(rest * 10, 1)
        digits += str(digit)
    return f"{sign}{integer}.{digits}" if digits else f"{sign}{integer}"


def _books(books: LinkBooks) -> LinkBooksView:
    link, checked = books.link, books.reconciliation
    return LinkBooksView(
        link=link.id,
        phase=link.phase.value,
        pause_reason=link.pause_reason,
        tables=sorted(link.tables),
        rates=_rates_view(link.rates),
        waiting=_rates_view(link.waiting) if link.waiting else None,
        meter_cents=link.meter.display_cents,
        meter_exact=exact(link.meter.amount),
        rounds=link.rounds,
        wins=link.wins,
        since_ms=books.since_ms,
        recent=_meter_books(books.opening, link.meter),
        whole=_meter_books(NO_METER, link.meter),
        reconciliation=ReconciliationView(
            at_ms=checked.at_ms,
            meter_cents=checked.meter_cents,
            meter_ledger_cents=checked.meter_ledger_cents,
            reserve_cents=checked.reserve_cents,
            reserve_ledger_cents=checked.reserve_ledger_cents,
            difference_cents=checked.difference_cents,
        ),
    )


def _rates_view(rates: Rates) -> LinkRatesView:
    return LinkRatesView(
        percent=exact(rates.contribution * 100),
        seed_cents=rates.seed_cents,
        ceiling_cents=rates.ceiling_cents,
    )


def _meter_books(before: Meter, now: Meter) -> MeterBooksView:
    """The movements between two moments of a meter."""
    opening, closing = before.amount + before.reserve, now.amount + now.reserve
    came = {name: getattr(now, name) - getattr(before, name) for name in _CAME}
    went = {name: getattr(now, name) - getattr(before, name) for name in _WENT}
    total = opening + sum(came.values()) - sum(went.values())
    return MeterBooksView(
        opening=exact(opening),
        closing=exact(closing),
        difference=exact(total - closing),
        opening_meter=exact(before.amount),
        closing_meter=exact(now.amount),
        opening_reserve=exact(before.reserve),
        closing_reserve=exact(now.reserve),
        **{name: exact(cents) for name, cents in (came | went).items()},
    )


_CAME: Final = ("contributed", "seeded", "moved_in")
_WENT: Final = ("awarded", "envied", "handed_back", "moved_out")


def _entries(services: Services, link: str, before: int | None) -> LinkEntriesView:
    services.watch.accountant.of(link)
    entries, older = services.link_record.part(link, before)
    names: dict[str, str] = {}
    for player in {award.player for entry in entries for award in entry.awards if award.player}:
        account = services.accounts.get(player)
        names[player] = account.public_name if account is not None else player
    return LinkEntriesView(entries=[_entry(entry, names) for entry in entries], before=older)


def _entry(entry: LinkEntry, names: dict[str, str]) -> LinkEntryView:
    event, stored = entry.event, entry.stored
    counted = event if isinstance(event, RoundCounted) else None
    rates = event.rates if isinstance(event, LinkOpened | RatesChanged) else None
    reasoned = isinstance(event, LinkOpened | RatesChanged | LinkPaused | LinkResumed | LinkRetired)
    other_link = event.into if isinstance(event, LinkRetired) else None
    if isinstance(event, LinkReceived):
        other_link = event.link
    at_table = isinstance(event, TableJoined | TableLeft | RoundCounted)
    kind: LinkEntryKind = stored.name  # type: ignore[assignment]
    return LinkEntryView(
        version=stored.version,
        at_ms=stored.at_ms,
        by=None if counted else Actor.parse(stored.cause.actor).name,
        kind=kind,
        reason=getattr(event, "reason", "") if reasoned else "",
        table=getattr(event, "table", None) if at_table else None,
        round=counted.round if counted else None,
        rates=_rates_view(rates) if rates else None,
        other_link=other_link,
        awarded_cents=counted.awarded_cents if counted else 0,
        envied_cents=counted.envied_cents if counted else 0,
        from_meter_cents=counted.from_meter_cents if counted else 0,
        awards=[
            LinkAwardView(
                seat=award.spot.seat,
                hand=award.spot.hand,
                player=names.get(award.player) if award.player else None,
                wager="envy" if award.wager == "envy" else "progressive",
                made=award.made,
                cents=award.cents,
            )
            for award in entry.awards
        ],
    )
