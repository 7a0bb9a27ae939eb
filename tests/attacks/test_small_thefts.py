"""A player takes play money twice by asking twice at once, banks a round with one cent so that the
others pay the collection for nothing, or names a hand in digits that only some readers understand.
"""

import asyncio
from pathlib import Path

import pytest

from openfelt.client import Refused, Terminal
from openfelt.protocol import messages
from openfelt.rules.wagers import Spot
from openfelt.storage.codec import Codec, CodecError
from tests.kit.server.halls import open_hall
from tests.kit.server.open_house import open_house

OTHER_SPELLINGS = [
    "\u0663.\u0661",  # Arabic-Indic digits
    "\uff13.1",  # a full-width digit
    "3.\u00b9",
    "+3.1",
    "-3.1",
    " 3.1",
    "3.1 ",
    "3.1\n",
    "3_0.1",
    "03.1",
    "3.01",
    "0.1",
    "3.0",
    "3",
    "3.1.1",
    "3,1",
    "0x3.1",
    "3e0.1",
    "",
    ".",
]


async def test_top_ups_at_once_under_different_ids_fill_the_wallet_once(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        guest = await house.guest()
        player = (await guest.get("/api/v1/me")).json()["player"]
        house.services.floor.cashier.withdraw(player, 100_000, id="spent")
        asking = [guest.post("/api/v1/wallet/top-up", json={"id": f"{n}"}) for n in range(20)]
        assert {answer.status_code for answer in await asyncio.gather(*asking)} == {200}
        assert (await guest.get("/api/v1/me")).json()["wallet_cents"] == 100_000


async def test_money_at_tables_counts_for_a_top_up(tmp_path: Path) -> None:
    """A player who buys in for everything and bets a part of it still holds all of it."""
    async with open_house(tmp_path) as house:
        guest = await house.guest()
        player = (await guest.get("/api/v1/me")).json()["player"]
        table = (await guest.post("/api/v1/tables/private", json={"house": "online"})).json()
        await house.sit(table["table"], player, 1, 100_000)
        for bet in (False, True):
            if bet:
                await house.bet(table["table"], 1)
            answer = await guest.post("/api/v1/wallet/top-up", json={"id": f"more {bet}"})
            assert answer.json()["wallet_cents"] == 0
        await house.play(table["table"])
        state = await house.state(table["table"])
        answer = await guest.post("/api/v1/wallet/top-up", json={"id": "after the round"})
        lost_cents = max(0, 100_000 - state.seats[1].credit_cents)
        assert answer.json()["wallet_cents"] == lost_cents


async def test_no_round_is_banked_with_one_cent(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall:
        await hall.open("room-1", "california")
        async with hall.terminal("room-1", "ann") as ann, hall.terminal("room-1", "bob") as bob:
            await ann.sit(buy_in_cents=50_000)
            await bob.sit(buy_in_cents=50_000)
            for cents in (1, 99, 2_999):
                assert await refused(ann, messages.TakeBank(seat=1, cover_cents=cents)) == (
                    "bank_wager_small"
                )
            assert "take_bank" in ann.private.may
            await ann.ask(messages.TakeBank(seat=1, cover_cents=3_000))
            await bob.until(lambda now: now.public.round is not None)


async def refused(terminal: Terminal, command: messages.CommandAsked) -> str | None:
    try:
        await terminal.ask(command)
    except Refused as refusal:
        return refusal.code
    return None


@pytest.mark.parametrize("text", OTHER_SPELLINGS)
def test_a_hand_has_one_spelling(text: str) -> None:
    with pytest.raises(ValueError, match="name of a hand"):
        Spot.parse(text)
    with pytest.raises(CodecError):
        Codec(lambda _: None).from_plain(Spot, text)


async def test_other_spellings_are_refused_on_the_wire(tmp_path: Path) -> None:
    async with open_hall(tmp_path) as hall:
        await hall.open("hall-1", "online")
        async with hall.terminal("hall-1", "ann") as ann:
            await ann.sit(buy_in_cents=50_000)
            ante = messages.WagerAsked(kind="ante", cents=500)
            for text in OTHER_SPELLINGS:
                bet = messages.SetWagers(spot=text, wagers=[ante])
                assert await refused(ann, bet) == "malformed", text
