"""Endpoints of finished rounds: a player's own rounds, their replays and their proofs."""

import asyncio
from http import HTTPStatus
from itertools import accumulate
from typing import Annotated, Final

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field

from openfelt.protocol.api_prefix import API
from openfelt.protocol.coach_forms import CoachView
from openfelt.protocol.openapi import answer_of, schema_of
from openfelt.protocol.replay import ReplayView
from openfelt.protocol.rest import (
    PlayedTable,
    RoundLine,
    Verdict,
    VisitCourse,
    VisitPoint,
    VisitView,
)
from openfelt.rules.house import House
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import RoundProof, round_id
from openfelt.runtime.rounds.proof_forms import (
    AnyProofForm,
    RoundSeedsForm,
    proof_json,
    read_proof,
)
from openfelt.runtime.rounds.record import NoSuchRound
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.errors import Denied, not_found
from openfelt.server.history.coach import check_finished
from openfelt.server.history.player_rounds import PlayerRound, TableVisit
from openfelt.server.history.recent_rounds import RecentRound
from openfelt.server.history.replay import own_lines, replay_steps
from openfelt.server.http.dependencies import (
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    address_of,
    check_heavy_rate,
    check_proof_rate,
    while_connected,
)
from openfelt.server.limits.networks import networks_of
from openfelt.server.services import Services
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, KeyFailure
from openfelt.table.state import Table

router = APIRouter(prefix=API, tags=["rounds"], dependencies=[Depends(check_heavy_rate)])

TableNamed = Annotated[str, Path(min_length=1, max_length=64, pattern="^[a-z0-9][a-z0-9_.@-]*$")]
Numbered = Annotated[int, Path(ge=1, le=2**53)]
VISIT_POINTS_MAX: Final = 500
"""How many rounds of a visit its course shows."""
_STAFF = (AccountRole.SUPERVISOR, AccountRole.AUDITOR)


class Page(BaseModel):
    """The part of a list to return."""

    before: Annotated[int | None, Field(ge=1, le=2**53)] = None
    """Only rounds with lower numbers."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20


@router.get("/played-tables")
async def played_tables(
    account: CurrentAccount, caller: CurrentCaller, services: CurrentServices
) -> list[PlayedTable]:
    """The tables at which the caller has finished rounds, the latest round first."""
    played = []
    for name in await asyncio.to_thread(services.player_rounds.tables, account.player):
        try:
            table = await services.lobby.table_for(name, caller.viewer)
        except (CodecError, Damaged, Denied, KeyFailure):
            # A table that cannot be read must not hide the others.
            continue
        lines = await _round_lines(services, table, account, Page(limit=1))
        if lines:
            last = await _visit(services, table, account)
            played.append(
                PlayedTable(
                    table=name,
                    house=table.house.id,
                    house_name=table.house.name,
                    private=table.opened.private_to is not None,
                    last=lines[0],
                    visit=VisitView(
                        rounds=len(last.rounds), credit_change_cents=last.credit_change_cents
                    ),
                )
            )
    return sorted(played, key=lambda entry: entry.last.at_ms, reverse=True)


@router.get("/tables/{table}/rounds")
async def rounds(
    table: TableNamed,
    account: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
    page: Annotated[Page, Query()],
) -> list[RoundLine]:
    """The player's own finished rounds at a table, newest first."""
    return await _round_lines(
        services, await services.lobby.table_for(table, caller.viewer), account, page
    )


@router.get("/tables/{table}/visit")
async def visit(
    table: TableNamed, account: CurrentAccount, caller: CurrentCaller, services: CurrentServices
) -> VisitCourse:
    """The course of the player's last visit to a table, from the figures of the history."""
    looked_at = await services.lobby.table_for(table, caller.viewer)
    rounds = (await _visit(services, looked_at, account)).rounds
    totals = list(accumulate(own.credit_change_cents for own in rounds))
    points = [
        VisitPoint(
            number=own.number, credit_change_cents=own.credit_change_cents, total_cents=total_cents
        )
        for own, total_cents in zip(rounds, totals, strict=True)
    ]
    return VisitCourse(
        rounds=len(rounds),
        credit_change_cents=totals[-1] if totals else 0,
        points=points[-VISIT_POINTS_MAX:],
    )


