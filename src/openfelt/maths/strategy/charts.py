"""Charts of the 169 starting hands, drawn as SVG: by decision, and by value.

Pairs are on the diagonal, suited hands above it, others below. Colour is never the only indication:
every cell also has words or figures. The colours can be distinguished with any kind of colour
vision, and text on them has a contrast of at least 4.5 to 1.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from openfelt.maths.hands.starting_hands import parse_starting_hands

RANKS: Final = "AKQJT98765432"
CHECK: Final = "check"

Values = Mapping[str, Mapping[str, Fraction]]
"""The value of each action before the flop by starting hand, in Antes."""
Colour = tuple[int, int, int]

_CELL_WIDTH, _CELL_HEIGHT = 58, 44
_LEFT, _TOP = 34, 96
_WIDTH = _LEFT + 13 * _CELL_WIDTH + 18
_HEIGHT = _TOP + 13 * _CELL_HEIGHT + 58
_FONTS: Final = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
_INK: Final[Colour] = (0, 0, 0)
_PAPER: Final[Colour] = (255, 255, 255)
_DECISIONS: Final[Mapping[str, Colour]] = {
    "bet_4x": (0, 83, 143),
    "bet_3x": (86, 180, 233),
    CHECK: (243, 238, 226),
}
_OTHER_BET: Final[Colour] = (230, 159, 0)
_LOSING: Final[Sequence[Colour]] = ((247, 247, 247), (253, 205, 140), (230, 126, 34), (150, 62, 2))
_WINNING: Final[Sequence[Colour]] = ((247, 247, 247), (158, 202, 225), (49, 130, 189), (8, 48, 107))


@dataclass(frozen=True, slots=True)
class ChartHand:
    """One cell of a chart."""

    name: str
    action: str
    """The strategy's action: ``bet_4x``, ``bet_3x`` or ``check``."""
    value: Fraction
    """The value of the best action, in Antes."""

    @property
    def word(self) -> str:
        """The action in the words of the table.

        >>> ChartHand("AA", "bet_4x", Fraction(3)).word
        '4x'
        """
        return self.action.removeprefix("bet_")


@dataclass(frozen=True, slots=True)
class Chart:
    """The 169 starting hands with their actions and values."""

    title: str
    hands: Mapping[str, ChartHand]

    @classmethod
    def of(cls, title: str, values: Values, actions: Mapping[str, str] | None = None) -> "Chart":
        """Chart the best actions, or the given ones.

        >>> from openfelt.maths import HoldemTerms, first_values
        >>> chart = Chart.of("Perfect play", first_values(HoldemTerms.of()))
        >>> chart.hands["K5o"].action, chart.hands["K4o"].action
        ('bet_4x', 'check')
        """
        hands = {}
        for name, by_action in values.items():
            # The first of equal values: check, then the largest bet.
            best = max(by_action, key=by_action.__getitem__)
            action = actions.get(name, CHECK) if actions is not None else best
            hands[name] = ChartHand(name, action, by_action[best])
        return cls(title, hands)

    def at(self, row: int, column: int) -> ChartHand:
        """The hand at a place in the grid, aces first."""
        return self.hands[grid_name(row, column)]

    @property
    def betting(self) -> list[ChartHand]:
        """The hands that bet before the flop."""
        return [hand for hand in self.hands.values() if hand.action != CHECK]


def actions_of(before_flop: Mapping[int, str]) -> dict[str, str]:
    """The bets of a strategy's chart by starting hand.

    >>> actions_of({4: "KK+"})
    {'KK': 'bet_4x', 'AA': 'bet_4x'}
    """
    return {
        hand: f"bet_{multiple}x"
        for multiple, hands in before_flop.items()
        for hand in parse_starting_hands(hands)
    }


