"""The whole screen, laid out like a terminal of the stadium game, from a view and its figures."""

import textwrap
from dataclasses import dataclass

from rich.console import Console, Group, RenderableType
from rich.text import Text

from openfelt.cli.play.screens.card_pictures import Size
from openfelt.cli.play.screens.felt import beside, dealer_area, hand_areas
from openfelt.cli.play.screens.figures import Figures, chip_words
from openfelt.cli.play.screens.sidebar import sidebar
from openfelt.money import format_cents
from openfelt.rules import Phase, RoundView

WIDTH_MAX = 120
MAIN_WIDTH = 68
"""The felt's width before the side grows beyond its smallest width."""
SIDE_MIN, SIDE_MAX = 26, 40
TALL = 38
"""With at least this many lines there is room for large cards."""
SHORT = 30
"""With fewer lines than this the screen leaves out what it can."""
_CHIP_STYLES = {
    100: "black on grey93",
    500: "white on red3",
    1000: "white on blue3",
    2500: "white on dark_green",
    5000: "black on dark_orange",
    10000: "white on grey19",
}
DENOMINATION_CENTS = 1
"""One credit is a cent: every amount is a whole number of them."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The layout of the felt: what is drawn on fewer lines, and whether there is a side."""

    compact_hands: bool = False
    compact_dealer: bool = False
    side: bool = True


_LAYOUTS = (
    Layout(),
    Layout(compact_hands=True),
    Layout(compact_hands=True, compact_dealer=True),
    Layout(compact_hands=True, compact_dealer=True, side=False),
)
"""From the roomiest to the shortest."""


def draw_screen(
    seen: RoundView, figures: Figures, console: Console, *, below: int = 1
) -> RenderableType:
    """The screen for this console's size, with ``below`` lines left free under it.

    The player has to see the dealer and the board to decide, so this takes the
    roomiest layout that fits, or the shortest of all.
    """
    for layout in _LAYOUTS:
        lines = _laid_out(seen, figures, console, layout)
        if sum(line.plain.count("\n") + 1 for line in lines) + below <= console.height:
            break
    return Group(*lines)


def _laid_out(seen: RoundView, figures: Figures, console: Console, layout: Layout) -> list[Text]:
    width = min(console.width, WIDTH_MAX)
    over = seen.phase in (Phase.SETTLED, Phase.VOIDED)
    tall, short = console.height >= TALL, console.height < SHORT
    size = Size.LARGE if tall and width >= 96 and figures.house.hands_per_seat == 1 else Size.SMALL
    side_width = min(SIDE_MAX, max(SIDE_MIN, width - MAIN_WIDTH))
    with_side = layout.side and width >= 78 and (tall or not over)
    main_width = width - side_width - 2 if with_side else width
    felt = dealer_area(seen, figures, size=size, width=main_width, compact=layout.compact_dealer)
    felt += hand_areas(
        seen,
        figures,
        size=size,
        width=main_width,
        with_others=not (short and over),
        compact=layout.compact_hands,
    )
    if not over:
        felt += _notices(figures, main_width)
    felt = [part for line in felt for part in line.wrap(console, main_width)]
    if with_side:
        # The header, the rules, the meters, the prompt and, at the end, the settlement.
        around = 22 if over else 8
        height = max(len(felt), console.height - around)
        felt = _with_side(felt, sidebar(figures, width=side_width, height=height), main_width)
    rule = [] if short else [Text("═" * width, "green")]
    return [
        *_header(seen, figures, width),
        *rule,
        *felt,
        *rule,
        *_footer(seen, figures, short=short),
    ]


def _with_side(felt: list[Text], side: list[Text], main_width: int) -> list[Text]:
    padded = [line.copy() for line in felt]
    if padded:
        padded[0].pad_right(max(0, main_width - padded[0].cell_len))
    lines = beside([padded, side], gap=2)
    for line in lines:
        line.rstrip()
    return lines


def _header(seen: RoundView, figures: Figures, width: int) -> list[Text]:
    least, most = figures.limits
    top = _spread(
        Text(figures.house.name.upper(), "bold"),
        Text(f"TABLE {figures.table_name}  GAME #{seen.number}  TID #{figures.seat}"),
        width,
    )
    limits = Text(
        f"MIN-BET {format_cents(least)}  MAX-BET {format_cents(most)}  "
        f"DENOM {format_cents(DENOMINATION_CENTS)}"
    )
    second = _spread(limits, Text(figures.note, "dim"), width)
    lines = [top, second]
    if seen.phase is Phase.VOIDED:
        lines += [Text(line, "bold red") for line in _void_mark(seen.void_reason or "", width)]
    return lines


def _void_mark(reason: str, width: int) -> list[str]:
    """VOID GAME across the table, with the reason (S.screen.void_game)."""
    mark = f" VOID GAME · {reason} "
    if len(mark) <= width:
        return [mark.center(width, "═")]
    return [" VOID GAME ".center(width, "═"), *textwrap.wrap(reason, width)]


def _spread(left: Text, right: Text, width: int) -> Text:
    gap = width - left.cell_len - right.cell_len
    if gap < 2:
        return Text.assemble(left, "\n", right)
    return Text.assemble(left, " " * gap, right)


def _footer(seen: RoundView, figures: Figures, *, short: bool) -> list[Text]:
    meters = Text()
    for name, cents in (
        ("BET", figures.bet_cents),
        ("WIN", figures.win_cents),
        ("CREDIT", figures.credit_cents),
    ):
        meters.append(f"{name} ", "dim")
        meters.append(f"{format_cents(cents)}   ", "bold")
    if figures.meter_cents is not None:
        meters.append("PROGRESSIVE ", "dim")
        meters.append(format_cents(figures.meter_cents), "bold")
    if seen.phase in (Phase.SETTLED, Phase.VOIDED):
        return [meters]
    if short and seen.phase is not Phase.WAGERING:
        return [meters, _controls(seen, figures)]
    return [meters, _chips(figures), _controls(seen, figures)]


def _notices(figures: Figures, width: int) -> list[Text]:
    """The standing notices of the house, in capitals as on a terminal."""
    lines = []
    for notice in figures.house.notices:
        lines += textwrap.wrap(notice.rstrip(".").upper(), width, subsequent_indent="  ")
    return [Text(line, "yellow") for line in lines]


def _chips(figures: Figures) -> Text:
    line = Text("CHIPS ", "dim")
    for cents in figures.house.chips_cents:
        style = _CHIP_STYLES.get(cents, "bold")
        mark = "▸" if cents == figures.chip_cents else " "
        line.append(mark, "bold")
        line.append(f"({chip_words(cents)})", style)
        line.append(" ")
    line.append(f"  {chip_words(figures.chip_cents)} CHIP", "bold")
    return line


def _controls(seen: RoundView, figures: Figures) -> Text:
    if seen.phase is Phase.WAGERING:
        return Text(
            "DEAL · X2 · UNDO · RE-BET · CLEAR BET · COLLECT · PAYTABLES · HELP · QUIT", "dim"
        )
    floor = "FLOOR: VOID GAME · " if figures.floor else ""
    return Text(f"{floor}PAYTABLES · HISTORY · HELP · QUIT", "dim")
