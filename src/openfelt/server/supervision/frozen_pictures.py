"""Pictures of a frozen round: what the dealer or a seat saw at the end, as SVG.

A picture is drawn once, when the round is frozen, and is kept with it under the same hash. It is
made of the frozen view alone, so that the same view always gives the same bytes. ``RENDERER`` names
how it is drawn, and changes with every change of the drawing.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

from openfelt.money import format_cents

RENDERER: Final = "openfelt.picture/1"
WIDTH: Final = 1120
CARD_WIDTH: Final = 58
CARD_HEIGHT: Final = 82
LINE: Final = 20
LEFT: Final = 36
STEPS_LEFT: Final = 700
STEPS_MAX: Final = 40
"""How many steps are listed beside the cards, the last ones."""
HANDS_MAX: Final = 14
"""How many hands of others are drawn, where players see all hands."""
_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RED: Final = frozenset("hd")
_FONT: Final = "font-family='Helvetica, Arial, sans-serif'"


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureTitle:
    """The title above a picture."""

    table: str
    round: int
    house: str
    whose: str
    """Whose view it is, such as ``Seat 5, ann``."""


@dataclass(slots=True)
class _Sheet:
    """A drawing that grows downwards."""

    parts: list[str]
    y: int

    def text(
        self, words: str, *, size: int = 15, x: int = LEFT, weight: int = 400, ink: str = "#f4efe2"
    ) -> None:
        """A line of words, below the last one."""
        self.y += max(LINE, size + 5)
        self.parts.append(_text(words, x, self.y, size=size, weight=weight, ink=ink))

    def cards(self, cards: Sequence[str | None]) -> None:
        """A row of cards, below the last line."""
        self.y += 8
        self.parts += [
            _card(card, LEFT + at * (CARD_WIDTH + 8), self.y) for at, card in enumerate(cards)
        ]
        self.y += CARD_HEIGHT + 2 if cards else 0


def picture(title: PictureTitle, steps: Sequence[Mapping[str, Any]]) -> str:
    """A frozen view as it was at the end, with the steps that led there.

    ``steps`` are those of the frozen round, as plain values.
    """
    sheet = _Sheet([], 24)
    sheet.text(f"{title.table}, round {title.round}", size=24, weight=700)
    sheet.text(f"{title.whose} · {title.house}", size=16, ink="#d8c48a")
    sheet.text("Replay of a frozen round: the last view", ink="#b9c7bd")
    last = steps[-1] if steps else None
    if last is None:
        sheet.text("Nothing was seen.")
    else:
        _felt(sheet, last)
    height = max(sheet.y, 110 + LINE * min(len(steps), STEPS_MAX)) + 40
    return "".join(
        (
            (
                f"<svg xmlns='http://www.w3.org/2000/svg' width='{WIDTH}' height='{height}' "
                f"viewBox='0 0 {WIDTH} {height}' {_FONT} role='img'>"
            ),
            f"<title>{escape(f'{title.table}, round {title.round}: {title.whose}')}</title>",
            f"<rect width='{WIDTH}' height='{height}' rx='18' fill='#0f3b2c'/>",
            (
                f"<rect x='12' y='12' width='{WIDTH - 24}' height='{height - 24}' rx='12' "
                "fill='none' stroke='#b08d3c' stroke-width='2'/>"
            ),
            *sheet.parts,
            *_steps(steps),
            _text(RENDERER, WIDTH - 150, height - 20, size=11, ink="#b9c7bd"),
            "</svg>",
        )
    )


def digest_of_picture(drawn: str) -> str:
    """The SHA-256 of a picture."""
    return hashlib.sha256(drawn.encode()).hexdigest()


# The felt ------------------------------------------------------------------------------------


def _felt(sheet: _Sheet, step: Mapping[str, Any]) -> None:
    public = step["public"]
    _row(sheet, "Dealer", public["dealer"], public.get("dealer_made"))
    _row(sheet, "Common cards", public["common"], public.get("common_made"))
    for spot, hand in step["own"].items():
        _hand(sheet, f"Own hand {spot}", hand)
    others = [(spot, hand) for spot, hand in public["hands"].items() if spot not in step["own"]]
    for spot, hand in others[:HANDS_MAX]:
        _hand(sheet, f"Hand {spot}", hand)
    if len(others) > HANDS_MAX:
        sheet.text(f"{len(others) - HANDS_MAX} further hands are in the frozen data.")
    if public.get("void_reason"):
        sheet.text(f"Void: {public['void_reason']}", weight=700, ink="#ffb4a2")


def _row(sheet: _Sheet, name: str, cards: Sequence[str | None], made: str | None) -> None:
    sheet.y += 6
    sheet.text(f"{name}: {made}" if made else name, size=16, weight=700, ink="#d8c48a")
    sheet.cards(cards)


def _hand(sheet: _Sheet, name: str, hand: Mapping[str, Any]) -> None:
    _row(sheet, name, hand["cards"], hand.get("made"))
    wagers = ", ".join(
        f"{wager['kind']}{' for the dealer' if wager['for_dealer'] else ''} "
        f"{format_cents(wager['cents'])}"
        for wager in hand["wagers"]
    )
    if wagers:
        sheet.text(f"Wagers: {wagers}")
    for decision in hand["decisions"]:
        sheet.text(f"{decision['street']}: {decision['decision']} (by the {decision['by']})")
    for line in hand["lines"]:
        sheet.text(
            f"{line['wager']}: {line['result']}, stake {format_cents(line['stake_cents'])}, "
            f"returned {format_cents(line['returned_cents'])}, "
            f"paid {format_cents(line['payout_cents'])} ({line['clause']})"
        )
    if hand.get("net_cents") is not None:
        sheet.text(f"Net: {format_cents(hand['net_cents'])}", weight=700)
    if hand.get("void") or hand.get("fouled"):
        sheet.text("The hand is void." if hand.get("void") else "The hand is fouled.", weight=700)


def _steps(steps: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The steps of the round on the right, one line each."""
    shown = steps[-STEPS_MAX:]
    yield _text("What happened (UTC)", STEPS_LEFT, 76, size=16, weight=700, ink="#d8c48a")
    for at, step in enumerate(shown):
        moment = datetime.fromtimestamp(step["at_ms"] / 1000, UTC)
        words = f"{moment:%Y-%m-%d %H:%M:%S}  {step['text']}"
        cut = words if len(words) <= 56 else f"{words[:55]}…"
        yield _text(cut, STEPS_LEFT, 100 + at * LINE, size=13)


