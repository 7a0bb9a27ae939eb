"""Card readers: their tokens, and the cards that they send to a live table by HTTP."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from openfelt.rules.round_actions import CloseBets
from openfelt.runtime.audit.database import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.accounts.viewer import Viewer
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from openfelt.server.tables.subscriptions import Subscription
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.commands import ChangeDealer, OpenBets, Person, Role
from tests.kit.server.open_house import OpenHouse, open_house

DORA = Person(Role.DEALER, "dora")
CARDS = "/api/v1/tables/pit-3/cards"


class Device:
    """A card reader with its token."""

    def __init__(self, client: httpx.AsyncClient, reader: str, token: str) -> None:
        self.id = reader
        self.token = token
        self._client = client
        self._headers = {"Authorization": f"Bearer {token}"}

    async def send(self, card: str, name: str | None = None, **more: Any) -> httpx.Response:
        """Send a card, under its own text as the id unless another is given."""
        asked = {"id": name or f"scan {card}", "card": card, **more}
        return await self._client.post(CARDS, json=asked, headers=self._headers)

    async def due(self, table: str = "pit-3") -> httpx.Response:
        """Ask what is due."""
        return await self._client.get(f"/api/v1/tables/{table}/cards", headers=self._headers)


async def device(house: OpenHouse, label: str = "Shuffler 3") -> Device:
    supervisor = await house.supervisor()
    asked = {"table": "pit-3", "label": label}
    issued = (await supervisor.post("/api/v1/readers", json=asked)).json()
    return Device(await house.client(), issued["id"], issued["token"])


@contextlib.asynccontextmanager
async def live_house(folder: Path, **changes: Any) -> AsyncIterator[OpenHouse]:
    async with open_house(folder, **changes) as house:
        supervisor = await house.supervisor()
        live = {"table": "pit-3", "house": "washington", "dealer_mode": "live"}
        assert (await supervisor.post("/api/v1/tables", json=live)).status_code == 200
        yield house


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A floor with the live table pit-3."""
    async with live_house(tmp_path) as house:
        yield house


async def begin(house: OpenHouse) -> None:
    """Let one hand bet, and the dealer close the bets: its first card is due."""
    house.services.floor.cashier.deposit("ann", 100_000, id="first")
    await house.sit("pit-3", "ann", 1)
    await house.do("pit-3", ChangeDealer("dora"), DORA)
    await house.do("pit-3", OpenBets(), DORA)
    await house.bet("pit-3", 1)
    await house.do("pit-3", CloseBets(), DORA)


async def watched(house: OpenHouse, person: Person) -> Subscription:
    """A viewer of the table, who has been welcomed."""
    room = await house.services.rooms.room("pit-3")
    subscription = await room.enter(Viewer(person), seen=None)
    subscription.queue.get_nowait()
    return subscription


def told(subscription: Subscription) -> list[tuple[str | None, str, str]]:
    """The refused scans that a viewer has been told of."""
    messages = []
    while not subscription.queue.empty():
        messages.append(json.loads(subscription.queue.get_nowait()))
    scans = [message for message in messages if message["type"] == "scan_refused"]
    return [(message["read"], message["refused"], message["sentence"]) for message in scans]


# Tokens ------------------------------------------------------------------------------------


async def test_a_reader_sends_cards_no_faster_than_a_dealer_draws_them(tmp_path: Path) -> None:
    limits = Limits(scans=Rate(per_minute=60, burst=2))
    async with live_house(tmp_path, limits=limits) as house:
        reader, other = await device(house), await device(house, "Shuffler 4")
        answers = [await reader.send("As", f"scan {number}") for number in range(3)]
        assert [answer.status_code for answer in answers] == [409, 409, 429]
        assert (await other.send("As")).status_code == 409
        house.clock.pass_ms(1000)
        assert (await reader.send("As", "scan 4")).status_code == 409


