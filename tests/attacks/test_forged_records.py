"""The administrator of the database, without a key of the house, writes to its tables: a role in a
snapshot or an appended event, another password, a deposit with a correct chain, an event beyond a
head, a lease on a link. The server acts on none of it, and goes on with everything else."""

import logging
from contextlib import closing
from pathlib import Path
from typing import Any

import pyotp
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.audit import audit
from openfelt.runtime.notary.notary import Notary, NotaryError
from openfelt.runtime.notary.own_stream import check_own_stream
from openfelt.storage.addresses import open_store
from openfelt.storage.door import CodesRemoved, Forged
from openfelt.table.commands import BuyIn, TakeSeat
from tests.forgeries import (
    appended_deposit,
    appended_role,
    codes_removed,
    event_beyond_head,
    fence_on_link,
    overwritten_password,
    overwritten_recovery_codes,
    supervisor_by_snapshot,
)
from tests.kit.audit.forger import Forger
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house
from tests.kit.storage.store_places import Place

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ANN = {"name": "ann", "password": PASSWORD}


async def ann_signs_up(house: OpenHouse) -> None:
    """Open an account for ann, as a player, and wallets for bob and cat."""
    client = await house.guest()
    assert (await client.post("/api/v1/sign-up", json=ANN)).status_code < 300
    for player in ("bob", "cat"):
        house.services.floor.cashier.deposit(player, 10_000, id=f"first of {player}")


async def role_of_ann(house: OpenHouse) -> str | int:
    """The role that ann has when she signs in, or the status where she cannot."""
    client = await house.client()
    answer = await client.post("/api/v1/sign-in", json=ANN)
    if answer.status_code != 200:
        return answer.status_code
    return str((await client.get("/api/v1/me")).json()["role"])


async def test_a_snapshot_makes_no_supervisor(place: Place, tmp_path: Path) -> None:
    database = str(place.address)
    async with open_house(tmp_path, database=database) as house:
        await ann_signs_up(house)
    supervisor_by_snapshot.forge(Forger(place.run))
    async with open_house(tmp_path, database=database) as house:
        assert await role_of_ann(house) == "player"


async def test_an_appended_event_makes_no_supervisor(place: Place, tmp_path: Path) -> None:
    database = str(place.address)
    async with open_house(tmp_path, database=database) as house:
        await ann_signs_up(house)
        appended_role.forge(Forger(place.run))
        assert await role_of_ann(house) == 503
    async with open_house(tmp_path, database=database) as house:
        assert await role_of_ann(house) == 503
        # No other account is affected.
        await house.supervisor()
        await house.guest()


