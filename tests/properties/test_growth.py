"""A command costs the same in a small hall and in a large one: operations and bytes are counted.

A clock would measure the machine as well. Here the interpreter counts its own instructions, and
Python's allocator its bytes, for one command from the worker's mailbox to the player's own
message. Both may differ by a little, because a longer seat number is a longer text.
"""

import gc
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

from openfelt.rules import Bet, Check
from openfelt.runtime.requests import Request
from tests.kit.server.silent_halls import SilentHall, silent_hall

SMALL, LARGE = 10, 1000
BYTES_MORE_MAX = 10_000
"""A copy of all seats of the large hall has more than 30,000 bytes."""
INSTRUCTIONS_MORE_MAX = 1.1
"""A look at every seat of the large hall takes nearly as many as the whole command."""


class Cost(NamedTuple):
    """What one command took."""

    instructions: int
    bytes: int


@contextmanager
def instructions() -> Iterator[list[int]]:
    """Count the instructions that the interpreter executes in this thread."""
    executed = [0]

    def step(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode":
            executed[0] += 1
        return step

    before = sys.gettrace()
    sys.settrace(step)
    try:
        yield executed
    finally:
        sys.settrace(before)


def carry_out(hall: SilentHall, asked: Request) -> None:
    """One command alone, from the mailbox to the message of its player."""
    hall.handle([asked])
    written, hall.mailbox._written = hall.mailbox._written, []
    for change in written:
        hall.room._changed(change)


def cost(hall: SilentHall, first: Request, second: Request) -> Cost:
    """The instructions of one command, and the most bytes that another like it held at once."""
    with instructions() as executed:
        carry_out(hall, first)
    gc.collect()
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        carry_out(hall, second)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return Cost(executed[0], most - before)


async def costs(path: Path, size: int) -> dict[str, Cost]:
    """What each command of a round costs in a hall of this size; the last seats are counted.

    The first of each kind compiles and caches what the others use.
    """
    taken = {}
    async with silent_hall(path, size) as hall:
        for kind, asked in (
            ("first bet", hall.seeded_bets),
            ("changed bet", lambda: hall.bets(1)),
            ("seed", hall.reveals),
            ("decision", lambda: hall.decisions(Check())),
        ):
            if kind == "seed":
                hall.close_bets()
            *others, one, two = asked()
            last = [others.pop()] if kind in ("seed", "decision") else []
            hall.handle(others)
            hall.tell()
            taken[kind] = cost(hall, one, two)
            hall.handle(last)
            hall.tell()
    return taken


async def test_a_command_costs_the_same_in_a_hall_of_ten_and_of_a_thousand(
    tmp_path: Path,
) -> None:
    small = await costs(tmp_path / "small.db", SMALL)
    large = await costs(tmp_path / "large.db", LARGE)
    for kind, few in small.items():
        many = large[kind]
        assert many.instructions < few.instructions * INSTRUCTIONS_MORE_MAX, (kind, few, many)
        assert many.bytes < few.bytes + BYTES_MORE_MAX, (kind, few, many)


async def settled_hand(path: Path, size: int) -> float:
    """The instructions of a settlement for each hand: the worker's, the store's and the room's."""
    async with silent_hall(path, size) as hall:
        # The first round compiles and caches what the second uses.
        for turn in range(2):
            hall.handle(hall.bets(turn))
            hall.close_bets()
            for decision in (Check(), Check()):
                hall.handle(hall.decisions(decision))
            *others, last = hall.decisions(Bet(1))
            hall.handle(others)
            hall.tell()
            if turn == 0:
                carry_out(hall, last)
                hall.prepare()
        with instructions() as executed:
            carry_out(hall, last)
        return executed[0] / size


async def test_settling_a_hand_costs_the_same_among_ten_and_among_a_hundred(
    tmp_path: Path,
) -> None:
    few = await settled_hand(tmp_path / "few.db", SMALL)
    many = await settled_hand(tmp_path / "many.db", 10 * SMALL)
    assert many < few * INSTRUCTIONS_MORE_MAX