@router.get(
    "/tables/{table}/rounds/{number}",
    responses=answer_of(ReplayView, "The replay of one of the caller's rounds"),
)
async def replay(
    table: TableNamed, number: Numbered, account: CurrentAccount, services: CurrentServices
) -> Response:
    """The replay of one of the caller's own rounds, with what the player was allowed to see."""
    own, seat = await _own_round(services, table, number, account)
    recent = await _finished(services, table, number, version=own.wager_version)
    body = await services.round_pool.run(
        lambda: msgspec.json.encode(_replay(own, recent.recorded, seat, account))
    )
    return Response(body, media_type="application/json")


@router.get("/tables/{table}/rounds/{number}/coach")
async def coach(
    request: Request,
    table: TableNamed,
    number: Numbered,
    account: CurrentAccount,
    services: CurrentServices,
) -> CoachView:
    """The best decisions of one of the caller's own rounds, and the cost of the player's decisions.

    A round in progress is analysed only at the player's own private table.
    """
    own, seat = await _own_round(services, table, number, account)
    recent = await _recent(services, table, number, version=own.wager_version)
    check_finished(recent.recorded, await services.lobby.table(table), account.player)
    looking = services.coach.look_at(recent.recorded, seat=seat, player=account.player)
    return await while_connected(request, looking)


@router.get(
    "/tables/{table}/rounds/{number}/proof",
    responses=answer_of(AnyProofForm, "The proof that the round was dealt fairly"),
)
async def proof(
    table: TableNamed,
    number: Numbered,
    account: CurrentAccount,
    services: CurrentServices,
    whole: Annotated[bool, Query()] = False,
) -> Response:
    """The proof that a round was dealt fairly; it contains the caller's hands, and no hidden cards.

    A long list of seeds is left out, unless the whole proof is asked for: it is the same for all
    players, at its own address.
    """
    recent, seat = await _provable(services, table, number, account)
    text = await services.round_pool.run(lambda: _proof(recent, seat, whole=whole))
    return Response(text, media_type="application/json")


@router.get(
    "/tables/{table}/rounds/{number}/seeds",
    responses=answer_of(RoundSeedsForm, "The list of the seeds that decided the dealing order"),
)
async def seeds(
    request: Request,
    table: TableNamed,
    number: Numbered,
    account: CurrentAccount,
    services: CurrentServices,
) -> Response:
    """The list of a round's seeds, which is the same for all its players."""
    recent, _ = await _provable(services, table, number, account)
    packed = "gzip" in request.headers.get("accept-encoding", "")
    try:
        body = await services.round_pool.run(
            lambda: recent.seed_list_packed if packed else recent.seed_list
        )
    except ProofError as error:
        raise _no_proof(error) from error
    headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if packed else {})
    return Response(body, media_type="application/json", headers=headers)


@router.post(
    "/verify",
    dependencies=[Depends(check_proof_rate)],
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema_of(AnyProofForm)}},
        }
    },
)
async def verify(request: Request, services: CurrentServices) -> Verdict:
    """Check the proof of a round, from this server or another."""
    caller = networks_of(address_of(request))[-1].name
    with services.proof_slots.entered(caller):
        body = await request.body()
        checking = services.proof_pool.run(lambda: _verify(services, body), caller=caller)
        return await while_connected(request, checking)


def _replay(own: PlayerRound, recorded: RecordedRound, seat: int, account: Account) -> ReplayView:
    steps = replay_steps(recorded, seat=seat, player=account.player)
    house = recorded.opened.house
    return ReplayView(
        round=round_id(recorded.table, recorded.number),
        number=recorded.number,
        at_ms=own.at_ms,
        house=house.id,
        fingerprint=house.fingerprint,
        void=recorded.void,
        seat=seat,
        steps=steps,
        lines=own_lines(steps),
        staked_cents=own.staked_cents,
        credit_change_cents=own.credit_change_cents,
        purged=recorded.purged,
    )


