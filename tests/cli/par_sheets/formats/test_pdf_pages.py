"""The PDF of a par sheet is opened again and read."""

import re
from dataclasses import replace
from io import BytesIO

from pypdf import PdfReader

from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.formats.pdf_pages import pdf
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.rules import House


def words_of(content: bytes) -> str:
    """The text of all pages without spaces, which a layout adds and drops."""
    pages = PdfReader(BytesIO(content)).pages
    text = "".join(page.extract_text() for page in pages)
    return re.sub(r"[\s\u200b]", "", text.replace("\u2019", "'"))


def test_every_cell_is_on_the_pages(online: HouseFigures) -> None:
    check_pages(holdem_sheet(online), online.house)


def test_every_cell_of_ultimate_draw_is_on_the_pages(draw: DrawFigures) -> None:
    whole = draw_sheet(draw)
    # One chart is enough: the others are of the same kinds as hold'em's.
    sections = [
        part if part.title == "The Ante, held the house way" else replace(part, charts=())
        for part in whole.sections
    ]
    check_pages(replace(whole, sections=tuple(sections)), draw.house)


def check_pages(sheet: ParSheet, house: House) -> None:
    content = pdf(sheet, fingerprint=house.fingerprint, software="openfelt 1")
    assert pdf(sheet, fingerprint=house.fingerprint, software="openfelt 1") == content
    printed = words_of(content)
    for section in sheet.sections:
        for cell in (section.title, *(cell for row in section.rows for cell in row)):
            assert re.sub(r"\s", "", cell) in printed, cell
    for chart in sheet.charts:
        assert re.sub(r"\s", "", chart.caption) in printed
    assert PdfReader(BytesIO(content)).metadata.title == sheet.title  # type: ignore[union-attr]


def test_texts_are_no_program() -> None:
    awkward = ParSheet("#panic()", (Section("*a* $b$", ("#read(1)",), ("a",), (("[x]",),)),))
    assert "*a*$b$#read(1)a[x]" in words_of(pdf(awkward, fingerprint="f", software="s"))


def lines_of(content: bytes) -> list[str]:
    pages = PdfReader(BytesIO(content)).pages
    text = "".join(page.extract_text() + "\n" for page in pages)
    return [line.strip() for line in text.replace("\u200b", "").splitlines()]


def test_long_fractions_break_after_their_stroke() -> None:
    """A number is whole on one line, however little room the other columns leave."""
    numerator, denominator = "7" * 44, "3" * 43
    rows = (("A figure with a long name, as they are", "1.5", f"{numerator}/{denominator}"),)
    columns = ("figure", "decimal", "exactly")
    sheet = ParSheet("Sheet", (Section("Figures", (), columns, rows),))
    lines = lines_of(pdf(sheet, fingerprint="f", software="s"))
    assert any(line.endswith(f"{numerator}/") for line in lines)
    assert denominator in lines


def test_a_hash_is_broken_only_where_it_must_be() -> None:
    digest = "0123456789abcdef" * 4
    rows = (("what", digest), ("long", "a" * 300))
    sheet = ParSheet("Sheet", (Section("Figures", (), ("what", "value"), rows),))
    content = pdf(sheet, fingerprint="f", software="s")
    assert digest in words_of(content)
    assert "a" * 300 in words_of(content)
    assert max(line.count("a") for line in lines_of(content)) < 200