def grid_name(row: int, column: int) -> str:
    """The hand at a place in the grid: aces first, suited above the diagonal.

    >>> grid_name(0, 1), grid_name(1, 0), grid_name(12, 12)
    ('AKs', 'AKo', '22')
    """
    if row == column:
        return 2 * RANKS[row]
    high, low = sorted((row, column))
    return f"{RANKS[high]}{RANKS[low]}{'s' if column > row else 'o'}"


def draw_decisions(chart: Chart) -> str:
    """Draw the decision with each hand, as the text of an SVG file.

    >>> from openfelt.maths import HoldemTerms, first_values
    >>> draw_decisions(Chart.of("Perfect play", first_values(HoldemTerms.of())))[:4]
    '<svg'
    """
    actions = [action for action in _DECISIONS if action in _taken(chart)]
    actions += sorted(_taken(chart) - set(actions))
    betting = ", ".join(hand.name for hand in chart.betting) or "none"
    described = f"Hands that bet before the flop: {betting}. All others check."
    cells = [
        _cell(row, column, chart.at(row, column), decision_colour(chart.at(row, column).action))
        for row in range(13)
        for column in range(13)
    ]
    words = {"check": "check before the flop"}
    legend = [
        (decision_colour(action), words.get(action, f"bet {action.removeprefix('bet_')}"))
        for action in actions
    ]
    subtitle = f"{len(chart.betting)} of 169 starting hands bet at once"
    return _page(f"{chart.title}: decision before the flop", subtitle, described, cells, legend)


def draw_values(chart: Chart) -> str:
    """Draw the value of each hand, as the text of an SVG file; hands that bet are framed."""
    ordered = sorted(chart.hands.values(), key=lambda hand: hand.value)
    lowest, highest = ordered[0], ordered[-1]
    described = (
        f"From {highest.name}, worth {_value(highest.value)} Antes, "
        f"down to {lowest.name}, worth {_value(lowest.value)}. "
        "Frames mark the hands that bet before the flop."
    )
    cells = [
        _cell(
            row,
            column,
            chart.at(row, column),
            value_colour(chart.at(row, column).value, lowest.value, highest.value),
            figure=_value(chart.at(row, column).value),
        )
        for row in range(13)
        for column in range(13)
    ]
    steps = [lowest.value, lowest.value / 2, Fraction(0), highest.value / 2, highest.value]
    legend = [(value_colour(step, lowest.value, highest.value), _value(step)) for step in steps]
    subtitle = "Exact value in Antes with perfect play; a frame marks a bet before the flop"
    return _page(f"{chart.title}: value of each hand", subtitle, described, cells, legend)


def _taken(chart: Chart) -> set[str]:
    return {hand.action for hand in chart.hands.values()}


def _value(value: Fraction) -> str:
    return f"{float(value):+.2f}".replace("-", "−") if value else "0"  # noqa: RUF001


# Colours ------------------------------------------------------------------------


def decision_colour(action: str) -> Colour:
    """The colour of an action."""
    return _DECISIONS.get(action, _OTHER_BET)


