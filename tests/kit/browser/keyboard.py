"""Keys pressed on a page, and where the focus is."""

from tests.kit.browser.guests import Guest

FOCUS_IS_SEEN = """() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "nothing has the focus";
  const style = getComputedStyle(focused);
  const box = focused.getBoundingClientRect();
  const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const inside = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0
    && box.top < innerHeight && box.left < innerWidth;
  const name = focused.getAttribute("aria-label") ?? focused.textContent.trim();
  if (!focused.matches(":focus-visible")) return `${name}: not :focus-visible`;
  if (!drawn && style.boxShadow === "none") return `${name}: no ring`;
  return inside ? "" : `${name}: outside the screen`;
}"""
FOCUSED_NAME = """() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return "";
  return focused.getAttribute("aria-label") ?? focused.textContent.trim();
}"""


def tab_to(guest: Guest, words: str, *, exact: bool = False, steps: int = 60) -> None:
    """Press Tab until something with these words has the focus; the focus is seen each time."""
    for _ in range(steps):
        guest.page.keyboard.press("Tab")
        unseen = guest.page.evaluate(FOCUS_IS_SEEN)
        at_the_end = unseen == "nothing has the focus"
        assert at_the_end or not unseen, unseen
        name = str(guest.page.evaluate(FOCUSED_NAME))
        if name == words or (words in name and not exact):
            return
    raise AssertionError(f"Tab never reaches {words}")


def press(guest: Guest, *keys: str) -> None:
    """Press keys one after another, wherever the focus is."""
    for key in keys:
        guest.page.keyboard.press(key)
