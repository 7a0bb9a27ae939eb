"""The program that compiles the mathematics ahead of its first use.

``python -m openfelt.server.compilation_program`` calls every calculation once, so that
Numba compiles its kernels and keeps them on disk. A server runs it at its first start. It has a
low priority, and it ends when its standard input does, so it never outlives its server.
"""

import contextlib
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from openfelt.cards import parse_cards
from openfelt.catalog import load_house
from openfelt.maths.kernels.kernel_cache import cache_root, compiled_mark, prune_kernels
from openfelt.rules import WagerKind

COMPILING: Final = "compiling"
"""Printed when there is something to compile."""
_LOW_PRIORITY: Final = 10


def main() -> None:
    """Compile what has not been compiled, at a low priority, for as long as the server runs."""
    threading.Thread(target=_end_with_server, daemon=True).start()
    with contextlib.suppress(AttributeError, OSError):  # Not every system has priorities.
        os.nice(_LOW_PRIORITY)
    compile_once()


def compile_once(processes: int = 1) -> None:
    """Compile everything, unless that has been done; two programs never do it together."""
    mark = compiled_mark()
    cache_root().mkdir(parents=True, exist_ok=True)
    with _alone():
        if not mark.exists():
            sys.stdout.write(f"{COMPILING}\n")
            sys.stdout.flush()
            compile_everything(processes)
            mark.touch()
            prune_kernels(time.time())


def _end_with_server() -> None:
    """End when the other end of the standard input is closed, even by a server that was killed."""
    # Not through sys.stdin, whose lock Python needs when the program ends normally.
    while os.read(0, 4096):
        pass
    os._exit(0)


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles. The lock ends with its process, even a killed one."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    lock = os.open(cache_root() / "compilation.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def compile_everything(processes: int = 1) -> None:
    """Call the calculations of the commands and the help, on small decks where possible.

    A kernel is compiled for the types of its arguments, regardless of their size.
    """
    if processes == 1:
        for part in _PARTS:
            part()
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for compiled in [pool.submit(part) for part in _PARTS]:
            compiled.result()


def _compile_holdem() -> None:
    """The game and its side bets, a strategy, and advice."""
    from openfelt import maths

    washington, stadium = load_house("washington"), load_house("stadium")
    figures = maths.price_house(washington)
    # Both play by the same terms, so the second house needs no other solution.
    maths.price_house(stadium, solution=figures.solution)
    small = maths.solve_holdem(deck=range(32, 52))
    basic = maths.STRATEGIES["basic"]
    assert isinstance(basic, maths.HoldemStrategy)
    maths.price_strategy(basic, small)
    hole, seen = parse_cards("Ah Kd"), parse_cards("Qh Qs")
    for board in ("", "2c 7h 9d", "2c 7h 9d 9s 3c"):
        maths.advise(hole, parse_cards(board), seen=seen)


def _compile_early_advice() -> None:
    """Advice before the flop with cards that were seen."""
    from openfelt.maths.holdem.flop_sums import seen_advice

    hole, seen = parse_cards("Ah Kd"), parse_cards("Qh Qs")
    for dealer in ((), seen[:1], seen):
        seen_advice(hole, dealer=dealer)
    seen_advice(hole, seen=seen)


def _compile_simulation() -> None:
    """Simulated rounds and sessions of both games."""
    from openfelt import maths

    for name, strategy in (("washington", "basic"), ("draw", "house_way")):
        house = load_house(name)
        maths.simulate(house, strategy, rounds=1000)
        maths.play_sessions(house, strategy, sessions=2, rounds=2, bankroll_cents=100_000)


def _compile_draw() -> None:
    """The figures of Ultimate Draw, and advice on its holds."""
    from openfelt import maths
    from openfelt.maths.draw.draw_figures import draw_terms_of
    from openfelt.maths.draw.final_hands import final_hands
    from openfelt.maths.draw.holds import draw_holds

    draw = load_house("draw")
    maths.price_draw_bonus(draw.hand_table(WagerKind.BONUS))
    final_hands(draw_holds())
    maths.count_house_way_ante([card for card in range(52) if card >> 2 in (0, 1, 9, 11, 12)])
    maths.advise_draw(parse_cards("7s Ts Qs Kc Ad"), draw_terms_of(draw), seen=parse_cards("Kd Kh"))


_PARTS: Final = (_compile_holdem, _compile_draw, _compile_simulation, _compile_early_advice)
"""Parts that share few kernels, the longest first."""


if __name__ == "__main__":
    main()
