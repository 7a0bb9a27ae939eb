"""A full stadium round with a seed from every terminal: settling it, and proving it to all.

Every terminal of a hall checks its round as soon as it is over. Printed are the time of the step
that settles the round, with seeds and without; the size of one terminal's proof with the list of
all seeds inside, as earlier versions sent it, and without; the size of the list, plain and packed;
and the time of a proof when the round is read for each terminal, and when it is read once.
``OPENFELT_BENCH_TERMINALS="500 2000"`` sets the sizes.
"""

import gzip
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random

from openfelt.catalog import load_house
from openfelt.ledger import Account, AccountKind
from openfelt.rules import Bet, CloseBets, MakeDecision, SetWagers, Spot, Wager, WagerKind
from openfelt.rules.house import DealerMode
from openfelt.runtime.requests import Request
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof, seed_list_json
from openfelt.runtime.rounds.record import RoundReader
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    Person,
    RevealSeed,
    Role,
    SeededWagers,
    TableCommand,
    TakeSeat,
)
from openfelt.table.seeds import seed_commitment
from tests.kit.floors import Desk, Shift

SIZES = [int(size) for size in os.environ.get("OPENFELT_BENCH_TERMINALS", "500 2000").split()]
BATCH = 250
_IDS = count()
ROUNDS = 3
"""How many rounds are played with seeds, and how many without; the fastest of each counts."""
READ_EACH = 3
"""For how many terminals the round is read again, which takes long."""


def do_all(desk: Desk, commands: Iterator[tuple[TableCommand, Person]]) -> float:
    """Give many commands in batches, and return the seconds of the last batch."""
    asked = list(commands)
    seconds = 0.0
    for start in range(0, len(asked), BATCH):
        requests = [
            Request(by=by, command=command, id=f"{next(_IDS)}")
            for command, by in asked[start : start + BATCH]
        ]
        began = time.perf_counter()
        answers = desk.worker.handle(requests)
        seconds = time.perf_counter() - began
        refused = {answer.refused for answer in answers}
        assert refused == {None}, refused
    return seconds


def player(seat: int) -> Person:
    return Person(Role.PLAYER, f"player-{seat}")


def play(desk: Desk, seats: Sequence[int], seeds: dict[int, str]) -> float:
    """A whole round; returns the seconds of the batch that settles it."""
    round_id = desk.table.deck_round_id
    while desk.worker.prepare():
        pass
    wagers = (Wager(WagerKind.ANTE, 1000), Wager(WagerKind.TRIPS, 500))

    def bets() -> Iterator[tuple[TableCommand, Person]]:
        for seat in seats:
            bet = SetWagers(Spot(seat, 1), wagers)
            seed = seeds.get(seat)
            bound = seed_commitment(round_id, seat, seed) if seed else None
            yield (SeededWagers(bet, bound) if bound else bet), player(seat)

    do_all(desk, bets())
    desk.do(CloseBets(), SYSTEM)
    do_all(desk, ((RevealSeed(seat, seed), player(seat)) for seat, seed in seeds.items()))
    return do_all(desk, ((MakeDecision(Spot(seat, 1), Bet(4)), player(seat)) for seat in seats))


def hall(folder: Path, size: int) -> tuple[Shift, Desk, list[int]]:
    """A stadium table with this many players, who have bought in."""
    shift = Shift(folder / "bench.db")
    desk = shift.open_table(load_house("stadium"), mode=DealerMode.VIRTUAL)
    seats = list(range(1, size + 1))
    for seat in seats:
        shift.cashier.deposit(f"player-{seat}", 100_000, id=f"deposit-{seat}")
    do_all(desk, ((TakeSeat(seat), player(seat)) for seat in seats))
    do_all(desk, ((BuyIn(seat, 50_000), player(seat)) for seat in seats))
    assert shift.store.balance(Account(AccountKind.CREDIT, "table-1/player-1")) == 50_000
    return shift, desk, seats


def measure(folder: Path, size: int) -> None:
    shift, desk, seats = hall(folder, size)
    random = Random(size)
    times: dict[bool, list[float]] = {False: [], True: []}
    for number in range(2 * ROUNDS):
        seeded = number % 2 == 1
        seeds = {seat: random.randbytes(32).hex() for seat in seats} if seeded else {}
        times[seeded].append(play(desk, seats, seeds))
    without, with_seeds = min(times[False]), min(times[True])
    print(f"  {size} terminals")
    print(f"    last {BATCH} decisions and the settlement, without seeds  {without * 1000:8.0f} ms")
    ratio = with_seeds / without
    print(f"    the same with {size} seeds {with_seeds * 1000:34.0f} ms   ratio {ratio:.2f}")
    reader = RoundReader(shift.store)
    began = time.perf_counter()
    for seat in seats[:READ_EACH]:
        reader.proof(reader.read("table-1", 2 * ROUNDS), seat=seat)
    each = (time.perf_counter() - began) / READ_EACH
    began = time.perf_counter()
    proofs = reader.proofs(reader.read("table-1", 2 * ROUNDS))
    texts = [proof_json(proofs.of_seat(seat).brief()) for seat in seats]
    once = (time.perf_counter() - began) / size
    whole = len(proof_json(proofs.of_seat(seats[-1])))
    listed = seed_list_json(proofs.seed_list()).encode()
    packed = len(gzip.compress(listed))
    brief = sum(map(len, texts)) / size
    print(f"    a proof with its list of seeds   {whole:9,} bytes")
    print(f"    without it, on average           {brief:9,.0f} bytes   ratio {brief / whole:.3f}")
    print(f"    the list, once for the round     {len(listed):9,} bytes, packed {packed:,}")
    print(f"    a proof, the round read for each {each * 1000:9.1f} ms")
    print(f"    a proof, the round read once     {once * 1000:9.1f} ms   ratio {once / each:.4f}")
    began = time.perf_counter()
    proof = read_proof(texts[-1]).with_seeds(proofs.seed_list())
    check_round_proof(proof, load_house("stadium"))
    print(f"    a check with the whole list      {(time.perf_counter() - began) * 1000:9.1f} ms")
    shift.close()


def main() -> None:
    """Measure each size."""
    for size in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), size)


if __name__ == "__main__":
    main()
