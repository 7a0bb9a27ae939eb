"""Par sheets are written, and read again."""

from html.parser import HTMLParser

from openfelt.cli.par_sheets.formats.text_pages import html, markdown
from openfelt.cli.par_sheets.holdem_sheet import holdem_sheet
from openfelt.cli.par_sheets.sheet import ParSheet, Section
from openfelt.maths import HouseFigures

AWKWARD = ParSheet("A & B", (Section("T", ("1 < 2",), ("a", "b"), (("x|y", "<b>"),)),))


class Cells(HTMLParser):
    """Collects the rows of all tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.inside = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data


def all_rows(sheet: ParSheet) -> list[list[str]]:
    return [
        list(row) for part in sheet.sections if part.columns for row in (part.columns, *part.rows)
    ]


def test_html_has_every_cell(online: HouseFigures) -> None:
    for sheet in (holdem_sheet(online), AWKWARD):
        assert Cells(html(sheet)).rows == all_rows(sheet)


def test_markdown_has_every_cell(online: HouseFigures) -> None:
    for sheet in (holdem_sheet(online), AWKWARD):
        read = [
            [cell.strip().replace("\0", "|") for cell in line.replace("\\|", "\0").split("|")[1:-1]]
            for line in markdown(sheet).splitlines()
            if line.startswith("| ") and not line.startswith("| ---")
        ]
        assert read == all_rows(sheet)


def test_texts_are_escaped() -> None:
    assert "<title>A &amp; B</title>" in html(AWKWARD)
    assert "1 &lt; 2" in html(AWKWARD)
    assert "| x\\|y | <b> |" in markdown(AWKWARD)


def test_long_fractions_may_break_after_their_stroke() -> None:
    rows = (("12345678901/98765432109", "1/3", "a/b"),)
    sheet = ParSheet("Sheet", (Section("Figures", (), ("one", "two", "three"), rows),))
    page = html(sheet)
    assert "12345678901/<wbr>98765432109" in page
    assert page.count("<wbr>") == 1
    assert "12345678901/98765432109" in markdown(sheet)
