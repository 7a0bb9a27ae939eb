"""Running a command as the shell would, inside the test."""

import json
from typing import Any

import pytest

from openfelt.cli import main


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What a command prints that ends well."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert not left.value.code
    return capsys.readouterr().out


def facts(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command prints with --json, read back."""
    return json.loads(output(capsys, *arguments, "--json"))


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, int]:
    """The complaint and the exit code of a command that ends badly, with nothing on stdout."""
    with pytest.raises(SystemExit) as left:
        main(arguments)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Traceback" not in printed.err
    assert isinstance(left.value.code, int)
    return printed.err, left.value.code


def with_findings(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints that ends with findings."""
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 4
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out
