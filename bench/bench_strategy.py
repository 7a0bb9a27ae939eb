"""Measures the cost of simple strategies by length, and the time to find and price them."""

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
    """Find strategies of several lengths, and price them and the included ones."""
    solution = solve_holdem()
    print(f"{'strategy':28}{'lines':>6}{'cost':>10}{'find, s':>10}{'price, s':>10}")
    for name, strategy in STRATEGIES.items():
        if isinstance(strategy, HoldemStrategy):
            _print_price(name, strategy, solution, 0.0)
    for lines in LINES:
        began = time.process_time()
        strategy = find_basic_strategy(solution, lines=lines)
        _print_price(
            f"found, at most {lines} lines", strategy, solution, time.process_time() - began
        )
    print("Times are processor seconds.")


def _print_price(
    name: str, strategy: HoldemStrategy, solution: HoldemSolution, seconds: float
) -> None:
    began = time.process_time()
    price = price_strategy(strategy, solution)
    spent = time.process_time() - began
    lines = len(strategy.before_flop) + len(strategy.on_flop) + len(strategy.on_river)
    search = f"{seconds:10.1f}" if seconds else " " * 10
    print(f"{name:28}{lines:6}{float(price.cost):10.4%}{search}{spent:10.1f}")


if __name__ == "__main__":
    main()
