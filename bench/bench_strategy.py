"""The cost of a plain strategy by its number of lines, and the time to find and price it."""

import time

from openfelt.maths import (
    STRATEGIES,
    HoldemSolution,
    HoldemStrategy,
    find_basic_strategy,
    price_strategy,
    solve_holdem,
)

LINES = (3, 4, 5, 6, 9)


def main() -> None:
    """Find strategies of several lengths and price them beside the shipped ones."""
    solution = solve_holdem()
    print(f"{'strategy':28}{'lines':>6}{'cost':>10}{'find, s':>10}{'price, s':>10}")
    for name, strategy in STRATEGIES.items():
        if isinstance(strategy, HoldemStrategy):
            _print_price(name, strategy, solution, 0.0)
    for lines in LINES:
        began = time.process_time()
        found = find_basic_strategy(solution, lines=lines)
        _print_price(f"found, at most {lines} lines", found, solution, time.process_time() - began)
    print("Seconds are of one processor.")


def _print_price(
    name: str, strategy: HoldemStrategy, solution: HoldemSolution, seconds: float
) -> None:
    began = time.process_time()
    price = price_strategy(strategy, solution)
    spent = time.process_time() - began
    lines = len(strategy.before_flop) + len(strategy.on_flop) + len(strategy.on_river)
    found = f"{seconds:10.1f}" if seconds else " " * 10
    print(f"{name:28}{lines:6}{float(price.cost):10.4%}{found}{spent:10.1f}")


if __name__ == "__main__":
    main()
