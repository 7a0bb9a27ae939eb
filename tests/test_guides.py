"""The commands in the guides work as they stand there, pasted one after another in a new folder.

A block of commands is marked ``sh``. One that cannot run in a test says why in a comment above it,
``<!-- not run: ... -->``, and one that calculates for long is run by ``make bench ARGS=sweeps``,
``<!-- sweep: ... -->``.

A comment below a block says which figures of the page it prints, ``<!-- prints: 1.5% | 24 -->``.
Where the command prints a figure otherwise, both stand there: ``<!-- prints: 1.5% = +0.01500 -->``.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import pytest

from tests.kit.docs import DOCS, FENCE, read
from tests.kit.repository import ROOT
from tests.kit.server.real_server import free_port, server_process

ONLINE = [
    "guides/serve.md",
    "guides/dealer-terminal.md",
    "guides/cage.md",
    "guides/card-readers.md",
    "reference/rest.md",
]
"""Pages whose commands ask a running server."""
AFTERWARDS = [
    "guides/audit.md",
    "guides/second-day.md",
    "guides/terminal-game.md",
    "guides/verify-a-round.md",
]
"""Pages whose commands need no server, or one that has stopped."""
GUIDES = sorted(page.relative_to(DOCS).as_posix() for page in (DOCS / "guides").glob("*.md"))
COMMAND = re.compile(
    r"^\$? ?(openfelt|make|curl|printf|\.venv/|python|pip|mkdir|git) ?", re.MULTILINE
)
INTERNALS = sorted(page.relative_to(DOCS).as_posix() for page in (DOCS / "internals").glob("*.md"))
"""Pages of which only the commands that calculate for long are run."""
BLOCK = re.compile(
    r"(?:^<!-- (?P<how>not run|sweep): (?P<why>[^\n]+) -->\n)?^```sh\n(?P<text>.*?)^```"
    r"(?:\n\n?<!-- prints: (?P<prints>[^\n]+) -->)?",
    re.MULTILINE | re.DOTALL,
)
BENCH = re.compile(r"\bmake bench ARGS=(\w+)")
NUMBER = re.compile(r"[+-]?[\d,]*\.?\d+%?")


@dataclass(frozen=True)
class Block:
    """Commands of a page, and how they are run: at once, in a sweep, or not at all."""

    page: str
    text: str
    how: str
    prints: tuple[tuple[str, str], ...] = ()
    """Figures as the page has them, and as the commands print them."""


def blocks(page: str) -> Iterator[Block]:
    for match in BLOCK.finditer(read(DOCS / page)):
        prints = tuple(figures(match["prints"])) if match["prints"] else ()
        yield Block(page, match["text"], match["how"] or "run", prints)


def figures(listed: str) -> Iterator[tuple[str, str]]:
    """The figures of a comment, on the page and in print; minus signs are those of a keyboard."""
    for entry in plain(listed).split(" | "):
        told, _, printed = entry.partition(" = ")
        yield told, printed or told


def plain(text: str) -> str:
    """A text with one space between words, with the signs of a keyboard for minus and percent."""
    return " ".join(text.replace("\N{MINUS SIGN}", "-").replace("\\%", "%").split())


def run_blocks(pages: list[str]) -> list[Block]:
    """The blocks of some pages that are run at once."""
    return [one for page in pages for one in blocks(page) if one.how == "run"]


def paste(block: Block, folder: Path, port: int) -> str:
    """Paste a block into a shell, each command after the one before it; gives what was printed."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("OPENFELT_DATA")
    } | {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONUTF8": "1",
    }
    text = block.text.replace("127.0.0.1:8080", f"127.0.0.1:{port}")
    # A benchmark runs in the repository, without the peers that `make bench` would install.
    text = BENCH.sub(rf"env -C {ROOT} {sys.executable} {ROOT}/bench/run.py \1", text)
    done = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, f"{block.page}:\n{text}\n{done.stdout}\n{done.stderr}"
    check_prints(block, done.stdout)
    return done.stdout


