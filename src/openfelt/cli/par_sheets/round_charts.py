"""The data of a par sheet's charts: wagers, the results of a round, and a session."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from openfelt.cli.figures.number_format import percent, signed
from openfelt.cli.par_sheets.sheet import ChartData, Section
from openfelt.maths.wagers.session_results import SessionResults, session_results

SESSION_ROUNDS: Final = 200
RESULTS_SHOWN_MAX: Final = 8
"""Better results of a round are drawn together."""
QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BARS: Final = 40


def wagers_chart(expected: Sequence[tuple[str, Fraction]]) -> ChartData:
    """The expected result of each wager, per unit of it."""
    values: tuple[Mapping[str, float | str], ...] = tuple(
        {"wager": words, "result": float(value)} for words, value in expected
    )
    caption = "Expected result of each wager, per Ante or per unit of a side bet."
    axis = "expected result, per Ante or per unit of a side bet"
    return ChartData("wagers", "Expected result by wager", caption, values, axis)


def results_chart(distribution: Mapping[Fraction, int], held: str = "") -> ChartData:
    """The chances of the results of a round; rare high ones are drawn together.

    `held` says how the player holds, where a game has several sheets of results.
    """
    total = sum(distribution.values())
    chances = {net: deals / total for net, deals in distribution.items()}
    values: list[dict[str, float | str]] = [
        {"label": signed(net, 1), "chance": chance, "sign": _sign(net)}
        for net, chance in chances.items()
        if net <= RESULTS_SHOWN_MAX
    ]
    above = sum(chance for net, chance in chances.items() if net > RESULTS_SHOWN_MAX)
    if above:
        values.append({"label": f">{RESULTS_SHOWN_MAX}", "chance": above, "sign": "won"})
    caption = "How often a round ends with each net result, in Antes."
    title = _titled("Results of a round", held)
    return ChartData("results", title, caption, tuple(values), "net result in Antes")


def session_section(distribution: Mapping[Fraction, int], held: str = "") -> Section:
    """The results of a session of rounds with one Ante each."""
    title = _titled(f"A session of {SESSION_ROUNDS} rounds", held)
    session = session_results(distribution, SESSION_ROUNDS)
    ahead = session.chance_between(session.unit, None)
    even = session.chance_between(Fraction(0), Fraction(0))
    rows = [
        ("Ends ahead", percent(ahead)),
        ("Ends even", percent(even)),
        ("Ends behind", percent(session.chance_between(None, -session.unit))),
        *(
            (f"{share:.0%} end at or below", signed(session.quantile(share), 1))
            for share in QUANTILES
        ),
    ]
    return Section(
        title,
        (
            (
                "One Ante in each round, without side bets. Rounds are independent; the exact "
                "probabilities of a round are convolved; nothing is sampled. Results are in Antes."
            ),
        ),
        ("session", "figure"),
        tuple(rows),
        charts=(_session_chart(session, title),),
    )


def _session_chart(session: SessionResults, title: str) -> ChartData:
    # A royal flush alone moves a session by up to 500 Antes: the best would flatten the rest.
    low, high = session.quantile(0.002), session.quantile(0.99)
    # Whole units, so that each bar covers the same number of possible results.
    width = max(session.unit, Fraction(int((high - low) / session.unit) // BARS + 1) * session.unit)
    # Bars begin at zero, so that none mixes sessions ahead with sessions behind.
    first = (low / width).__floor__()
    last = (high / width).__ceil__()
    values = tuple(
        {
            "low": float(place * width),
            "high": float((place + 1) * width),
            "chance": session.chance_between(place * width, (place + 1) * width - session.unit),
            "sign": "lost" if place < 0 else "won",
        }
        for place in range(first, last)
    )
    caption = (
        f"Net results of sessions of {session.rounds} rounds, in Antes. The first bar from zero on "
        "includes sessions that end even; the best in a hundred lie beyond the last bar."
    )
    return ChartData("session", title, caption, values, "net result in Antes")


def _titled(title: str, held: str) -> str:
    return f"{title}, {held}" if held else title


def _sign(net: Fraction) -> str:
    return "won" if net > 0 else "lost" if net < 0 else "even"
