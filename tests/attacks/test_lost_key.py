"""The file of the keys is lost, or an operator removes it to hide the cards of a round. The server
does not start and says what to do; giving the key up is a deed of the record, returns every stake
that is at risk, and is named by every later audit."""

import io
import json
import re
from contextlib import closing
from pathlib import Path

import pytest

from openfelt.cli import main
from openfelt.runtime.audit import audit
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.checkpoints import NamedHead
from openfelt.runtime.notary.own_stream import signed_heads
from openfelt.runtime.rounds.lost_key import declare_lost, loss_of
from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import lost_key_stream
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Cause, KeyFailure, KeyMissing
from openfelt.storage.keyring import Keyring
from tests.forgeries import key_that_is_not_there
from tests.kit.audit.forger import Forger
from tests.kit.audit.tampered_houses import KEY as NOTARY_KEY
from tests.kit.cli.commands import complaint, output
from tests.kit.cli.program import openfelt
from tests.kit.floors import StandingClock
from tests.kit.server.open_house import OpenHouse, open_house, settings_in
from tests.kit.server.real_server import free_port, served
from tests.kit.storage.store_places import Place

CREDIT_CENTS = 50_000
OPERATOR = Cause(actor="operator:olga", terminal="command line")


async def played(house: OpenHouse) -> None:
    """A finished round at one table, and a round in progress with hidden cards at another."""
    cashier = house.services.floor.cashier
    await house.services.floor.in_thread(lambda: cashier.deposit("ann", 1_000_000, id="1"))
    await house.sit("draw-1", "ann", 1, CREDIT_CENTS)
    await house.bet("draw-1", 1)
    await house.play("draw-1")
    await house.sit("washington-1", "ann", 1, CREDIT_CENTS)
    await house.bet("washington-1", 1)
    await house.deal("washington-1")


def lose(keys: Path) -> str:
    """Lose the file of the keys; gives the id of the key that was in it."""
    (key,) = Keyring(keys).ids
    keys.unlink()
    return key


def lines_of(keys: Path) -> list[str]:
    """The keys of a file, as they are written."""
    return [line for line in keys.read_text("ascii").splitlines() if not line.startswith("#")]


def write_lines(keys: Path, lines: list[str]) -> None:
    """Write other keys into a file."""
    keys.write_text("\n".join(lines) + "\n", "ascii")


async def test_a_lost_key_is_given_up_by_a_recorded_deed(
    place: Place, keys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = str(place.address)
    async with open_house(tmp_path, database=address) as house:
        await played(house)
        before = (await house.state("draw-1")).seats[1].credit_cents
    key = lose(keys)
    with pytest.raises(KeyMissing, match=f"openfelt keys lost --key {key}"):
        async with open_house(tmp_path, database=address):
            pass
    printed = output(capsys, "keys", "lost", address, "--key", key, "--yes")
    assert "Round washington-1/1 in progress is void." in printed
    assert "Round draw-1/2 that had been committed to is void." in printed
    async with open_house(tmp_path, database=address) as house:
        # Every stake is back, and play goes on with new decks under a new key.
        for table, cents in (("washington-1", CREDIT_CENTS), ("draw-1", before)):
            state = await house.state(table)
            assert state.playing is None
            assert state.seats[1].credit_cents == cents
        await house.bet("draw-1", 1)
        assert await house.play("draw-1") == 3
        reader = RoundReader(house.services.store)
        reader.proof(reader.read("draw-1", 3))
        with pytest.raises(Unprovable, match=f"{key}, which was declared lost"):
            reader.proof(reader.read("draw-1", 1))
        report = audit(house.services.store)
        assert report.findings == ()
        assert (report.counts.keys_lost, report.counts.rounds_unreadable) == (1, 2)
        assert any(f"declared the key {key} lost" in note for note in report.notes)
    deeds = output(capsys, "deeds", address, "--by", "operator:")
    assert "key_declared_lost" in deeds
    assert deeds.count("round_voided") >= 2


async def test_only_a_key_that_is_needed_and_missing_is_given_up(
    keys: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = str(tmp_path / "felt.db")
    async with open_house(tmp_path) as house:
        await played(house)
    (key,) = Keyring(keys).ids
    for named, words in (
        (key, "is there, so it is not lost"),
        ("12345678", "has never used the key"),
    ):
        assert words in complaint(capsys, "keys", "lost", address, "--key", named, "--yes")[0]
    assert "with --key" in complaint(capsys, "keys", "lost", address)[0]


async def test_a_deed_that_was_interrupted_is_finished_before_the_server_starts(
    place: Place, keys: Path, tmp_path: Path
) -> None:
    address = str(place.address)
    async with open_house(tmp_path, database=address) as house:
        await played(house)
    key = lose(keys)
    with closing(open_store(address)) as store:
        worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(8)), StandingClock())
        first = next(iter(declare_lost(worker_services, key, cause=OPERATOR)))
        assert first.table == "california-1"
    with pytest.raises(KeyFailure, match=f"run openfelt keys lost --key {key} on the database"):
        async with open_house(tmp_path, database=address):
            pass
    with closing(open_store(address)) as store:
        worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(9)), StandingClock())
        rest = {voided.table for voided in declare_lost(worker_services, key, cause=OPERATOR)}
        assert {"draw-1", "washington-1"} <= rest
        assert "california-1" not in rest
    async with open_house(tmp_path, database=address) as house:
        assert audit(house.services.store).findings == ()


