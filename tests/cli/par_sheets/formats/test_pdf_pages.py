"""The PDF of a par sheet is opened again and read."""

import re
from io import BytesIO

from pypdf import PdfReader

from openfelt.cli.par_sheets.formats.pdf_pages import page_pictures, pdf
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures


def words_of(content: bytes) -> str:
    """The text of all pages without spaces, which a layout adds and drops."""
    pages = PdfReader(BytesIO(content)).pages
    text = "".join(page.extract_text() for page in pages)
    return re.sub(r"[\s\u200b]", "", text.replace("\u2019", "'"))


def test_every_cell_is_on_the_pages(online: HouseFigures) -> None:
    sheet = holdem_sheet(online)
    content = pdf(sheet, fingerprint=online.house.fingerprint, software="openfelt 1")
    assert pdf(sheet, fingerprint=online.house.fingerprint, software="openfelt 1") == content
    printed = words_of(content)
    for section in sheet.sections:
        for cell in (section.title, *(cell for row in section.rows for cell in row)):
            assert re.sub(r"\s", "", cell) in printed, cell
    for chart in sheet.charts:
        assert re.sub(r"\s", "", chart.caption) in printed
    assert PdfReader(BytesIO(content)).metadata.title == sheet.title  # type: ignore[union-attr]


def test_pages_are_pictures_too_and_texts_are_no_program() -> None:
    awkward = ParSheet("#panic()", (Section("*a* $b$", ("#read(1)",), ("a",), (("[x]",),)),))
    (picture,) = page_pictures(awkward, fingerprint="f", software="s")
    assert picture.startswith(b"\x89PNG")
    assert "*a*$b$#read(1)a[x]" in words_of(pdf(awkward, fingerprint="f", software="s"))
