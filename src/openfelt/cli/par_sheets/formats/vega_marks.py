"""The marks of each kind of chart of a par sheet, in Altair's words."""

from typing import Any, Final

import altair as alt

from openfelt.cli.par_sheets.sheet import ChartData

WIDTH: Final = 560
FIGURE_WIDTH: Final = 64
"""The width of a percentage beside its bar."""
SIGNS: Final = alt.Scale(domain=["lost", "even", "won"], range=["#a33b3b", "#8a8a8a", "#2f6b4f"])


def specification(chart: ChartData) -> dict[str, Any]:
    """The chart as Vega-Lite."""
    data = alt.Data(values=[dict(value) for value in chart.values])
    drawn = _DRAWN[chart.kind](alt.Chart(data), chart.axis)
    titled = drawn.properties(width=WIDTH, title=alt.TitleParams(chart.title, anchor="start"))
    spec: dict[str, Any] = titled.configure(
        font="sans-serif", axis=alt.AxisConfig(labelFontSize=11, titleFontSize=11)
    ).to_dict()
    return spec


def _wagers(chart: alt.Chart, axis: str) -> alt.LayerChart:
    bars = chart.mark_bar().encode(
        x=alt.X(
            "result:Q",
            title=axis,
            axis=alt.Axis(format="+.1%"),
            # Room for the figures to the right of the longest bar.
            scale=alt.Scale(padding=FIGURE_WIDTH),
        ),
        y=alt.Y("wager:N", title=None, sort=None, axis=alt.Axis(labelLimit=260)),
        color=alt.condition("datum.result < 0", alt.value("#a33b3b"), alt.value("#2f6b4f")),
    )
    words = chart.mark_text(align="left", dx=4).encode(
        x="result_end:Q", y=alt.Y("wager:N", sort=None), text=alt.Text("result:Q", format="+.4%")
    )
    labelled = words.transform_calculate(result_end="max(datum.result, 0)")
    return alt.layer(bars, labelled).properties(height=alt.Step(24))


def _results(chart: alt.Chart, axis: str) -> alt.Chart:
    return (
        chart.mark_bar()
        .encode(
            x=alt.X("label:N", title=axis, sort=None, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("chance:Q", title="chance", axis=alt.Axis(format="%")),
            color=alt.Color("sign:N", title=None, scale=SIGNS),
        )
        .properties(height=200)
    )


def _session(chart: alt.Chart, axis: str) -> alt.Chart:
    return (
        chart.mark_bar(stroke="white", strokeWidth=0.5)
        .encode(
            x=alt.X("low:Q", title=axis, bin="binned"),
            x2="high:Q",
            y=alt.Y("chance:Q", title="chance", axis=alt.Axis(format=".1%")),
            color=alt.Color("sign:N", title=None, scale=SIGNS, legend=None),
        )
        .properties(height=200)
    )


def _bands(chart: alt.Chart, axis: str) -> alt.LayerChart:
    rounds = alt.X(
        "rounds:Q",
        title="rounds",
        scale=alt.Scale(type="log"),
        axis=alt.Axis(format="~s", values=[10**power for power in range(3, 9)]),
    )
    shade = alt.Scale(domain=["99%", "95%", "90%"], range=["#cfdcec", "#9fbbdb", "#5f8ec4"])
    area = chart.mark_area().encode(
        x=rounds,
        y=alt.Y("low:Q", title=axis, axis=alt.Axis(format="%"), scale=alt.Scale(zero=False)),
        y2="high:Q",
        color=alt.Color("confidence:N", title=None, scale=shade, sort=["99%", "95%", "90%"]),
    )
    mean = chart.mark_line(color="#222", strokeWidth=1).encode(x=rounds, y="mean:Q")
    return alt.layer(area, mean).properties(height=220)


_DRAWN: Final = {"wagers": _wagers, "results": _results, "session": _session, "bands": _bands}