async def test_a_key_that_is_found_again_opens_what_it_encrypted(
    keys: Path, tmp_path: Path
) -> None:
    async with open_house(tmp_path) as house:
        await played(house)
    (copy,) = lines_of(keys)
    key = lose(keys)
    with closing(open_store(str(tmp_path / "felt.db"))) as store:
        worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(8)), StandingClock())
        list(declare_lost(worker_services, key, cause=OPERATOR))
        report = audit(store)
        assert report.counts.rounds_unreadable == 2
    write_lines(keys, [copy, *lines_of(keys)])
    with closing(open_store(str(tmp_path / "felt.db"))) as store:
        report = audit(store)
        assert report.findings == ()
        assert report.counts.rounds_unreadable == 0
        reader = RoundReader(store)
        reader.proof(reader.read("draw-1", 1))


def test_a_real_server_names_the_key_and_the_command(keys: Path, tmp_path: Path) -> None:
    database = str(tmp_path / "felt.db")
    with served(settings_in(tmp_path, port=0)):
        pass
    key = lose(keys)
    stopped = openfelt(
        *("serve", "--database", database, "--port", str(free_port())),
        environment={"OPENFELT_KEYS_FILE": str(keys), "XDG_DATA_HOME": str(tmp_path)},
    )
    assert stopped.returncode != 0
    assert "Traceback" not in stopped.stderr
    words = re.sub(r"\s+", " ", stopped.stderr)
    assert f"openfelt keys lost --key {key}" in words


async def test_a_key_is_not_given_up_without_a_yes(
    keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_house(tmp_path) as house:
        await played(house)
    key = lose(keys)
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    with pytest.raises(SystemExit) as left:
        main(["keys", "lost", str(tmp_path / "felt.db"), "--key", key])
    assert left.value.code
    with closing(open_store(str(tmp_path / "felt.db"))) as store:
        assert store.lost_keys() == ()


@pytest.mark.usefixtures("keys")
async def test_a_key_that_was_never_used_launders_nothing(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A forger names an invented key, so that the operator declares it lost with the forgery."""
    async with open_house(tmp_path, database=str(place.address)) as house:
        await played(house)
        house.services.floor.cashier.deposit("cat", 100, id="cat")
    forger = Forger(place.run)
    key_that_is_not_there.forge(forger)
    forger.run("UPDATE secrets SET key = 'deadbeef' WHERE stream = 'table/draw-1'")
    words = complaint(capsys, "keys", "lost", str(place.address), "--key", "deadbeef", "--yes")[0]
    assert "has never used the key deadbeef" in words
    # More skilfully, the database itself says that it was used.
    forger.append("appends", "append_keys_used", {"keys": ["deadbeef"]})
    forger.run("UPDATE streams SET code = 'deadbeef:00' WHERE name = 'appends'")
    with closing(open_store(str(place.address))) as store:
        worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(1)), StandingClock())
        signed = {"appends": NamedHead(1, "0" * 64)}
        with pytest.raises(KeyFailure, match="appends is not what the notary has signed"):
            loss_of(worker_services, "deadbeef", signed)


async def test_what_no_checkpoint_covers_is_named_when_its_key_is_lost(
    place: Place, keys: Path, tmp_path: Path
) -> None:
    address = str(place.address)
    async with open_house(tmp_path, database=address) as house:
        await played(house)
        notary = Notary(house.services.store, NOTARY_KEY, house.clock)
        notary.sign()
        house.services.floor.cashier.deposit("ann", 100, id="unsigned")
    key = lose(keys)
    with closing(open_store(address)) as store:
        worker_services = WorkerServices.of(store, Shuffler(SeededEntropy(1)), StandingClock())
        signed = signed_heads(store, None, [notary.public_key])
        assert signed_heads(store, None, ["00"]) == {}
        version = store.head("wallet/ann").version
        other = {**signed, "wallet/ann": NamedHead(1, "0" * 64)}
        with pytest.raises(KeyFailure, match="wallet/ann is not what the notary has signed"):
            loss_of(worker_services, key, other)
        list(declare_lost(worker_services, key, cause=OPERATOR, signed=signed))
        (event,) = store.events(lost_key_stream(key))
        named = {end["stream"]: end for end in json.loads(event.body)["unsigned"]}
        assert named["wallet/ann"] == {
            "stream": "wallet/ann",
            "signed": version - 1,
            "version": version,
        }
        assert "table/draw-1" not in named or named["table/draw-1"]["signed"] > 0
