"""Endpoints of houses: rules, limits, paytables and returns."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Path, Query

from openfelt.catalog import UnknownHouseError
from openfelt.catalog.clauses import load_documents
from openfelt.catalog.practice import HANDS_MAX, choosable, offers_practice
from openfelt.catalog.wager_terms import WagerTerms, row_words, terms_of
from openfelt.protocol.api_prefix import API
from openfelt.protocol.practice_forms import OwnRulesChoices, RuleChange, WagerTables
from openfelt.protocol.rest import (
    BandView,
    ClauseView,
    ClockRuleView,
    DealerWagersView,
    DepartureView,
    EndingView,
    ExampleView,
    HouseLine,
    HouseView,
    PaytableRow,
    PaytableView,
    PlayView,
    ReturnView,
    WagerRuleView,
    WagerTermsView,
)
from openfelt.rules.dealing import hands_max
from openfelt.rules.house import BankKind, DatedLimits, House, WagerRule
from openfelt.rules.paytable import (
    Paytable,
    ProgressivePaytable,
    ProgressiveRow,
)
from openfelt.rules.wager_rules import wager_max_cents
from openfelt.rules.wagers import WagerKind
from openfelt.server.errors import not_found
from openfelt.server.http.dependencies import CurrentServices
from openfelt.server.services import Services
from openfelt.server.tables.lobby import offers_private_tables
from openfelt.table.collection import bank_wager_min_cents

router = APIRouter(prefix=API, tags=["houses"])


@router.get("/houses")
async def houses(services: CurrentServices) -> list[HouseLine]:
    """All houses."""
    return [
        HouseLine.model_validate({**_line(house), "own_rules": _offers_own_rules(house, services)})
        for house in services.catalog.houses.values()
    ]


@router.get("/houses/{house}")
async def house_page(
    house: Annotated[str, Path(min_length=1, max_length=64)],
    services: CurrentServices,
    fingerprint: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$")] = None,
) -> HouseView:
    """One house; with a fingerprint, an earlier version of its rules."""
    try:
        rules: House | None = services.catalog.house(house)
    except UnknownHouseError:
        rules = None
    if fingerprint is not None and (rules is None or rules.fingerprint != fingerprint):
        rules = await asyncio.to_thread(services.floor.worker_services.rulebook.house, fingerprint)
    if rules is None or rules.id != house:
        raise not_found(f"There is no house called {house}.")
    usual = services.catalog.houses.get(house)
    return house_view(
        rules,
        services.lobby.today(),
        services.returns.of(rules),
        returns_pending=services.returns.is_pending(rules),
        changes=[] if usual is None else _changes(rules, usual),
    )


@router.get("/houses/{house}/own-rules")
async def own_rules(
    house: Annotated[str, Path(min_length=1, max_length=64)], services: CurrentServices
) -> OwnRulesChoices:
    """The parts of a house that a player may change, to practise at a private table."""
    usual = services.catalog.houses.get(house)
    if usual is None or not _offers_own_rules(usual, services):
        raise not_found(f"There is no house called {house} to practise at.")
    return OwnRulesChoices(
        house=usual.id,
        hands=usual.hands_per_seat,
        hands_max=min(HANDS_MAX, hands_max(usual)),
        wagers=[
            WagerTables(
                wager=kind.value,
                usual=_table_name(usual, kind),
                names=sorted(
                    name for wager, name in services.catalog.paytables if wager == kind.value
                ),
            )
            for kind in choosable(usual)
        ],
    )


def _offers_own_rules(house: House, services: Services) -> bool:
    return services.settings.play_money and offers_practice(house)


def _changes(house: House, usual: House) -> list[RuleChange]:
    """The player's changes from the house as it is today."""
    hands = [
        RuleChange(
            what="hands",
            wager=None,
            value=str(house.hands_per_seat),
            usual=str(usual.hands_per_seat),
        )
    ]
    tables = [
        RuleChange(
            what="paytable",
            wager=kind.value,
            value=_table_name(house, kind),
            usual=_table_name(usual, kind),
        )
        for kind in choosable(usual)
    ]
    return [change for change in (*hands, *tables) if change.value != change.usual]


def _table_name(house: House, kind: WagerKind) -> str:
    rule = house.wager(kind)
    return "" if rule is None or rule.paytable is None else rule.paytable.name


@router.get("/clauses/{clause}")
async def clause_page(
    clause: Annotated[str, Path(min_length=1, max_length=64)],
) -> ClauseView:
    """One clause of the published documents or of the rulings, in our own words."""
    document = next(
        (entry for entry in load_documents() if clause.startswith(f"{entry.letter}.")), None
    )
    published = (
        next((entry for entry in document.clauses if entry.id == clause), None)
        if document
        else None
    )
    if document is None or published is None:
        raise not_found(f"There is no clause {clause}.")
    return ClauseView(id=published.id, document=document.title, text=published.text)


