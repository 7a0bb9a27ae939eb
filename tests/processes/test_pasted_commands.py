"""The commands on the page of the REST API do what the page says when they are pasted."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.repository import ROOT
from tests.kit.server.real_server import free_port, server_process


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="the page uses curl")
def test_a_guest_enters_with_the_commands_of_the_page(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "reference" / "rest.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    commands = next(block for block in blocks if "/api/v1/guest" in block)
    port = free_port()
    with server_process(tmp_path, port) as server:
        told = subprocess.run(
            ["sh", "-euc", commands.replace("127.0.0.1:8080", f"127.0.0.1:{port}")],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        server.end()
    decoder, text, answers = json.JSONDecoder(), told.stdout.strip(), []
    while text:
        answer, end = decoder.raw_decode(text)
        answers.append(answer)
        text = text[end:].strip()
    entered, tables, me = answers
    assert entered["guest"]
    assert me["name"] == entered["name"]
    assert "stadium-1" in json.dumps(tables)
