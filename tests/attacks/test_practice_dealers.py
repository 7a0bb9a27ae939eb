"""A practice dealer deals at another table, or on a floor that is no local starter floor."""

from pathlib import Path
from typing import Any

import pytest

from openfelt.client import Casino, CasinoError, Refused
from openfelt.protocol.messages import ChangeDealer, OpenBets
from tests.kit.server.open_house import SUPERVISOR, open_house, settings_in
from tests.kit.server.real_server import served


async def test_a_visitor_deals_at_the_demonstration_table_and_at_no_other(tmp_path: Path) -> None:
    with served(settings_in(tmp_path, port=0)) as address:
        async with Casino(address) as supervisor, Casino(address) as visitor:
            await supervisor.sign_in(**SUPERVISOR)
            live = {"table": "pit-3", "house": "washington", "dealer_mode": "live"}
            await supervisor.post("/api/v1/tables", live)
            me = await visitor.post("/api/v1/practice-dealer")
            assert (me["role"], me["guest"], me["practice_table"]) == ("dealer", True, "demo-1")
            assert me["wallet_cents"] == 0
            async with visitor.table("demo-1") as dealer:
                await dealer.ask(ChangeDealer(dealer=me["name"]))
                await dealer.ask(OpenBets())
                assert dealer.public.round is not None
            async with visitor.table("pit-3") as stranger:
                assert stranger.private.may == []
                with pytest.raises(Refused) as refused:
                    await stranger.ask(ChangeDealer(dealer=me["name"]))
                assert refused.value.code == "signed_out"
            for path in ("/api/v1/readers", "/api/v1/terminals"):
                with pytest.raises(CasinoError, match="not_allowed"):
                    await visitor.get(path)
            await visitor.sign_up("ann", "correct horse battery")
            assert (await visitor.me())["player"] == "ann"


@pytest.mark.parametrize(
    "changes",
    [
        {"starter": False, "play_money": True},
        {"play_money": False},
        {"hosts": frozenset({"casino.example"})},
    ],
)
async def test_elsewhere_no_visitor_deals(tmp_path: Path, changes: dict[str, Any]) -> None:
    async with open_house(tmp_path, **changes) as house:
        client = await house.client()
        assert (await client.get("/api/v1/me")).json()["practice_table"] is None
        answer = await client.post("/api/v1/practice-dealer")
        assert (answer.status_code, answer.json()["code"]) == (403, "no_practice_dealers")


async def test_a_practice_dealer_of_yesterday_does_nothing_on_another_floor(tmp_path: Path) -> None:
    with served(settings_in(tmp_path, port=0)) as address:
        async with Casino(address) as casino:
            await casino.post("/api/v1/practice-dealer")
            cookies = dict(casino._http.cookies)
    with served(settings_in(tmp_path, port=0, play_money=False)) as address:
        async with Casino(address) as casino:
            casino._http.cookies.update(cookies)
            assert (await casino.me())["role"] == "dealer"
            async with casino.table("demo-1") as terminal:
                assert terminal.private.may == []
