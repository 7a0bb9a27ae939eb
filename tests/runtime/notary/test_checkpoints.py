"""The content of a checkpoint, and its signature."""

from dataclasses import replace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    checkpoint_hash,
    published_line,
    read_published_line,
    read_statement,
    signature_holds,
    signed_checkpoint,
    whole_lines,
)
from openfelt.storage.door import FIRST_HASH, Checkpoint, Head

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
HEAD = Head(version=3, hash="ab" * 32, at_ms=5, fence=0)


def checkpoint(number: int = 1, before: Checkpoint | None = None) -> Checkpoint:
    return signed_checkpoint(KEY, number=number, at_ms=9, before=before, heads={"table/a": HEAD})


def test_it_names_heads_and_the_one_before() -> None:
    first = checkpoint()
    second = checkpoint(2, first)
    assert read_statement(first).previous == FIRST_HASH
    assert read_statement(second).previous == checkpoint_hash(first)
    assert read_statement(second).heads["table/a"].version == 3


@pytest.mark.parametrize(
    "changed",
    [
        {"number": 2},
        {"at_ms": 10},
        {"body": '{"previous":"' + "0" * 64 + '","heads":[]}'},
        {"key": "00" * 32},
        {"key": "no key"},
        {"signature": "00" * 64},
        {"signature": "no signature"},
        # Without lengths these two would be one text.
        {"number": 19, "at_ms": 0},
    ],
)
def test_a_changed_checkpoint_has_no_signature(changed: dict[str, Any]) -> None:
    assert signature_holds(checkpoint())
    assert not signature_holds(replace(checkpoint(), **changed))
    assert checkpoint_hash(replace(checkpoint(), **changed)) != checkpoint_hash(checkpoint())


@pytest.mark.parametrize(
    "body", ["", "[]", "{}", '{"previous":"0","heads":[]}', '{"previous":1,"heads":[],"more":1}']
)
def test_an_invalid_body_is_refused(body: str) -> None:
    with pytest.raises(CheckpointError, match="Checkpoint 1 is invalid"):
        read_statement(replace(checkpoint(), body=body))


def test_a_line_holds_a_whole_checkpoint() -> None:
    line = published_line(checkpoint())
    assert line.count("\n") == 1
    assert read_published_line(line) == checkpoint()
    for broken in (line[:50], "{}\n", line.replace("number", "nummer")):
        with pytest.raises(CheckpointError):
            read_published_line(broken)


@pytest.mark.parametrize(
    ("lines", "whole"),
    [
        ([], []),
        (["a\n", "b\n"], [(1, "a\n"), (2, "b\n")]),
        (["abc"], []),
        (["ab\n", "abc\n"], [(2, "abc\n")]),
        (["a\n", "a\n"], [(2, "a\n")]),
        (["a\n", "\n", "b\n"], [(1, "a\n"), (3, "b\n")]),
        (["a\n", "xb\n", "b\n"], [(1, "a\n"), (2, "xb\n"), (3, "b\n")]),
    ],
)
def test_incomplete_lines_after_an_outage_are_skipped(
    lines: list[str], whole: list[tuple[int, str]]
) -> None:
    assert list(whole_lines(lines)) == whole