def _proof(recent: RecentRound, seat: int | None, *, whole: bool) -> str:
    try:
        proof = recent.proofs.of_seat(seat)
        if whole and proof.seeds is not None and proof.seeds.seeds is None:
            proof = proof.with_seeds(recent.proofs.seed_list())
    except ProofError as error:
        raise _no_proof(error) from error
    return proof_json(proof if whole or seat is None else proof.brief())


def _no_proof(error: ProofError) -> Denied:
    return Denied(HTTPStatus.CONFLICT, "no_proof", str(error))


async def _provable(
    services: Services, table: str, number: int, account: Account
) -> tuple[RecentRound, int | None]:
    """A finished round that the caller may have proved, and the seat it was played from.

    Staff may see the public proof of every round, and have no seat.
    """
    if account.role in _STAFF:
        return await _recent(services, table, number), None
    cached = services.recent_rounds.cached(table, number)
    if cached is not None and account.player in cached.seats:
        # A terminal asks twice, for its proof and for the list of seeds.
        return cached, cached.seats[account.player]
    own, seat = await _own_round(services, table, number, account)
    recent = await _finished(services, table, number, version=own.wager_version)
    recent.seats[account.player] = seat
    return recent, seat


async def _own_round(
    services: Services, table: str, number: int, account: Account
) -> tuple[PlayerRound, int]:
    """A round of the player's, and the seat that it was played from."""

    def look() -> tuple[PlayerRound, int]:
        own = services.player_rounds.round(table, account.player, number)
        if own is None:
            raise not_found(f"You have no round {number} at {table}.")
        return own, services.round_reader.seat_of_wager(table, own.wager_version)

    return await services.round_pool.run(look)


async def _finished(services: Services, table: str, number: int, *, version: int) -> RecentRound:
    recent = await _recent(services, table, number, version=version)
    if recent.recorded.ended is None:
        raise Denied(HTTPStatus.CONFLICT, "in_progress", "This round is not over yet.")
    return recent


async def _recent(
    services: Services, table: str, number: int, *, version: int | None = None
) -> RecentRound:
    try:
        return await services.recent_rounds.get(table, number, version=version)
    except NoSuchRound as error:
        raise not_found(str(error)) from error


def _verify(services: Services, body: bytes) -> Verdict:
    try:
        proof = read_proof(body.decode())
        checked = check_round_proof(proof, _house_of(services, proof))
    except (ProofError, UnicodeDecodeError) as error:
        return Verdict(ok=False, cards_checked=0, cards_never_shown=0, problem=str(error))
    return Verdict(
        ok=True,
        cards_checked=checked.cards,
        cards_never_shown=checked.cards_never_shown,
        problem=None,
    )


def _house_of(services: Services, proof: RoundProof) -> House:
    """The rules of a proof's round: those of a round played here, or of a house of the catalog."""
    house = services.floor.worker_services.rulebook.house(proof.fingerprint)
    if house is None:
        house = services.catalog.houses.get(proof.house)
    if house is None or house.fingerprint != proof.fingerprint:
        raise ProofError(f"This server does not have the rules of this round: {proof.house}.")
    return house


async def _visit(services: Services, table: Table, account: Account) -> TableVisit:
    below = _finished_below(table)
    return await asyncio.to_thread(
        lambda: services.player_rounds.visit(table.id, account.player, below=below)
    )


def _finished_below(table: Table) -> int:
    """The number below which all rounds of a table are over."""
    return table.rounds if table.playing is not None else table.rounds + 1


async def _round_lines(
    services: Services, table: Table, account: Account, page: Page
) -> list[RoundLine]:
    """A page of the player's finished rounds at a table, newest first."""
    playing = _finished_below(table)
    own_rounds = await asyncio.to_thread(
        lambda: services.player_rounds.rounds(
            table.id, account.player, below=min(page.before or playing, playing), limit=page.limit
        )
    )
    adjusted = await asyncio.to_thread(
        services.player_rounds.adjusted_cents, table.id, account.player
    )
    return [
        RoundLine(
            round=round_id(table.id, own.number),
            number=own.number,
            at_ms=own.at_ms,
            credit_change_cents=own.credit_change_cents,
            staked_cents=own.staked_cents,
            void=own.void,
            banked=own.banked,
            adjusted_cents=adjusted.get(own.number, 0),
        )
        for own in own_rounds
    ]