# Shapes --------------------------------------------------------------------------------------


def _text(words: str, x: int, y: int, *, size: int, weight: int = 400, ink: str = "#f4efe2") -> str:
    return (
        f"<text x='{x}' y='{y}' font-size='{size}' font-weight='{weight}' fill='{ink}'>"
        f"{escape(words)}</text>"
    )


def _card(card: str | None, x: int, y: int) -> str:
    frame = f"<rect x='{x}' y='{y}' width='{CARD_WIDTH}' height='{CARD_HEIGHT}' rx='7'"
    if card is None or len(card) != 2 or card[1] not in _SUITS:
        inner = f"x='{x + 7}' y='{y + 7}' width='{CARD_WIDTH - 14}' height='{CARD_HEIGHT - 14}'"
        return f"{frame} fill='#7a2230' stroke='#fff'/><rect {inner} rx='4' fill='#93404c'/>"
    ink = "#b3202c" if card[1] in _RED else "#1a1a1a"
    rank = "10" if card[0] == "T" else card[0]
    return (
        f"{frame} fill='#fffdf6' stroke='#cfc7b2'/>"
        f"{_text(rank, x + 8, y + 30, size=26, weight=700, ink=ink)}"
        f"{_text(_SUITS[card[1]], x + 22, y + 70, size=34, ink=ink)}"
    )
