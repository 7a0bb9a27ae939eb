"""Whether a page fits on a screen, and its buttons a finger."""

from tests.kit.browser.guests import Guest

OVERFLOW = "document.scrollingElement.scrollWidth - innerWidth"
SMALL_BUTTONS = """() => {
  const found = [];
  for (const one of document.querySelectorAll("button, a[href], [role=radio], select, input")) {
    const box = one.getBoundingClientRect();
    const style = getComputedStyle(one);
    const shown = box.width > 0 && box.height > 0 && style.visibility !== "hidden"
      && !one.closest("[inert]");
    // A link within a sentence is as high as its line; WCAG 2.5.8 leaves it alone.
    const inline = one.matches("a") && style.display === "inline";
    // A whole row of words belongs to the switch in it.
    const area = one.closest("label")?.getBoundingClientRect() ?? box;
    if (!shown || inline || (area.width >= 43.5 && area.height >= 43.5)) continue;
    const name = one.getAttribute("aria-label") ?? one.textContent.trim();
    found.push(`${name}: ${Math.round(area.width)}x${Math.round(area.height)}`);
  }
  return found;
}"""


def layout_faults(guest: Guest) -> set[str]:
    """What is wider than the screen, and what is too small for a finger."""
    over = guest.page.evaluate(OVERFLOW)
    too_wide = {f"the page is {over} pixels too wide"} if over > 0 else set()
    return too_wide | set(guest.page.evaluate(SMALL_BUTTONS))
