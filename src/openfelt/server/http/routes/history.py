"""Pages about rounds that are over: a player's own, their replay, and their proofs."""

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
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import RoundProof, RoundProofForm, round_id
from openfelt.runtime.rounds.record import NoSuchRound, proof_of_round
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.server.accounts.accounts import Account
from openfelt.server.accounts.events import AccountRole
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.history.player_rounds import PlayerRound
from openfelt.server.history.records import Recorded, read_round, round_proof, seat_at
from openfelt.server.history.replay import own_lines, replay_steps
from openfelt.server.http.dependencies import (
    CurrentAccount,
    CurrentCaller,
    CurrentServices,
    check_heavy_rate,
)
from openfelt.server.http.errors import Denied, not_found
from openfelt.server.services import Services

router = APIRouter(prefix=API, tags=["rounds"], dependencies=[Depends(check_heavy_rate)])

TableNamed = Annotated[str, Path(min_length=1, max_length=64, pattern="^[a-z0-9][a-z0-9_.@-]*$")]
Numbered = Annotated[int, Path(ge=1, le=2**53)]
_STAFF = (AccountRole.SUPERVISOR, AccountRole.AUDITOR)


class Page(BaseModel):
    """Which part of a list is wanted."""

    before: Annotated[int | None, Field(ge=1, le=2**53)] = None
    """Only rounds below this number."""
    limit: Annotated[int, Field(ge=1, le=100)] = 20


@router.get("/tables/{table}/rounds")
async def rounds(
    table: TableNamed,
    account: CurrentAccount,
    caller: CurrentCaller,
    services: CurrentServices,
    page: Annotated[Page, Query()],
) -> list[RoundLine]:
    """The player's own rounds at a table that are over, newest first."""
    playing = await _playing(services, table, caller.viewer)
    found = await asyncio.to_thread(
        lambda: services.player_rounds.rounds(
            table, account.player, below=min(page.before or playing, playing), limit=page.limit
        )
    )
    return [
        RoundLine(
            round=round_id(table, one.number),
            number=one.number,
            at_ms=one.at_ms,
            net_cents=one.net_cents,
            staked_cents=one.staked_cents,
            void=one.void,
            banked=one.banked,
        )
        for one in found
    ]


@router.get(
    "/tables/{table}/rounds/{number}", responses=answer_of(ReplayView, "An own round, card by card")
)
async def replay(
    table: TableNamed, number: Numbered, account: CurrentAccount, services: CurrentServices
) -> Response:
    """An own round again, card by card, with what its player was allowed to see."""
    body = await services.round_pool.run(
        lambda: msgspec.json.encode(_replay(services, table, number, account))
    )
    return Response(body, media_type="application/json")


@router.get(
    "/tables/{table}/rounds/{number}/proof",
    responses=answer_of(RoundProofForm, "What shows that the round was dealt fairly"),
)
async def proof(
    table: TableNamed, number: Numbered, account: CurrentAccount, services: CurrentServices
) -> Response:
    """What shows that a round was dealt fairly: own hands are in it, hidden cards are not."""
    text = await services.round_pool.run(lambda: _proof(services, table, number, account))
    return Response(text, media_type="application/json")


@router.post(
    "/verify",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": schema_of(RoundProofForm)}},
        }
    },
)
async def verify(request: Request, services: CurrentServices) -> Verdict:
    """Check a round's proof; it may come from anywhere."""
    body = await request.body()
    return await services.round_pool.run(lambda: _verify(services, body))


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
        net_cents=own.net_cents,
    )


def _proof(services: Services, table: str, number: int, account: Account) -> str:
    tools = services.floor.tools
    try:
        if account.role in _STAFF:
            return proof_of_round(tools.store, table, number).to_json()
        _, recorded, seat = _own_round(services, table, number, account.player)
        return round_proof(tools, recorded, seat=seat).to_json()
    except NoSuchRound as error:
        raise not_found(str(error)) from error
    except ProofError as error:
        raise Denied(HTTPStatus.CONFLICT, "no_proof", str(error)) from error


def _own_round(
    services: Services, table: str, number: int, player: str
) -> tuple[PlayerRound, Recorded, int]:
    """A finished round of the player's, and the seat that it was played from."""
    tools = services.floor.tools
    own = services.player_rounds.round(table, player, number)
    if own is None:
        raise not_found(f"You have no round {number} at {table}.")
    recorded = read_round(tools, table, number=number, version=own.wager_version)
    if recorded is None:
        raise Denied(HTTPStatus.CONFLICT, "in_progress", "This round is not over yet.")
    return own, recorded, seat_at(tools, table, own.wager_version)


def _verify(services: Services, body: bytes) -> Verdict:
    try:
        given = RoundProof.from_json(body.decode())
        house = services.floor.tools.rulebook.house(given.fingerprint)
        if house is None:
            known = services.catalog.houses.get(given.house)
            if known is None or known.fingerprint != given.fingerprint:
                raise ProofError(f"The rules of this round are not known here: {given.house}.")
            house = known
        checked = check_round_proof(given, house)
    except (ProofError, UnicodeDecodeError) as error:
        return Verdict(ok=False, cards_checked=0, cards_never_shown=0, problem=str(error))
    return Verdict(
        ok=True,
        cards_checked=checked.cards,
        cards_never_shown=checked.cards_never_shown,
        problem=None,
    )


async def _playing(services: Services, table: str, viewer: Viewer | None) -> int:
    """The number of the first round that is not over at a table."""
    found = await services.lobby.table_for(table, viewer)
    return found.rounds if found.playing is not None else found.rounds + 1
