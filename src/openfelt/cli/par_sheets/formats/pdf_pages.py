"""A par sheet as PDF, laid out by Typst."""

import json
from importlib.resources import files
from typing import Final

import typst

from openfelt.cli.par_sheets.formats.vega_charts import as_svg
from openfelt.cli.par_sheets.sheet import ParSheet, Section

LINE_CHARACTERS: Final = 105
"""In a longer row, the longest column is broken over several lines."""


def pdf(sheet: ParSheet, *, fingerprint: str, software: str) -> bytes:
    """The sheet as PDF; the same sheet always gives the same bytes."""
    inputs = _inputs(sheet, fingerprint, software)
    pdf = typst.compile(_layout(), format="pdf", ignore_system_fonts=True, sys_inputs=inputs)
    assert isinstance(pdf, bytes), "a PDF is one file"
    return pdf


def _layout() -> bytes:
    return files(__package__).joinpath("sheet.typ").read_bytes()


def _inputs(sheet: ParSheet, fingerprint: str, software: str) -> dict[str, str]:
    facts = {
        "title": sheet.title,
        "fingerprint": fingerprint,
        "software": software,
        "sections": [_facts(section) for section in sheet.sections],
    }
    return {"sheet": json.dumps(facts)}


def _facts(section: Section) -> dict[str, object]:
    return {
        "title": section.title,
        "sentences": section.sentences,
        "columns": section.columns,
        "rows": section.rows,
        "widths": _widths(section),
        "words": section.word_columns,
        "charts": [{"svg": as_svg(chart), "caption": chart.caption} for chart in section.charts],
    }


def _widths(section: Section) -> list[str]:
    columns = list(zip(section.columns, *section.rows, strict=True))
    longest = [max(map(len, cells)) for cells in columns]
    wide = sum(longest) > LINE_CHARACTERS
    return ["rest" if wide and length == max(longest) else "auto" for length in longest]