def check_prints(block: Block, printed: str) -> None:
    """Every figure that a block says it prints is in its output."""
    shown = plain(printed)
    absent = [figure for _, figure in block.prints if figure not in shown]
    assert not absent, f"{block.page} says that this prints {absent}:\n{block.text}\n{printed}"


def same_figure(told: str, printed: str) -> bool:
    """Whether a page has a printed figure, rounded to its own digits; 1% is one hundredth."""
    digits = len(told.rstrip("%").partition(".")[2])
    values = [
        Fraction(figure.replace(",", "").rstrip("%")) / (100 if figure.endswith("%") else 1)
        for figure in (told, printed)
    ]
    scale = 10**digits * (100 if told.endswith("%") else 1)
    told_units, printed_units = (round(value * scale) for value in values)
    return bool(told_units == printed_units)


@pytest.mark.parametrize("page", [*GUIDES, *INTERNALS])
def test_figures_that_commands_print_stand_on_the_page(page: str) -> None:
    """The figures of a comment are those of the page, and are the same number in print."""
    prose = plain(re.sub(r"<!--.*?-->", "", read(DOCS / page), flags=re.DOTALL))
    for block in blocks(page):
        for told, printed in block.prints:
            assert re.search(rf"(?<![\d.]){re.escape(told)}(?!\d)", prose), told
            if NUMBER.fullmatch(told) and NUMBER.fullmatch(printed):
                assert same_figure(told, printed), f"{told} is not {printed}"


def test_a_figure_that_is_not_printed_is_found() -> None:
    text = "```sh\nopenfelt edge draw\n```\n<!-- prints: \N{MINUS SIGN}1.5% = -0.01500 | 24 -->\n"
    match = BLOCK.search(text)
    assert match is not None
    block = Block("page", match["text"], "sweep", tuple(figures(match["prints"])))
    assert block.prints == (("-1.5%", "-0.01500"), ("24", "24"))
    assert same_figure("-1.5%", "-0.01500")
    assert same_figure("-1.9955%", "-1.995488%")
    assert not same_figure("-1.5%", "-0.01400")
    check_prints(block, "a result of  \N{MINUS SIGN}0.01500\nwith 24 deals")
    with pytest.raises(AssertionError, match="prints"):
        check_prints(block, "a result of -0.01499 with 24 deals")


@pytest.mark.parametrize("page", [*GUIDES, "reference/rest.md"])
def test_every_block_of_commands_is_marked(page: str) -> None:
    for language, text in FENCE.findall(read(DOCS / page)):
        if language in ("", "text", "bash", "shell"):
            assert language == "text" or not COMMAND.match(text), f"Mark it as sh:\n{text}"


def test_every_page_with_commands_is_run() -> None:
    at_once = {
        page for page in [*GUIDES, "reference/rest.md"] for one in blocks(page) if one.how == "run"
    }
    assert at_once == {*ONLINE, *AFTERWARDS}


def test_the_guides_can_be_pasted(tmp_path: Path) -> None:
    assert shutil.which("curl"), "The guides use curl. Install it, so that it is found."
    password = re.search(r'^PASSWORD="(.+)"$', read(DOCS / ONLINE[0]), re.MULTILINE)
    assert password is not None
    port = free_port()
    options = {"database": "casino.db", "password": password[1]}
    with server_process(tmp_path, port, **options) as server:
        told = [paste(one, tmp_path, port) for one in run_blocks(ONLINE)]
        server.end(signal.SIGTERM)
    assert any('"pit-3"' in text for text in told)
    for block in run_blocks(AFTERWARDS):
        paste(block, tmp_path, port)


@pytest.mark.sweep
@pytest.mark.parametrize("page", [*GUIDES, *INTERNALS])
def test_the_long_commands_can_be_pasted(page: str, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.how == "sweep":
            paste(block, tmp_path, 0)
