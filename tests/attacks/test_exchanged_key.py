"""A key may have been seen, so it is exchanged: a new one is added, everything is encrypted anew,
and the old one is destroyed. A copy of the old key then opens nothing, and all else works: rounds
in progress, old proofs, the audit, and one-time codes of staff."""

import time
from contextlib import closing
from pathlib import Path

import httpx
import pyotp
import pytest

from openfelt.protocol.api_prefix import API
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.storage.addresses import open_store
from openfelt.storage.door import KeyMissing
from openfelt.storage.keyring import Keyring
from tests.kit.cli.commands import output
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import SUPERVISOR, OpenHouse, open_house, settings_in
from tests.kit.server.real_server import free_port, served, server_process
from tests.kit.storage.store_places import Place


def exchange(keys: Path, address: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Exchange the key of a database, and destroy the old one; gives a copy of it."""
    output(capsys, "keys", "rotate")
    old, new = Keyring(keys).ids
    printed = output(capsys, "keys", "reencrypt", address)
    assert f"Keys that the database needs: {new}." in printed
    lines = keys.read_text("ascii").splitlines()
    keys.write_text("\n".join(line for line in lines if not line.startswith(old)) + "\n")
    assert Keyring(keys).ids == (new,)
    (copy,) = [line for line in lines if line.startswith(old)]
    return copy


async def set_up_code(house: OpenHouse) -> str:
    """Set up one-time codes for the supervisor; gives their secret."""
    eve = await house.supervisor()
    secret = str((await eve.post(f"{API}/second-factor", json={})).json()["secret"])
    code = pyotp.TOTP(secret).at(house.clock.wall_ms() // 1000)
    answer = await eve.post(f"{API}/second-factor/confirm", json={"code": code})
    assert answer.status_code == 200
    return secret


async def played(house: OpenHouse) -> None:
    """A purged round, a finished one, and one in progress with hidden cards."""
    cashier = house.services.floor.cashier
    await house.services.floor.in_thread(lambda: cashier.deposit("ann", 1_000_000, id="1"))
    await house.sit("draw-1", "ann", 1)
    await house.bet("draw-1", 1)
    await house.play("draw-1")
    house.clock.pass_ms(DAY_MS + 1)
    store, codec = house.services.store, house.services.floor.worker_services.codec
    assert Purge(store, codec, RoundReader(store), house.clock).step("draw-1", keep_days=1) == 1
    await house.bet("draw-1", 1)
    await house.play("draw-1")
    await house.sit("washington-1", "ann", 1)
    await house.bet("washington-1", 1)
    await house.deal("washington-1")


async def test_after_an_exchange_the_old_key_is_needed_for_nothing(
    place: Place, keys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, address = StandingClock(), str(place.address)
    async with open_house(tmp_path, database=address, clock=clock) as house:
        await played(house)
        secret = await set_up_code(house)
        before = await house.state("washington-1")
    old = exchange(keys, address, capsys)
    async with open_house(tmp_path, database=address, clock=clock) as house:
        assert (await house.state("washington-1")).round == before.round
        await house.play("washington-1")
        clock.pass_ms(30_000)
        eve = await house.client()
        code = pyotp.TOTP(secret).at(clock.wall_ms() // 1000)
        answer = await eve.post(f"{API}/sign-in", json=SUPERVISOR | {"code": code})
        assert answer.status_code == 200
        reader = RoundReader(house.services.store)
        for table, number in (("draw-1", 1), ("draw-1", 2), ("washington-1", 1)):
            recorded = reader.read(table, number)
            check_round_proof(reader.proof(recorded, seat=1), recorded.opened.house)
        report = audit(house.services.store)
        assert report.findings == ()
        assert not any("encrypted" in note for note in report.notes)
    thief = Keyring(tmp_path / "thief.keys", content=old)
    with closing(open_store(address, keyring=thief)) as store:
        for event in store.events("table/washington-1"):
            if event.decrypt is not None:
                with pytest.raises(KeyMissing):
                    event.plain_body  # noqa: B018 (reading it decrypts it)
        with pytest.raises(KeyMissing):
            store.secrets("account/supervisor", "totp/")


def test_a_real_server_takes_codes_after_an_exchange(
    keys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (
        served(settings_in(tmp_path, port=0)) as address,
        httpx.Client(base_url=address + API, verify=False) as eve,
    ):
        assert eve.post("/sign-in", json=SUPERVISOR).status_code == 200
        secret = eve.post("/second-factor", json={}).json()["secret"]
        code = pyotp.TOTP(secret).now()
        assert eve.post("/second-factor/confirm", json={"code": code}).status_code == 200
    exchange(keys, str(tmp_path / "felt.db"), capsys)
    with server_process(tmp_path, free_port()) as server:
        with httpx.Client(base_url=server.address + API, verify=False) as eve:
            # The code of the next half minute is taken already, and has not been used.
            code = pyotp.TOTP(secret).at(int(time.time()) + 30)
            signed_in = eve.post("/sign-in", json=SUPERVISOR | {"code": code})
            assert signed_in.status_code == 200, signed_in.text
        assert server.end() == 0