async def test_an_event_beyond_a_head_is_not_read(place: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
    event_beyond_head.forge(Forger(place.run))
    async with open_house(tmp_path, database=str(place.address)) as house:
        account = house.services.accounts.get("ann", fresh=True)
        assert account is not None
        assert account.role.value == "player"


async def test_another_password_opens_nothing(place: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        overwritten_password.forge(Forger(place.run))
        client = await house.client()
        body = {"name": "supervisor", "password": "known to the forger"}
        assert (await client.post("/api/v1/sign-in", json=body)).status_code == 503
        assert await role_of_ann(house) == "player"


async def test_other_recovery_codes_open_nothing(place: Place, tmp_path: Path) -> None:
    clock = StandingClock()
    async with open_house(tmp_path, database=str(place.address), clock=clock) as house:
        eve = await house.supervisor()
        secret = (await eve.post("/api/v1/second-factor", json={})).json()["secret"]
        code = pyotp.TOTP(secret).at(clock.wall_ms() // 1000)
        answer = await eve.post("/api/v1/second-factor/confirm", json={"code": code})
        assert answer.status_code == 200
        overwritten_recovery_codes.forge(Forger(place.run))
        account = house.services.accounts.get("supervisor", fresh=True)
        assert account is not None
        with pytest.raises(Forged):
            house.services.accounts.recovery_hashes(account)


async def test_an_appended_deposit_is_neither_signed_nor_built_upon(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        services = house.services
        notary = Notary(services.store, KEY, services.clock, published=tmp_path / "published")
        assert notary.sign() is not None
        appended_deposit.forge(Forger(place.run))
        services.floor.cashier.deposit("bob", 500, id="second of bob")
        with pytest.raises(NotaryError, match="not written with a key of this house"):
            notary.sign()
        with pytest.raises(Forged):
            services.floor.cashier.withdraw("cat", 500, id="second of cat")
        assert services.floor.cashier.withdraw("bob", 500, id="third of bob").accepted


@pytest.mark.parametrize("witness", ["checkpoints", "keys"])
async def test_a_database_whose_codes_were_removed_is_not_opened(
    place: Place, tmp_path: Path, witness: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It looks like one of an earlier version; what is outside of it knows that it had codes."""
    settings: dict[str, Any] = {}
    if witness == "keys":
        monkeypatch.delenv("OPENFELT_KEYS")
        monkeypatch.setenv("OPENFELT_KEYS_FILE", str(tmp_path / "felt.keys"))
    else:
        settings = {"notary_key": tmp_path / "felt.notary.key", "notary_ms": 60_000}
    async with open_house(tmp_path, database=str(place.address), **settings) as house:
        await ann_signs_up(house)
    codes_removed.forge(Forger(place.run))
    before = place.run("SELECT count(*) FROM events")
    with pytest.raises(CodesRemoved):
        async with open_house(tmp_path, database=str(place.address), **settings):
            pass
    with closing(open_store(str(place.address))) as store:
        if witness == "keys":
            # No command does it either.
            with pytest.raises(CodesRemoved):
                store.authenticate(1)
            report = audit(store)
            words = "\n".join(str(finding) for finding in report.findings)
            assert "The event that records the start of authentic appends is missing" in words
        else:
            # Once it were taken as it is, the published checkpoints still know better.
            store.authenticate(1)
            with pytest.raises(CodesRemoved):
                check_own_stream(store, tmp_path / "felt.notary.key.checkpoints")
            return
    assert place.run("SELECT count(*) FROM events") == before


async def test_a_lease_on_a_link_stops_no_table(place: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        fence_on_link.forge(Forger(place.run))
        await house.sit("washington-1", "bob", 1, cents=5_000)
        await house.bet("washington-1", 1)
        await house.play("washington-1")
        assert house.services.floor.stopped == {}


async def test_a_forged_table_stops_alone_and_says_so(
    place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        await house.sit("draw-1", "bob", 1, cents=5_000)
    forger = Forger(place.run)
    forger.append("table/draw-1", "bought_in", {"seat": 1, "cents": 1_000_000})
    with caplog.at_level(logging.ERROR):
        async with open_house(tmp_path, database=str(place.address)) as house:
            answer = await house.ask("draw-1", BuyIn(1, 100), "bob")
            assert (answer.refused, answer.sentence) == (
                "stopped",
                "The record of this table cannot be opened now.",
            )
            await house.do("washington-1", TakeSeat(1), "cat")
            health = (await (await house.client()).get("/healthz")).json()
            assert health["status"] == "degraded"
            assert health["tables_stopped"] == ["draw-1"]
    assert "table draw-1" in caplog.text


async def test_an_event_where_the_next_one_goes_stops_its_table_and_says_so(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        await house.sit("draw-1", "bob", 1, cents=5_000)
        body = {"seat": 1, "cents": 1_000_000}
        Forger(place.run).append("table/draw-1", "bought_in", body, moved=False)
        assert (await house.ask("draw-1", BuyIn(1, 100), "bob")).refused == "stopped"
        # It stays so: what is there cannot be written over, and is not read.
        mailbox = await house.services.floor.mailbox("draw-1")
        assert not mailbox.worker.try_again()
        health = (await (await house.client()).get("/healthz")).json()
        assert (health["status"], health["tables_stopped"]) == ("degraded", ["draw-1"])
        await house.do("washington-1", TakeSeat(1), "cat")


async def test_a_deck_where_the_next_one_goes_stops_its_table_and_says_so(
    place: Place, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await ann_signs_up(house)
        await house.sit("draw-1", "bob", 1, cents=5_000)
        place.run("INSERT INTO secrets VALUES ('table/draw-1', '2/table', 'x', '')")
        await house.bet("draw-1", 1)
        # The deck of the next round is sealed with the end of this one.
        with pytest.raises(AssertionError, match="stopped"):
            await house.play("draw-1")
        assert "table/draw-1 already has a secret 2/table" in caplog.text
        await house.do("washington-1", TakeSeat(1), "cat")