async def test_a_token_is_issued_listed_and_revoked(floor: OpenHouse) -> None:
    # The supervisor signs in last: an account has one session.
    shuffler, supervisor = await device(floor), await floor.supervisor()
    (listed,) = (await supervisor.get("/api/v1/readers")).json()
    assert (listed["id"], listed["table"]) == (shuffler.id, "pit-3")
    assert (listed["label"], listed["by"]) == ("Shuffler 3", "supervisor")
    assert shuffler.token not in json.dumps(listed)
    assert (await shuffler.due()).json()["sentence"] == "No round is in progress."
    revoke = f"/api/v1/readers/{shuffler.id}"
    assert (await supervisor.delete(revoke)).status_code == 200
    assert (await supervisor.delete(revoke)).status_code == 404
    assert (await supervisor.get("/api/v1/readers")).json() == []
    assert (await shuffler.due()).status_code == 401
    assert (await shuffler.send("As")).status_code == 401


async def test_a_token_is_good_for_one_table_and_nothing_else(floor: OpenHouse) -> None:
    shuffler = await device(floor)
    assert (await shuffler.due("washington-1")).status_code == 401
    client, headers = await floor.client(), {"Authorization": f"Bearer {shuffler.token}"}
    for method, path in (
        ("GET", "/api/v1/readers"),
        ("GET", "/api/v1/tables/pit-3/card-codes"),
        ("POST", "/api/v1/tables"),
        ("GET", "/api/v1/tables/pit-3/rounds"),
    ):
        assert (await client.request(method, path, headers=headers)).status_code == 401
    assert (await client.get("/api/v1/me", headers=headers)).json()["name"] is None
    for caller in (await floor.supervisor(), await floor.guest()):
        assert (await caller.get(CARDS)).json()["sentence"] == (
            "Only a card reader of this table may do that."
        )


async def test_no_token_is_issued_for_cards_that_are_virtual(floor: OpenHouse) -> None:
    supervisor = await floor.supervisor()
    asked = {"table": "washington-1", "label": "Shoe"}
    assert (await supervisor.post("/api/v1/readers", json=asked)).json()["code"] == (
        "cards_are_virtual"
    )
    asked["table"] = "nowhere"
    assert (await supervisor.post("/api/v1/readers", json=asked)).status_code == 404


# Cards -------------------------------------------------------------------------------------


@pytest.mark.clause("S.15")
async def test_each_card_takes_the_place_that_is_due(floor: OpenHouse, tmp_path: Path) -> None:
    shuffler = await device(floor)
    await begin(floor)
    assert (await shuffler.due()).json() == {
        "round": 1,
        "step": "card",
        "place": "hand 1.1 card 1",
        "sentence": "Next card: hand 1.1 card 1.",
    }
    first = (await shuffler.send("AS")).json()
    assert (first["card"], first["place"]) == ("As", "hand 1.1 card 1")
    assert first["due"]["place"] == "hand 1.1 card 2"
    places = [(await shuffler.send(card)).json()["place"] for card in ("10h", "2c", "7d")]
    assert places == ["hand 1.1 card 2", "dealer card 1", "dealer card 2"]
    assert (await shuffler.due()).json()["step"] == "decisions"
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        causes = [event.cause for event in store.events("table/pit-3")]
        scans = [cause for cause in causes if cause.actor.startswith("reader:")]
        assert {cause.terminal for cause in scans} == {f"reader:{shuffler.id[:16]}"}
        report = audit(store, others=ACCOUNT_AUDITS)
        assert report.findings == ()


async def test_a_retried_call_deals_nothing_and_gets_the_first_answer(floor: OpenHouse) -> None:
    shuffler = await device(floor)
    await begin(floor)
    answers = await asyncio.gather(*(shuffler.send("As") for _ in range(5)))
    assert {answer.json()["place"] for answer in answers} == {"hand 1.1 card 1"}
    await shuffler.send("Kd")
    again = (await shuffler.send("As")).json()
    assert (again["place"], again["due"]["place"]) == ("hand 1.1 card 1", "dealer card 1")
    reused = await shuffler.send("Qc", "scan As")
    assert (reused.status_code, reused.json()["code"]) == (409, "id_reused")
    # From now on the id tells nothing, not even which card was right.
    assert (await shuffler.send("As")).json() == reused.json()
    assert (await shuffler.due()).json()["place"] == "dealer card 1"


