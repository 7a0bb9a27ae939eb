"""The real program, killed in the middle of a hand: nothing is lost, and the audit is clean."""

import os
import random
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.cli.play.start import FILE_NAME
from tests.independent.record import check_record
from tests.kit.cases import with_variants
from tests.kit.cli.scripted_game import check_audit, play, round_waits, saved_credit, saved_table

HOUSES = sorted(load_catalog().houses)
DECISIONS = ("check /", "fold /", "hold which")
"""How prompts begin or go on that ask for a decision."""


def start(folder: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    """The program at a pipe, as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "openfelt", "play", *arguments, "--data", str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=dict(os.environ) | {"PYTHONUTF8": "1"},
    )


def shown_until(process: "subprocess.Popen[bytes]", wanted: tuple[str, ...]) -> str:
    """What the program shows until its prompt is one of these."""
    assert process.stdout is not None
    shown = b""
    while True:
        part = os.read(process.stdout.fileno(), 65536)
        assert part, shown.decode()
        shown += part
        prompt = shown.decode(errors="replace").rpartition("\n")[2]
        if prompt.endswith("> ") and any(words in prompt for words in wanted):
            return shown.decode()


def type_lines(process: "subprocess.Popen[bytes]", *lines: str) -> None:
    """Type lines, each followed by Enter."""
    assert process.stdin is not None
    process.stdin.write("".join(f"{line}\n" for line in lines).encode())
    process.stdin.flush()


def end(process: "subprocess.Popen[bytes]") -> None:
    """Kill the process as a power cut does: it can do nothing any more."""
    process.kill()
    process.wait(timeout=60)
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def audit(folder: Path) -> None:
    """Let ``openfelt audit`` check the saved game, as its own process; it must find nothing."""
    check_record(folder / FILE_NAME)
    done = subprocess.run(
        [sys.executable, "-m", "openfelt", "audit", str(folder / FILE_NAME)],
        capture_output=True,
        encoding="utf-8",
        env=dict(os.environ) | {"PYTHONUTF8": "1"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Everything is in order." in done.stdout


@pytest.mark.parametrize("house", with_variants(HOUSES))
def test_a_round_goes_on_after_a_kill_in_mid_hand(house: str, tmp_path: Path) -> None:
    process = start(tmp_path, house)
    try:
        type_lines(process, *(["pass"] if house == "california" else []), "10", "deal")
        before = shown_until(process, DECISIONS)
    finally:
        end(process)
    assert round_waits(tmp_path, house)
    state = saved_table(tmp_path, house).playing
    assert state is not None
    staked_cents = 1000 if house == "draw" else 2000
    collected_cents = 100 if house == "california" else 0
    assert saved_credit(tmp_path) == 100_000 - staked_cents - collected_cents
    check_audit(tmp_path)
    again = start(tmp_path, house)
    try:
        after = shown_until(again, DECISIONS)
        # The same table stands there: cards, wagers, other players and meters.
        title = load_catalog().house(house).name.upper()
        assert after[after.rindex(title) :] == before[before.rindex(title) :]
        type_lines(again, "way" if house == "draw" else "4", "quit")
        assert again.stdout is not None
        farewell = again.stdout.read().decode()
        assert again.wait(timeout=60) == 0
    finally:
        end(again)
    assert "Staked $" in farewell
    assert not round_waits(tmp_path, house)
    audit(tmp_path)


def test_wagers_survive_a_kill_before_the_deal(tmp_path: Path) -> None:
    process = start(tmp_path, "washington")
    try:
        type_lines(process, "10, trips 5")
        shown_until(process, ("Enter deals",))
    finally:
        end(process)
    back = play("quit", house="washington", data=tmp_path, day=saved_day(tmp_path))
    assert back.prompts[0] == "Enter deals; or change your bet> "
    assert "Goodbye. Your credit of $1,000.00 is kept." in back.text
    check_audit(tmp_path)


def saved_day(folder: Path) -> date:
    """The day on which the round in Washington was opened."""
    state = saved_table(folder, "washington").playing
    assert state is not None
    return state.opened.day


def test_kills_at_any_moment_lose_no_cent(tmp_path: Path) -> None:
    """Long games, each killed somewhere; every record that they leave is whole."""
    rng = random.Random("kills")
    for house in ("washington", "california", "stadium"):
        process = start(tmp_path, house, "--hands", "3")
        try:
            type_lines(process, *["50", "10, deal", "4", "4", "4", ""] * 40, "quit")
            shown_until_any(process)
            time.sleep(rng.uniform(0.0, 1.0))
        finally:
            end(process)
        check_audit(tmp_path)
    script = play(house="online", data=tmp_path)
    assert re.search(r"Welcome back\. Your credit is \$[\d,]+\.\d\d\.", script.text)


def shown_until_any(process: "subprocess.Popen[bytes]") -> None:
    """Wait until the program has shown something."""
    assert process.stdout is not None
    assert os.read(process.stdout.fileno(), 1)
