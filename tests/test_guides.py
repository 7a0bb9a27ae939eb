"""The commands in the guides work as they stand there, pasted one after another in a new folder.

A block of commands is marked ``sh``. One that cannot run in a test says why in a comment above it,
``<!-- not run: ... -->``, and one that calculates for long is run by ``make bench ARGS=sweeps``,
``<!-- sweep: ... -->``.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.kit.docs import DOCS, FENCE, read
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
BLOCK = re.compile(
    r"(?:^<!-- (?P<how>not run|sweep): (?P<why>[^\n]+) -->\n)?^```sh\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """Commands of a page, and how they are run: at once, in a sweep, or not at all."""

    page: str
    text: str
    how: str


def blocks(page: str) -> Iterator[Block]:
    for match in BLOCK.finditer(read(DOCS / page)):
        yield Block(page, match["text"], match["how"] or "run")


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
    return done.stdout


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
@pytest.mark.parametrize("page", GUIDES)
def test_the_long_commands_can_be_pasted(page: str, tmp_path: Path) -> None:
    for block in blocks(page):
        if block.how == "sweep":
            paste(block, tmp_path, 0)
