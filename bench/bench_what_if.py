"""The time in which the page *What if?* answers a change, by kind of change, beside 200 ms.

A server in this process answers whole requests, without a socket: the draft is read and checked,
priced, compared with the house that it began with, and written as JSON. Every request has another
paytable, so no answer is ready. What the Blind pays changes the best play: its figures are first
those of the old decisions, which is what is timed; the best play is counted in the background.
"""

import asyncio
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from httpx import AsyncClient

from bench import aims
from openfelt.catalog import load_house
from openfelt.maths.draw.bonus import DrawPlay, price_draw_bonus
from openfelt.rules import WagerKind
from tests.kit.floors import until
from tests.kit.server.open_house import OpenHouse, open_house

FIGURES = "/api/v1/drafts/figures"
TIMES = 7
AIM_MS = 200
LIMIT = "the limit of the Ante"
CHANGES = (
    ("online", "trips"),
    ("online", "blind"),
    ("washington", "progressive"),
    ("stadium", "bad_beat"),
    ("online", LIMIT),
    ("draw", "bonus"),
    ("draw", "ante_bonus"),
)
"""A house, and the wager whose paytable is changed."""


async def unchanged(eve: AsyncClient, house: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The terms of a house as a form, and as they are shown."""
    view = (await eve.get(f"/api/v1/houses/{house}/draft")).raise_for_status().json()
    kept = ("house", "qualifying", "before_flop", "on_flop", "on_river")
    form = {key: view[key] for key in kept} | {"wagers": [one["wager"] for one in view["wagers"]]}
    return form, view


def changed(form: dict[str, Any], view: dict[str, Any], what: str) -> Iterator[dict[str, Any]]:
    """Drafts with the first award of a paytable changed, or with another limit."""
    kind = "ante" if what == LIMIT else what
    shown = next(one for one in view["wagers"] if one["wager"]["kind"] == kind)
    own = shown["wager"]
    for step in range(TIMES + 1):
        if what == LIMIT:
            new = {**own, "max_cents": own["max_cents"] + (step + 1) * own["step_cents"]}
        else:
            table = next(one for one in shown["tables"] if one["name"] == own["paytable"])
            new = {**own, "rows": changed_rows(table["rows"], step)}
        wagers = [new if one["kind"] == kind else one for one in form["wagers"]]
        yield {**form, "wagers": wagers}


def changed_rows(rows: list[dict[str, Any]], step: int) -> list[dict[str, Any]]:
    """A paytable whose last award pays a little more than before: `3 to 1` or so much for one."""
    last = dict(rows[-1])
    pays, _, per = last["pays"].partition(" to ")
    last["pays"] = f"{int(pays) + step + 1} to {per}" if per else str(int(pays) + step + 1)
    return [*rows[:-1], last]


async def measure(house: OpenHouse, eve: AsyncClient, name: str, what: str) -> float:
    """The median time of an answer in milliseconds, without the first; prints a line."""
    form, view = await unchanged(eve, name)
    await eve.post(FIGURES, json=form)
    await until(lambda: not house.services.draft_counts.busy)
    taken = []
    for draft in changed(form, view, what):
        wall, processor = time.perf_counter(), time.process_time()
        answer = (await eve.post(FIGURES, json=draft)).raise_for_status().json()
        taken.append((time.perf_counter() - wall, time.process_time() - processor))
        assert answer["problem"] is None, answer["problem"]
        # The count of what a new Blind makes of the best play is no part of the next answer.
        await eve.post(FIGURES, json=form)
        await until(lambda: not house.services.draft_counts.busy)
    milliseconds = [1000 * median(column) for column in zip(*taken[1:], strict=True)]
    reached = "reached" if milliseconds[1] <= AIM_MS else "short"
    title = f"{name}, {what.replace('_', ' ')}"
    print(f"{title:34}{milliseconds[0]:10.0f}{milliseconds[1]:12.0f}   {reached}", flush=True)
    return float(milliseconds[1])


def measure_plain() -> None:
    """Print the time of the plain version of the Bonus of Ultimate Draw, without a request."""
    table = load_house("draw").hand_table(WagerKind.BONUS)
    taken = []
    for _ in range(TIMES + 1):
        wall, processor = time.perf_counter(), time.process_time()
        for play in DrawPlay:
            price_draw_bonus(table, play)
        taken.append((time.perf_counter() - wall, time.process_time() - processor))
    wall, processor = (1000 * median(column) for column in zip(*taken[1:], strict=True))
    print(f"{'  the plain version of that Bonus':34}{wall:10.0f}{processor:12.0f}", flush=True)


async def run(folder: Path) -> None:
    """Change one thing after another."""
    print(f"{'ms of one answer, median':34}{'wall':>10}{'processor':>12}   at most {AIM_MS}")
    async with open_house(folder) as house:
        eve = await house.supervisor()
        worst = [await measure(house, eve, name, what) for name, what in CHANGES]
    measure_plain()
    aims.note("what_if", max(worst) / 1000)


def main() -> None:
    """Measure in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder)))