def _line(house: House) -> dict[str, object]:
    return {
        "id": house.id,
        "name": house.name,
        "document": house.document,
        "game": house.game.value,
        "seats": house.seats,
        "hands_per_seat": house.hands_per_seat,
        "dealer_mode": house.dealer_mode.value,
        "remote_play": house.remote_play,
        "own_rules": offers_practice(house),
        "private_tables": offers_private_tables(house),
        "fingerprint": house.fingerprint,
    }


def house_view(
    house: House,
    day: date,
    returns: list[ReturnView],
    *,
    returns_pending: bool = False,
    changes: Sequence[RuleChange] = (),
) -> HouseView:
    """A house with the limits of a day."""
    play, limits = house.play, house.limits_on(day)
    return HouseView.model_validate(
        {
            **_line(house),
            "version": house.version,
            "source": house.source,
            "game_words": house.game.words,
            "chips_cents": list(house.chips_cents),
            "notices": list(house.notices),
            "departures": [
                DepartureView(clause=departure.clause, reason=departure.reason)
                for departure in house.departures
            ],
            "changes": list(changes),
            "wagers": [_wager(house, rule, limits) for rule in house.wagers],
            "wagers_per_hand_max": limits.wagers_per_hand_max if limits else None,
            "table_aggregate_max_cents": limits.table_aggregate_max_cents if limits else None,
            "dealer_wagers": _dealer_wagers(house),
            "play": None
            if play is None
            else PlayView(
                before_flop=list(play.before_flop),
                on_flop=list(play.on_flop),
                on_river=list(play.on_river),
            ),
            "reserve_play": play is not None and play.reserve_play,
            "ante_bonus": None if house.ante_bonus is None else paytable_view(house.ante_bonus),
            "bank": "player" if house.bank.kind is BankKind.PLAYER_DEALER else "house",
            "collection": [
                BandView(
                    ante_up_to_cents=band.ante_up_to_cents,
                    player_cents=band.player_cents,
                    banker_cents=band.banker_cents,
                )
                for band in house.bank.collection
            ],
            "bank_wager_min_cents": bank_wager_min_cents(house),
            "clock": None
            if house.clock is None
            else ClockRuleView(
                wager_seconds=house.clock.wager_seconds,
                decision_seconds=house.clock.decision_seconds,
            ),
            "returns": returns,
            "returns_pending": returns_pending,
            "terms": [_terms(terms) for terms in terms_of(house)],
            "player_cards_face_up": house.player_cards_face_up,
            "deck": house.deck.value,
            "settlement_order": house.settlement_order.value,
            "dealer_qualifies": house.dealer_qualifies.or_better,
            "progressive_seed_cents": house.progressive.seed_cents if house.progressive else None,
            "unfinished_days": house.unfinished_days,
            "unfinished": house.unfinished.value,
        }
    )


def _dealer_wagers(house: House) -> DealerWagersView | None:
    rule = house.dealer_wagers
    if rule is None:
        return None
    return DealerWagersView(
        min_cents=rule.min_cents,
        max_cents=rule.max_cents,
        multiple_of_cents=rule.multiple_of_cents,
    )


def _wager(house: House, rule: WagerRule, limits: DatedLimits | None) -> WagerRuleView:
    most_cents = wager_max_cents(house, limits, rule)
    return WagerRuleView(
        kind=rule.kind.value,
        words=rule.kind.words,
        min_cents=rule.min_cents,
        max_cents=most_cents - most_cents % rule.multiple_of_cents,
        multiple_of_cents=rule.multiple_of_cents,
        requires=[kind.value for kind in rule.requires],
        paytable=None if rule.paytable is None else paytable_view(rule.paytable),
        payout_aggregate_cents=limits.payout_aggregate_cents(rule.kind) if limits else None,
    )


def _terms(terms: WagerTerms) -> WagerTermsView:
    example = terms.example
    return WagerTermsView(
        wager=terms.wager,
        endings=[
            EndingView(outcome=each.outcome, result=each.result.value, clause=each.clause)
            for each in terms.endings
        ],
        example=None if example is None else ExampleView(**asdict(example)),
        reads=terms.reads.value if terms.reads else None,
    )


def paytable_view(table: Paytable) -> PaytableView:
    """A paytable in words."""
    if isinstance(table, ProgressivePaytable):
        rows = [_progressive_row(row) for row in table.rows]
    else:
        rows = [PaytableRow(label=row_words(row), pays=str(row.odds)) for row in table.rows]
    return PaytableView(name=table.name, rows=rows)


def _progressive_row(row: ProgressiveRow) -> PaytableRow:
    pays = f"{row.share_text} of the meter" if row.share is not None else f"{row.for_one:,} for 1"
    envy = f"{row.envy_for_one:,} for 1" if row.envy_for_one else None
    return PaytableRow(label=row.label, pays=pays, envy=envy)
