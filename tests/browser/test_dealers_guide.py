"""The guide for dealers hangs beside the table: it fits two printed pages, in both languages."""

import base64
import re

import pytest
from markdown_it import MarkdownIt

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.cases import with_variants
from tests.kit.repository import ROOT

GUIDES = ROOT / "docs" / "guides"
PAGES_MAX = 2
STYLE = """<style>
  body { font: 11pt/1.35 sans-serif } h1, h2 { margin: 0.5em 0 0.2em } p, ol { margin: 0.4em 0 }
  img { display: block; width: 74%; margin: auto }
</style>"""


@pytest.mark.parametrize(
    "guide", with_variants(["dealers-two-pages.md", "dealers-two-pages.es.md"])
)
def test_the_guide_fits_two_printed_pages(
    house: BrowserHouse, entrance: Entrance, guide: str
) -> None:
    text = MarkdownIt().render((GUIDES / guide).read_text(encoding="utf-8"))
    page = entrance.outside(house).context.new_page()
    page.set_content(STYLE + re.sub('src="([^"]+)"', lambda found: picture(found[1]), text))
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth > 0)")
    margin = "15mm"
    printed = page.pdf(
        format="A4", margin={"top": margin, "bottom": margin, "left": margin, "right": margin}
    )
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= PAGES_MAX


def picture(path: str) -> str:
    """A picture of the guide inside the page itself, which then needs no server."""
    data = base64.b64encode((GUIDES / path).read_bytes()).decode()
    return f'src="data:image/jpeg;base64,{data}"'
