"""What tests need in every folder: examples are looked for where there are any and share solved
games, and the garbage collector does not walk through what is collected."""

import gc
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestItem, DoctestModule

PROMPT = b">>>"
SOLVING = ("solve_holdem(", "price_house(")
"""What examples call that solves a whole game, which takes seconds."""

# Everything that is collected stays until the end. To look through it again and again for something
# to throw away took a quarter of the time in which the tests are collected.
gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Modules without an example are not imported only to find that they have none."""
    collectors = yield
    if file_path.suffix == ".py" and PROMPT not in file_path.read_bytes():
        return [collector for collector in collectors if not isinstance(collector, DoctestModule)]
    return collectors


def pytest_collection_finish() -> None:
    """From here on, only what the tests make is looked through."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """Examples that solve a whole game share its solution with all other tests."""
    if not isinstance(item, DoctestItem) or item.dtest is None:
        return (yield)
    if not any(call in example.source for example in item.dtest.examples for call in SOLVING):
        return (yield)
    from tests.kit.maths.solution import examples_solved_once

    with examples_solved_once():
        return (yield)
