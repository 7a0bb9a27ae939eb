"""The boxes on a terminal's screen, measured: what lies on what, and what is cut off."""

import time

from tests.kit.browser.guests import Guest

FAULTS = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  // What has a place of its own: nothing of it is cut, and no other place lies on it.
  const PLACES = [
    "header button", "header h1", "header .place > *", "header dl > div", "[role=timer]",
    "main .plaque", "main .strip > *", "main .group h2", "main .words", "main .voice p",
    "main .notices p", "main .way", "main .void", "main .seats li", "main .bank dl > div",
    "main .tabs button", "main section .cards", "main .tap .tag", "main .circle .name",
    "main .circle span.ring", "main .circle .tip", "main .circle .amount",
    "main .circle span.result", "main section header p", "main .verdict",
    "main section footer p", "main .choice", "main .cards .marked", "main .sit h2",
    "main .sit p", "main .sit button", "aside .notices p",
    "footer dl > div", "footer [role=radio]", "footer .tray p", "footer .waiting",
    "footer button", "footer input", "footer form p",
  ];
  // What is meant to lie on something else.
  const LIES_ON = [
    [".over .verdict", ".cards, .marked"], ["[role=radio]", "[role=radio]"],
    [".tag", ".marked"], [".marked", ".marked"], [".void", ".cards, .marked"],
  ];

  const shown = (one) => {
    const style = getComputedStyle(one);
    return style.visibility !== "hidden" && style.clipPath === "none"
      && !one.closest(".sr-only, [inert], dialog, .urgent") && one.getClientRects().length > 0;
  };
  const named = (one) => {
    const words = (one.getAttribute("aria-label") ?? one.textContent).trim().replace(/\\s+/g, " ");
    return `${one.tagName.toLowerCase()}.${[...one.classList][0] ?? ""} "${words.slice(0, 40)}"`;
  };
  const merged = (boxes) => boxes.length === 0 ? null : ({
    left: Math.min(...boxes.map((box) => box.left)),
    top: Math.min(...boxes.map((box) => box.top)),
    right: Math.max(...boxes.map((box) => box.right)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  });
  // Words may be wider than their element, so they are measured themselves.
  const wordsBox = (one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const boxes = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // A fingerprint is shortened on purpose.
      const parent = node.parentElement;
      if (!node.data.trim() || !shown(parent) || parent.matches("code")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      boxes.push(...range.getClientRects());
    }
    return merged(boxes);
  };
  const FRAMED = "button, input, .ring, .cards, .marked, .plaque, .circle .tip, .amount, li,"
    + " span.result";
  const framed = (one) => one.matches(`${FRAMED}, footer dl > div`);
  // The part of the screen that an element can be seen in.
  const window_ = (one) => {
    const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let up = one.parentElement; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      const box = up.getBoundingClientRect();
      if (style.overflowX !== "visible") {
        room.left = Math.max(room.left, box.left);
        room.right = Math.min(room.right, box.right);
      }
      if (style.overflowY !== "visible") {
        room.top = Math.max(room.top, box.top);
        room.bottom = Math.min(room.bottom, box.bottom);
      }
    }
    return room;
  };
  const SLACK = 1.5;
  const outside = (box, room) => box.left < room.left - SLACK || box.right > room.right + SLACK
    || box.top < room.top - SLACK || box.bottom > room.bottom + SLACK;

  const faults = [];
  const places = [];
  for (const one of document.querySelectorAll(PLACES.join(", "))) {
    if (!shown(one) || one.closest(".dealing p")) continue;
    const box = framed(one) ? one.getBoundingClientRect() : wordsBox(one);
    if (!box || box.right - box.left < 1) continue;
    const room = window_(one);
    // On a phone the other hands are beside the screen, a swipe away.
    if (box.right <= room.left + SLACK || box.left >= room.right - SLACK) continue;
    if (outside(box, room)) faults.push(`${named(one)} is not whole on the screen`);
    const words = wordsBox(one);
    if (words && one.matches("button, .plaque") && outside(words, one.getBoundingClientRect())) {
      faults.push(`the words of ${named(one)} leave it`);
    }
    for (const part of [one, ...one.querySelectorAll(":not(code)")]) {
      const hides = getComputedStyle(part).overflowX !== "visible" && part.clientWidth > 1;
      if (hides && shown(part) && part.scrollWidth > part.clientWidth + 1) {
        faults.push(`${named(part)} is cut off`);
      }
    }
    places.push({ one, box });
  }
  const meant = (a, b) => LIES_ON.some(([over, under]) => a.matches(over) && b.matches(under)
    || b.matches(over) && a.matches(under));
  places.forEach(({ one, box: a }, at) => {
    for (const { one: other, box: b } of places.slice(at + 1)) {
      if (one.contains(other) || other.contains(one) || meant(one, other)) continue;
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > SLACK && high > SLACK) {
        faults.push(`${named(one)} and ${named(other)} overlap by ${Math.round(wide)}x${
          Math.round(high)}`);
      }
    }
  });
  if (document.scrollingElement.scrollWidth > innerWidth) faults.push("the page is too wide");
  return faults;
}"""

CUT_CONTROLS = """async () => {
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const SLACK = 1.5;
  const faults = [];
  for (const one of document.querySelectorAll("button, .button, input, select")) {
    const box = one.getBoundingClientRect();
    if (box.width <= 1 || one.closest(".sr-only, dialog")) continue;
    for (let up = one.parentElement; up; up = up.parentElement) {
      // What scrolls shows the rest on demand; what is hidden is never shown.
      if (getComputedStyle(up).overflowX !== "hidden") continue;
      const room = up.getBoundingClientRect();
      if (box.left < room.left - SLACK || box.right > room.right + SLACK) {
        faults.push(`"${one.textContent.trim().slice(0, 40)}" is cut off`);
      }
    }
  }
  if (document.scrollingElement.scrollWidth > innerWidth) faults.push("the page is too wide");
  return faults;
}"""

SIZES = {
    "terminal": (1920, 1080),
    "laptop": (1280, 800),
    "tablet held upright": (768, 1024),
    "phone": (390, 664),
    "small phone": (360, 640),
    "phone on its side": (844, 390),
}
"""The screens that the terminal has to fit on. Of a phone, what the browser leaves to the page."""


LAYOUT_SECONDS = 5
"""A page takes a new size in a few frames; what is wrong after this stays wrong."""


def box_faults(guest: Guest) -> list[str]:
    """What overlaps or is cut off on the screen at each size; the first size is left at the end."""
    found = []
    for name, (width, height) in reversed(SIZES.items()):
        guest.page.set_viewport_size({"width": width, "height": height})
        found += [f"{name}: {fault}" for fault in _lasting_faults(guest)]
    return found


def cut_controls(guest: Guest) -> list[str]:
    """Which controls of a page that scrolls are cut off at their sides, at each size and between.

    A page of cards has its worst widths just above a breakpoint, where a card is narrowest.
    """
    found = []
    for width in (1920, 1510, 1440, 1280, 1210, 1024, 830, 768, 610, 390, 360):
        guest.page.set_viewport_size({"width": width, "height": 800})
        found += [f"{width} wide: {fault}" for fault in _lasting_faults(guest, CUT_CONTROLS)]
    return found


def _lasting_faults(guest: Guest, script: str = FAULTS) -> list[str]:
    deadline = time.monotonic() + LAYOUT_SECONDS
    while (faults := guest.page.evaluate(script)) and time.monotonic() < deadline:
        guest.page.wait_for_timeout(50)
    return list(faults)
