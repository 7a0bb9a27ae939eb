"""A round that many terminals verify is read once, and their proofs share its list of seeds."""

import asyncio

import httpx
import pytest

from openfelt.rules import SetWagers
from openfelt.rules.wagers import Spot
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import SEEDS_INSIDE_MAX
from openfelt.runtime.rounds.proof_forms import read_proof, read_seed_list
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.rounds.seed_check import SeedListMissing
from openfelt.server.history import recent_rounds
from openfelt.table.commands import SYSTEM, EndTime, RevealSeed, SeededWagers
from openfelt.table.seeds import seed_commitment
from tests.kit.floors import smallest_wagers
from tests.kit.server.open_house import OpenHouse, name_of

HALL = "stadium-1"
PLAYERS = SEEDS_INSIDE_MAX + 2
ROUND = f"/api/v1/tables/{HALL}/rounds/1"
DRAW_ROUND = "/api/v1/tables/draw-1/rounds/1"


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rounds that the server has read from its store."""
    found: list[str] = []
    read = RoundReader.read

    def counted(self: RoundReader, table: str, number: int, **where: int | None) -> object:
        found.append(f"{table}/{number}")
        return read(self, table, number, **where)

    monkeypatch.setattr(RoundReader, "read", counted)
    return found


async def played_hall(house: OpenHouse) -> list[httpx.AsyncClient]:
    """Two guests and many other players have played a round at a stadium, each with a seed."""
    guests = [await house.guest(), await house.guest()]
    names = [await name_of(guest) for guest in guests]
    for seat in range(3, PLAYERS + 1):
        names.append(f"player-{seat}")
        house.services.floor.cashier.deposit(names[-1], 100_000, id=f"deposit-{seat}")
    wagers = smallest_wagers((await house.state(HALL)).house)
    for seat, name in enumerate(names, start=1):
        await house.sit(HALL, name, seat)
        bound = seed_commitment(f"{HALL}/1", seat, _seed(seat))
        await house.do(HALL, SeededWagers(SetWagers(Spot(seat, 1), wagers), bound), name)
    clock = (await house.state(HALL)).clock
    assert clock is not None
    await house.do(HALL, EndTime(clock.number), SYSTEM)
    for seat, name in enumerate(names[:-1], start=1):
        await house.do(HALL, RevealSeed(seat, _seed(seat)), name)
    # The last seed is withheld.
    await house.play(HALL)
    return guests


def _seed(seat: int) -> str:
    return f"{seat:02x}" * 32


async def test_all_terminals_of_a_hall_share_one_reading_and_one_list(
    house: OpenHouse, reads: list[str]
) -> None:
    guests = await played_hall(house)
    proofs = await asyncio.gather(*(guest.get(f"{ROUND}/proof") for guest in guests * 3))
    lists = await asyncio.gather(*(guest.get(f"{ROUND}/seeds") for guest in guests * 3))
    assert reads == [f"{HALL}/1"]
    assert {answer.status_code for answer in (*proofs, *lists)} == {200}
    assert len({answer.text for answer in lists}) == 1
    assert {answer.headers["content-encoding"] for answer in lists} == {"gzip"}
    rules = (await house.state(HALL)).house
    for seat, answer in enumerate(proofs[:2], start=1):
        proof = read_proof(answer.text)
        assert [spot.seat for spot in proof.spots] == [seat]
        with pytest.raises(SeedListMissing):
            check_round_proof(proof, rules)
        checked = check_round_proof(proof.with_seeds(read_seed_list(lists[0].text)), rules)
        assert (checked.seeds, checked.seeds_withheld) == (PLAYERS - 1, 1)
        whole = await guests[seat - 1].get(f"{ROUND}/proof?whole=true")
        assert check_round_proof(read_proof(whole.text), rules) == checked
        assert len(answer.text) < len(whole.text) - PLAYERS * 64
    assert reads == [f"{HALL}/1"]


async def test_the_list_comes_unpacked_where_the_caller_wants_it_so(house: OpenHouse) -> None:
    ann, _ = await played_hall(house)
    plain = await ann.get(f"{ROUND}/seeds", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.text == (await ann.get(f"{ROUND}/seeds")).text


async def test_who_did_not_play_a_round_gets_no_list_even_if_it_has_been_read(
    house: OpenHouse,
) -> None:
    guests = await played_hall(house)
    assert (await guests[0].get(f"{ROUND}/seeds")).status_code == 200
    assert (await (await house.guest()).get(f"{ROUND}/seeds")).status_code == 404
    assert (await (await house.client()).get(f"{ROUND}/seeds")).status_code == 401
    assert (await (await house.supervisor()).get(f"{ROUND}/seeds")).status_code == 200


async def test_a_round_in_progress_is_not_kept(house: OpenHouse, reads: list[str]) -> None:
    ann = await house.guest()
    await house.sit("draw-1", await name_of(ann), 1)
    await house.bet("draw-1", 1)
    for _ in range(2):
        for page in ("proof", "seeds"):
            answer = await ann.get(f"{DRAW_ROUND}/{page}")
            assert answer.json()["code"] == "in_progress"
    assert len(reads) == 4
    await house.play("draw-1")
    assert (await ann.get(f"{DRAW_ROUND}/proof")).status_code == 200
    assert (await ann.get(f"{DRAW_ROUND}/seeds")).json()["list"] == {"revealed": {}, "withheld": {}}
    assert len(reads) == 5


async def test_rounds_are_forgotten_when_there_are_too_many_and_after_a_while(
    house: OpenHouse, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = await house.guest()
    await house.sit("draw-1", await name_of(ann), 1)
    for _ in range(2):
        await house.bet("draw-1", 1)
        await house.play("draw-1")
    monkeypatch.setattr(recent_rounds, "ROUNDS_MAX", 1)
    second = DRAW_ROUND.replace("rounds/1", "rounds/2")
    for path in (DRAW_ROUND, second, second, DRAW_ROUND):
        assert (await ann.get(f"{path}/proof")).status_code == 200
    assert reads == ["draw-1/1", "draw-1/2", "draw-1/1"]
    monkeypatch.setattr(recent_rounds, "SECONDS_MAX", 0)
    assert (await ann.get(f"{DRAW_ROUND}/proof")).status_code == 200
    assert reads[3:] == ["draw-1/1"]
