"""A caller's own journal of what was sent and answered, on a disk of its own.

It imports nothing of the program that it checks. Each line is written before the command goes out,
or as soon as its answer is there, and is complete once it is written: a caller that dies loses the
line that it was writing, and no other.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.independent.record import Look, Violation, check_record


class Journal:
    """Appends lines of JSON to a file."""

    def __init__(self, file: Path) -> None:
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def sent(self, stream: str, actor: str, command: str) -> None:
        """A command goes out."""
        self._write({"sent": [stream, actor, command]})

    def answered(
        self, stream: str, actor: str, command: str, version: int, refused: str | None
    ) -> None:
        """A command was answered."""
        told = {"stream": stream, "actor": actor, "id": command}
        self._write({"told": told | {"version": version, "refused": refused}})

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _write(self, line: dict[str, Any]) -> None:
        os.write(self._file, json.dumps(line).encode() + b"\n")


@dataclass(frozen=True)
class Comparison:
    """What a comparison of journals with a database has seen."""

    sent: int
    accepted: int
    refused: int
    unanswered: int
    look: Look


def compare(database: str, files: list[Path], before: Look | None = None) -> Comparison:
    """Hold a database against what callers have written down; raises Violation.

    Every accepted command is in the record once and at the version that its caller was told; what
    was refused is not; what was sent without an answer is there once or not at all; and every
    command of these callers in the record was sent by them.
    """
    sent: Counter[tuple[str, str, str]] = Counter()
    told: list[dict[str, Any]] = []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if "sent" in entry:
                sent[tuple(entry["sent"])] += 1
            else:
                told.append(entry["told"])
    look = check_record(database, told, before=before)
    callers = {actor for _, actor, _ in sent}
    unknown = {key for key in look.commands if key[1] in callers} - sent.keys()
    if unknown:
        raise Violation(f"The record has commands that no caller sent: {sorted(unknown)[:5]}")
    answered = {(line["stream"], line["actor"], line["id"]) for line in told}
    accepted = sum(line["refused"] is None for line in told)
    return Comparison(
        sent=len(sent),
        accepted=accepted,
        refused=len(told) - accepted,
        unanswered=len(sent.keys() - answered),
        look=look,
    )
