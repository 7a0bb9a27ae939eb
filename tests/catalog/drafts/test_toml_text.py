"""Rule data written as TOML reads back as the same data."""

import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import openfelt.catalog
from openfelt.catalog.drafts.toml_text import toml_text

FILES = sorted(Path(openfelt.catalog.__file__).parent.glob("*/*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_every_file_of_the_catalog_reads_back(file: Path) -> None:
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    assert tomllib.loads(toml_text(document)) == document


@pytest.mark.parametrize(
    "document",
    [
        {"text": 'a "quoted" \\ text with é and \u2028'},
        {"on": True, "off": False, "since": date(2026, 1, 2), "none": []},
        {"long": [f"notice {number} of a house" for number in range(9)]},
        {"wagers": {"ante": {"min_cents": 1}}, "limits": [{"since": 1, "of": {"a": 1}}]},
    ],
)  # fmt: skip
def test_other_values_read_back(document: dict[str, Any]) -> None:
    assert tomllib.loads(toml_text(document)) == document


def test_what_has_no_place_in_a_file_of_rules_is_refused() -> None:
    with pytest.raises(TypeError, match="no place"):
        toml_text({"share": 0.5})