def value_colour(value: Fraction, lowest: Fraction, highest: Fraction) -> Colour:
    """White for zero, orange for a loss, blue for a win, darker for more.

    >>> value_colour(Fraction(0), Fraction(-1), Fraction(3))
    (247, 247, 247)
    >>> value_colour(Fraction(3), Fraction(-1), Fraction(3))
    (8, 48, 107)
    """
    stops, most = (_LOSING, lowest) if value < 0 else (_WINNING, highest)
    part = float(value / most) if most else 0.0
    place = min(max(part, 0.0), 1.0) * (len(stops) - 1)
    number = min(int(place), len(stops) - 2)
    low, high = stops[number], stops[number + 1]
    red, green, blue = (
        round(start + (end - start) * (place - number))
        for start, end in zip(low, high, strict=True)
    )
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of two colours as WCAG 2 defines it, 1 to 21.

    >>> contrast((0, 0, 0), (255, 255, 255))
    21.0
    """
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def text_colour(background: Colour) -> Colour:
    """Black or white, whichever has more contrast on this background."""
    return max((_INK, _PAPER), key=lambda colour: contrast(colour, background))


def _luminance(colour: Colour) -> float:
    parts = [part / 255 for part in colour]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# Drawing ------------------------------------------------------------------------


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _attributes(values: Mapping[str, object]) -> str:
    return "".join(f" {name.replace('_', '-')}={quoteattr(str(to))}" for name, to in values.items())


def _text(left: float, top: float, words: str, **style: object) -> str:
    return f'<text x="{left:g}" y="{top:g}"{_attributes(style)}>{escape(words)}</text>'


def _rectangle(left: float, top: float, width: float, height: float, **style: object) -> str:
    place = {"x": left, "y": top, "width": width, "height": height, "rx": 3}
    return f"<rect{_attributes(place | style)}/>"


def _cell(
    row: int, column: int, hand: ChartHand, colour: Colour, *, figure: str | None = None
) -> str:
    left, top = _LEFT + column * _CELL_WIDTH, _TOP + row * _CELL_HEIGHT
    ink = _hex(text_colour(colour))
    middle = left + _CELL_WIDTH / 2
    bets = hand.action != CHECK
    drawn = [_rectangle(left + 1, top + 1, _CELL_WIDTH - 2, _CELL_HEIGHT - 2, fill=_hex(colour))]
    if figure is not None and bets:
        drawn.append(
            _rectangle(
                left + 3, top + 3, _CELL_WIDTH - 6, _CELL_HEIGHT - 6, fill="none", stroke=ink
            )
        )
    weight = {"font_weight": 700} if bets else {}
    drawn += [
        _text(middle, top + 19, hand.name, fill=ink, font_size=14, text_anchor="middle", **weight),
        _text(middle, top + 35, figure or hand.word, fill=ink, font_size=12, text_anchor="middle"),
    ]
    return "".join(drawn)


def _page(
    title: str,
    subtitle: str,
    described: str,
    cells: Iterable[str],
    legend: Sequence[tuple[Colour, str]],
) -> str:
    ink = _hex(_INK)
    opening = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {_WIDTH} {_HEIGHT}",
        "width": _WIDTH,
        "height": _HEIGHT,
        "role": "img",
        "aria-labelledby": "title described",
        "font-family": _FONTS,
    }
    parts = [
        f"<svg{_attributes(opening)}>",
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="described">{escape(described)}</desc>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="{_hex(_PAPER)}"/>',
        _text(_LEFT, 30, title, fill=ink, font_size=20, font_weight=700),
        _text(_LEFT, 52, subtitle, fill=ink, font_size=13),
    ]
    for place, rank in enumerate(RANKS):
        middle = _LEFT + (place + 0.5) * _CELL_WIDTH
        beside = _TOP + (place + 0.5) * _CELL_HEIGHT + 5
        parts += [
            _text(middle, _TOP - 8, rank, fill=ink, font_size=14, text_anchor="middle"),
            _text(_LEFT - 16, beside, rank, fill=ink, font_size=14, text_anchor="middle"),
        ]
    parts += [*cells, *_legend(legend), "</svg>"]
    return "\n".join(parts) + "\n"


def _legend(entries: Sequence[tuple[Colour, str]]) -> list[str]:
    ink, top = _hex(_INK), _TOP + 13 * _CELL_HEIGHT + 18
    drawn = []
    left = _LEFT
    for colour, words in entries:
        drawn += [
            _rectangle(left, top, 22, 18, fill=_hex(colour), stroke=ink),
            _text(left + 29, top + 14, words, fill=ink, font_size=13),
        ]
        left += 48 + 8 * len(words)
    words = "suited above the diagonal, unsuited below"
    drawn.append(_text(_WIDTH - 18, top + 14, words, fill=ink, font_size=13, text_anchor="end"))
    return drawn
