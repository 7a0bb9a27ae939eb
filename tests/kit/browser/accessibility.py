"""What axe-core finds on a page."""

from typing import Any

from tests.kit.browser.guests import Guest
from tests.kit.repository import ROOT

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
  const found = await axe.run(document, { resultTypes: ["violations"] });
  return found.violations.map(({ id, help, nodes }) => ({
    id, help, nodes: nodes.map((node) => `${node.target} ${node.failureSummary}`),
  }));
}"""


def check_axe(guest: Guest, where: str) -> None:
    """No violation on what the page shows now."""
    assert AXE.is_file(), "run make web"
    if not guest.page.evaluate("'axe' in globalThis"):
        # The page's own rules forbid scripts from elsewhere, but an evaluated one does not count.
        guest.page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: list[dict[str, Any]] = guest.page.evaluate(RUN)
    assert violations == [], where
