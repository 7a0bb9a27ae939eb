"""Every figure of a house as lines: of a draft, of the house it began with, and the difference.

All of them are exact fractions until they are written as decimals; roots are rounded from exact
squares.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from openfelt.protocol.draft_forms import ExactFigure, FigureLine
from openfelt.rules.house import House, WagerRule
from openfelt.rules.paytable import HandPaytable, ProgressivePaytable
from openfelt.rules.wagers import WagerKind

if TYPE_CHECKING:
    from openfelt.maths.holdem.game_outcomes import GameOutcomes
    from openfelt.maths.wagers.side_bet_figures import SideBet

GAME: Final = "game"
_PLACES: Final = {"percent": 4, "number": 6, "dollars": 4}
_ROOT_DIGITS: Final = 40


@dataclass(frozen=True, slots=True)
class Figure:
    """One exact figure; of a root, its square."""

    of: str
    measure: str
    unit: str
    value: Fraction
    multiple: int | None = None
    root: bool = False
    claimed: str | None = None

    @property
    def key(self) -> tuple[str, str, int | None]:
        """The key by which a figure is compared with the same figure of another house."""
        return self.of, self.measure, self.multiple

    @property
    def written(self) -> ExactFigure:
        """The figure as it is shown."""
        fraction = None if self.root else str(self.value)
        return ExactFigure(decimal=decimal_text(self.number, _PLACES[self.unit]), fraction=fraction)

    @property
    def number(self) -> Fraction:
        """The number as written: per cent, and a square root to more digits than are shown."""
        number = square_root(self.value) if self.root else self.value
        return 100 * number if self.unit == "percent" else number

    def less(self, other: "Figure") -> str:
        """The difference to the same figure of another house, with its sign."""
        difference = self.number - other.number
        text = decimal_text(difference, _PLACES[self.unit])
        return text if difference < 0 else f"+{text}"


def decimal_text(number: Fraction, places: int) -> str:
    """A fraction as a decimal number, rounded half up in its last place.

    >>> decimal_text(Fraction(-1, 3), 4), decimal_text(Fraction(1, 8), 2)
    ('-0.3333', '0.13')
    """
    scaled = abs(number) * 10**places
    rounded = (2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)
    digits = f"{rounded:0{places + 1}d}"
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if number < 0 and rounded else text


def square_root(square: Fraction) -> Fraction:
    """The square root of a fraction to forty digits.

    >>> square_root(Fraction(9, 4))
    Fraction(3, 2)
    """
    with localcontext() as context:
        context.prec = _ROOT_DIGITS
        return Fraction((Decimal(square.numerator) / Decimal(square.denominator)).sqrt())


def lines_of(draft: list[Figure], published: list[Figure]) -> list[FigureLine]:
    """Two houses' figures side by side: first all of the published house, in its order, then those
    that only the draft has."""
    ours = {figure.key: figure for figure in draft}
    theirs = {figure.key: figure for figure in published}
    return [_line(ours.get(key), theirs.get(key)) for key in {**theirs, **ours}]


def _line(draft: Figure | None, published: Figure | None) -> FigureLine:
    either = draft or published
    assert either is not None
    return FigureLine(
        of=either.of,
        measure=either.measure,
        unit=either.unit,
        multiple=either.multiple,
        draft=draft.written if draft is not None else None,
        published=published.written if published is not None else None,
        difference=None if draft is None or published is None else draft.less(published),
        claimed=published.claimed if published is not None else None,
    )


# The game ------------------------------------------------------------------------------------


def game_figures(house: House, game: "GameOutcomes") -> Iterator[Figure]:
    """The figures of Ante, Blind and Play together."""
    for basis, share in game.returns.items():
        yield Figure(GAME, f"advantage_{basis}", "percent", 1 - share)
    yield Figure(GAME, "std_dev", "number", game.variance, root=True)
    yield Figure(GAME, "variance", "number", game.variance)
    yield Figure(GAME, "units_staked", "number", game.units_staked)
    signs = (("won", 1), ("even", 0), ("lost", -1))
    for measure, sign in signs:
        deals = sum(n for net, n in game.distribution.items() if (net > 0) - (net < 0) == sign)
        yield Figure(GAME, measure, "percent", Fraction(deals, game.deals))
    for (street, _, multiple), share in zip(game.final_decisions, game.stage_shares, strict=True):
        yield Figure(GAME, street, "percent", share, multiple=multiple or None)
    ante = house.wager(WagerKind.ANTE)
    if ante is not None:
        yield from money_figures(GAME, ante, -game.ev_per_ante, max(game.distribution))


def money_figures(
    of: str, rule: WagerRule, advantage: Fraction, most: Fraction
) -> Iterator[Figure]:
    """The figures of a wager at its limits, in dollars."""
    yield Figure(of, "win_at_least", "dollars", advantage * rule.min_cents / 100)
    yield Figure(of, "win_at_most", "dollars", advantage * rule.max_cents / 100)
    yield Figure(of, "most_paid", "dollars", most * rule.max_cents / 100)


# Side bets -----------------------------------------------------------------------------------


def side_bet_figures(house: House) -> Iterator[Figure]:
    """The figures of each side bet alone; a progressive at the seed of its meter.

    Raises ValueError for a table that is not counted exactly.
    """
    from openfelt.maths.wagers.pricers import price_side_bet
    from openfelt.maths.wagers.side_bet_figures import price_progressive

    for rule in house.wagers:
        if rule.paytable is None or rule.kind is WagerKind.BLIND:
            continue
        bet = price_side_bet(rule.paytable, meter_units=_meter_units(house, rule))
        if bet is None:
            continue
        yield from side_bet_lines(rule, bet)
        if isinstance(rule.paytable, ProgressivePaytable):
            meter = price_progressive(rule.paytable).break_even_meter()
            if meter is not None:
                dollars = meter * rule.min_cents / 100
                yield Figure(rule.kind.value, "break_even_meter", "dollars", dollars)


def _meter_units(house: House, rule: WagerRule) -> Fraction:
    seed_cents = house.progressive.seed_cents if house.progressive is not None else 0
    return Fraction(seed_cents, rule.min_cents)


def side_bet_lines(rule: WagerRule, bet: "SideBet") -> Iterator[Figure]:
    """The figures of one side bet alone."""
    of, table = rule.kind.value, rule.paytable
    claimed = table.claimed_advantage if isinstance(table, HandPaytable) else None
    yield Figure(of, "advantage", "percent", bet.house_advantage, claimed=claimed)
    yield Figure(of, "hit_frequency", "percent", bet.hit_frequency)
    yield Figure(of, "std_dev", "number", bet.variance, root=True)
    yield Figure(of, "variance", "number", bet.variance)
    yield from money_figures(of, rule, bet.house_advantage, max(award.net for award in bet.awards))
