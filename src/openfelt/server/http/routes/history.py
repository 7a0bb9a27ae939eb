"""Endpoints of finished rounds: a player's own rounds, their replays and their proofs."""

import asyncio
from http import HTTPStatus
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from pydantic import BaseModel, Field

from openfelt.protocol.messages import API
from openfelt.protocol.openapi import answer_of, schema_of
from openfelt.protocol.replay import ReplayView
from openfelt.protocol.rest import RoundLine, Verdict
from openfelt.rules.house import House
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import RoundProof, round_id
from openfelt.runtime.rounds.proof_forms import AnyProofForm, proof_json, read_proof
from openfelt.runtime.rounds.record import NoSuchRound, RecordedRound
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.server.accounts.account_state import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.errors import Denied, not_found
from openfelt.server.history.player_rounds import PlayerRound
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

router = APIRouter(prefix=API, tags=["rounds"], dependencies=[Depends(check_heavy_rate)])

TableNamed = Annotated[str, Path(min_length=1, max_length=64, pattern="^[a-z0-9][a-z0-9_.@-]*$")]
Numbered = Annotated[int, Path(ge=1, le=2**53)]
_STAFF = (AccountRole.SUPERVISOR, AccountRole.AUDITOR)


class Page(BaseModel):
    """Which part of a list to return."""

    before: Annotated[int | None, Field(ge=1, le=2**53)] = None
    """Only rounds with lower numbers."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20


@router.get("/tables/{table}/rounds")
async def rounds(
    table: TableNamed,
    account: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
    page: Annotated[Page, Query()],
) -> list[RoundLine]:
    """The player's own finished rounds at a table, newest first."""
    playing = await _playing(services, table, caller.viewer)
    own_rounds = await asyncio.to_thread(
        lambda: services.player_rounds.rounds(
            table, account.player, below=min(page.before or playing, playing), limit=page.limit
        )
    )
    return [
        RoundLine(
            round=round_id(table, own.number),
            number=own.number,
            at_ms=own.at_ms,
            net_cents=own.credit_change_cents,
            staked_cents=own.staked_cents,
            void=own.void,
            banked=own.banked,
        )
        for own in own_rounds
    ]


@router.get(
    "/tables/{table}/rounds/{number}", responses=answer_of(ReplayView, "The replay of an own round")
)
async def replay(
    table: TableNamed, number: Numbered, account: CurrentAccount, services: CurrentServices
) -> Response:
    """The replay of an own round, with what its player was allowed to see."""
    body = await services.round_pool.run(
        lambda: msgspec.json.encode(_replay(services, table, number, account))
    )
    return Response(body, media_type="application/json")


@router.get(
    "/tables/{table}/rounds/{number}/proof",
    responses=answer_of(AnyProofForm, "The proof that the round was dealt fairly"),
)
async def proof(
    table: TableNamed, number: Numbered, account: CurrentAccount, services: CurrentServices
) -> Response:
    """The proof that a round was dealt fairly; it contains own hands, and no hidden cards."""
    text = await services.round_pool.run(lambda: _proof(services, table, number, account))
    return Response(text, media_type="application/json")


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


def _replay(services: Services, table: str, number: int, account: Account) -> ReplayView:
    own, recorded, seat = _own_round(services, table, number, account.player)
    steps = replay_steps(recorded, seat=seat, player=account.player)
    house = recorded.opened.house
    return ReplayView(
        round=round_id(table, number),
        number=number,
        at_ms=own.at_ms,
        house=house.id,
        fingerprint=house.fingerprint,
        void=recorded.void,
        seat=seat,
        steps=steps,
        lines=own_lines(steps),
        staked_cents=own.staked_cents,
        net_cents=own.credit_change_cents,
    )


def _proof(services: Services, table: str, number: int, account: Account) -> str:
    reader = services.round_reader
    try:
        if account.role in _STAFF:
            return proof_json(reader.proof(_read_round(services, table, number)))
        _, recorded, seat = _own_round(services, table, number, account.player)
        return proof_json(reader.proof(recorded, seat=seat))
    except ProofError as error:
        raise Denied(HTTPStatus.CONFLICT, "no_proof", str(error)) from error


def _own_round(
    services: Services, table: str, number: int, player: str
) -> tuple[PlayerRound, RecordedRound, int]:
    """A finished round of the player's, and the seat that it was played from."""
    own = services.player_rounds.round(table, player, number)
    if own is None:
        raise not_found(f"You have no round {number} at {table}.")
    recorded = _read_round(services, table, number, version=own.wager_version)
    if recorded.ended is None:
        raise Denied(HTTPStatus.CONFLICT, "in_progress", "This round is not over yet.")
    seat = services.round_reader.seat_of_wager(table, own.wager_version)
    return own, recorded, seat


def _read_round(
    services: Services, table: str, number: int, *, version: int | None = None
) -> RecordedRound:
    try:
        return services.round_reader.read(table, number, version=version)
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
    house = services.floor.tools.rulebook.house(proof.fingerprint)
    if house is None:
        house = services.catalog.houses.get(proof.house)
    if house is None or house.fingerprint != proof.fingerprint:
        raise ProofError(f"The rules of this round are not known here: {proof.house}.")
    return house


async def _playing(services: Services, table: str, viewer: Viewer | None) -> int:
    """The number of the first round that is not over at a table."""
    state = await services.lobby.table_for(table, viewer)
    return state.rounds if state.playing is not None else state.rounds + 1