async def test_refusals_are_sentences_that_the_dealer_is_told_once(floor: OpenHouse) -> None:
    shuffler = await device(floor)
    await begin(floor)
    dealer, player = await watched(floor, DORA), await watched(floor, Person(Role.PLAYER, "ann"))
    other = await watched(floor, Person(Role.DEALER, "dan"))
    supervisor = await watched(floor, Person(Role.FLOOR, "eve"))
    await shuffler.send("As")
    for _ in range(2):
        twice = await shuffler.send("As", "again")
        assert twice.status_code == 409
        assert twice.json() == {
            "code": "card_already_dealt",
            "sentence": "The ace of spades has already been dealt.",
        }
    assert (await shuffler.send("Zz")).json()["code"] == "malformed"
    for card in ("Kd", "2c", "7d"):
        await shuffler.send(card)
    early = await shuffler.send("9h")
    assert early.json() == {"code": "no_card_expected", "sentence": "No card is dealt now."}
    # No card is named to them: it may lie face down.
    expected = [
        (None, "card_already_dealt", "The card has already been dealt."),
        ("Zz", "malformed", "'Zz' is not a card, such as As or Td."),
        (None, "no_card_expected", "No card is dealt now."),
    ]
    assert told(dealer) == expected
    assert told(supervisor) == expected
    assert told(player) == told(other) == []


async def test_without_a_dealer_no_card_is_taken(floor: OpenHouse) -> None:
    shuffler = await device(floor)
    await begin(floor)
    await floor.do("pit-3", ChangeDealer(None), DORA)
    answer = await shuffler.send("As")
    assert answer.json() == {
        "code": "not_signed_on",
        "sentence": "No dealer is signed on at this table.",
    }
    await floor.do("pit-3", ChangeDealer("dora"), DORA)
    assert (await shuffler.send("As", "later")).json()["place"] == "hand 1.1 card 1"


async def test_two_readers_in_a_race_fill_a_place_once(floor: OpenHouse) -> None:
    readers = [await device(floor, label) for label in ("Left", "Right")]
    await begin(floor)
    sent = zip(readers, ("As", "Kd"), strict=True)
    answers = await asyncio.gather(
        *(reader.send(card, round=1, place="hand 1.1 card 1") for reader, card in sent)
    )
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    late = next(answer for answer in answers if answer.status_code == 409).json()
    assert late == {
        "code": "too_late",
        "sentence": "That card was for hand 1.1 card 1; hand 1.1 card 2 is due now.",
    }
    # Both read the same card: it is dealt once.
    answers = await asyncio.gather(*(reader.send("Qs") for reader in readers))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert (await readers[0].due()).json()["place"] == "dealer card 1"
    assert (await readers[0].send("2c", round=7)).json()["code"] == "too_late"
    assert (await readers[0].send("2c", "x", place="shoe")).json()["code"] == "malformed"


# The code table ----------------------------------------------------------------------------


async def test_codes_stand_for_cards(tmp_path: Path) -> None:
    file = tmp_path / "cards.toml"
    lines = [f'"04-{rank}{suit}" = "{rank}{suit}"' for suit in "cdhs" for rank in "23456789TJQKA"]
    file.write_text("\n".join(["[tables.pit-3]", *lines]), encoding="utf-8")
    async with live_house(tmp_path, card_codes=file) as house:
        shoe = await device(house)
        await begin(house)
        assert (await shoe.send("04-As")).json()["card"] == "As"
        assert (await shoe.send("Kd")).json()["place"] == "hand 1.1 card 2"
        wrong = await shoe.send("05-As")
        assert wrong.json() == {
            "code": "unknown_code",
            "sentence": "'05-As' is not in the code table: it is a card of another deck, or was "
            "misread.",
        }
        supervisor = await house.supervisor()
        codes = (await supervisor.get("/api/v1/tables/pit-3/card-codes")).json()["codes"]
        assert (len(codes), codes["04-Th"]) == (52, "Th")
        elsewhere = await supervisor.get("/api/v1/tables/washington-1/card-codes")
        assert elsewhere.json() == {"codes": {}}
