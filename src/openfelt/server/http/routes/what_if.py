"""Endpoints of drafts: a supervisor tries out terms of a house, and downloads them as files."""

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Path

from openfelt.catalog import CatalogError
from openfelt.catalog.drafts.house_drafts import DraftedHouse, draft_house
from openfelt.protocol.api_prefix import API
from openfelt.protocol.draft_forms import (
    CountingView,
    DraftFiguresView,
    DraftFile,
    DraftFilesForm,
    DraftFilesView,
    DraftProblem,
    HouseDraftForm,
    HouseDraftView,
)
from openfelt.rules.house import GameName, House
from openfelt.server.draft_desk.draft_counts import DraftCounts
from openfelt.server.draft_desk.draft_figures import (
    Figure,
    game_figures,
    lines_of,
    side_bet_figures,
)
from openfelt.server.draft_desk.draft_reader import draft_of, draft_view
from openfelt.server.draft_desk.draw_draft_figures import best_is_counted, draw_figures
from openfelt.server.errors import Denied
from openfelt.server.http.dependencies import CurrentAccount, CurrentServices, house_called
from openfelt.server.services import Services

if TYPE_CHECKING:
    from openfelt.maths.holdem.game_outcomes import GameOutcomes
    from openfelt.maths.holdem.terms import HoldemTerms

router = APIRouter(prefix=API, tags=["houses"])


@router.get("/houses/{house}/draft")
async def new_draft(
    house: Annotated[str, Path(min_length=1, max_length=64)], services: CurrentServices
) -> HouseDraftView:
    """The terms of a house as they are, to be changed."""
    folder = services.settings.houses
    return await asyncio.to_thread(
        draft_view, house_called(services, house), services.catalog, folder
    )


@router.post("/drafts/figures")
async def draft_figures(
    form: HouseDraftForm, account: CurrentAccount, services: CurrentServices
) -> DraftFiguresView:
    """Every exact figure of a draft beside those of the house that it began with."""
    base = house_called(services, form.house)
    try:
        drafted = await asyncio.to_thread(_drafted, services, form, "A draft.")
        if base.game is GameName.ULTIMATE_DRAW:
            return await services.draft_counts.run(lambda: _draw_view(base, drafted.house))
        wanted = await asyncio.to_thread(_terms, [base, drafted.house])
    except CatalogError as error:
        return _problem(error.where, error.problem)
    except ValueError as error:
        return _problem("", str(error))
    counting = services.draft_counts.want(wanted, caller=account.name)
    published, best = (services.draft_counts.kept(terms) for terms in wanted)
    if isinstance(best, str):
        return _problem("", best)
    game = best or _played_as_before(services.draft_counts, *wanted)
    try:
        lines = await asyncio.to_thread(
            lambda: lines_of(
                _figures(drafted.house, game),
                _figures(base, published if not isinstance(published, str) else None),
            )
        )
    except ValueError as error:
        return _problem("", str(error))
    return DraftFiguresView(
        problem=None,
        counting=None
        if counting is None
        else CountingView(done=counting.done, steps=counting.steps),
        best_play=best is not None,
        lines=lines,
    )


@router.post("/drafts/files")
async def draft_files(
    form: DraftFilesForm, account: CurrentAccount, services: CurrentServices
) -> DraftFilesView:
    """The house file of a draft, and the file of its own paytables; nothing is changed here."""
    house_called(services, form.house)
    day = services.lobby.today().isoformat()
    source = f"From {form.house}, by {account.name} on {day}: {form.reason}"
    try:
        drafted = await asyncio.to_thread(_drafted, services, form, source)
    except CatalogError as error:
        sentence = ": ".join(part for part in (error.where, error.problem) if part)
        raise Denied(HTTPStatus.CONFLICT, "bad_rules", f"{sentence}.") from error
    return DraftFilesView(files=[DraftFile(path=path, text=text) for path, text in drafted.files])


def _drafted(services: Services, form: HouseDraftForm, source: str) -> DraftedHouse:
    return draft_house(draft_of(form, source=source), services.catalog, services.settings.houses)


def _draw_view(base: House, draft: House) -> DraftFiguresView:
    """The figures of Ultimate Draw Poker, whose counts are kept; raises ValueError."""
    return DraftFiguresView(
        problem=None,
        counting=None,
        best_play=best_is_counted(draft),
        lines=lines_of(list(draw_figures(draft)), list(draw_figures(base))),
    )


def _problem(where: str, sentence: str) -> DraftFiguresView:
    problem = DraftProblem(where=where, sentence=sentence)
    return DraftFiguresView(problem=problem, counting=None, best_play=False, lines=[])


def _terms(houses: list[House]) -> "list[HoldemTerms]":
    """The terms of houses that their figures depend on; raises ValueError."""
    from openfelt.maths.holdem.house_terms import terms_of

    return [terms_of(house) for house in houses]


def _played_as_before(
    counts: DraftCounts, base: "HoldemTerms", draft: "HoldemTerms"
) -> "GameOutcomes | None":
    """The old decisions at the new odds, while best play is being counted.

    They are exact for a player who does not adapt, and so a lower bound for one who does.
    """
    from dataclasses import replace

    kept = counts.kept(base)
    if kept is None or isinstance(kept, str) or replace(draft, blind=base.blind) != base:
        return None
    return type(kept)(draft, kept.outcomes)


def _figures(house: House, game: "GameOutcomes | None") -> list[Figure]:
    figures = [] if game is None else list(game_figures(house, game))
    return figures + list(side_bet_figures(house))
