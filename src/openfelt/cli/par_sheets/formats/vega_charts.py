"""The charts of a par sheet as Vega-Lite specifications, one for page and print.

Altair checks each against the schema of Vega-Lite, and vl-convert draws it without a browser.
Altair takes seconds to import, so only a chart that is drawn imports it.
"""

from typing import Any, Final

import vl_convert

from openfelt.cli.par_sheets.sheet import ChartData

PNG_SCALE: Final = 2.0


def specification(chart: ChartData) -> dict[str, Any]:
    """The chart as Vega-Lite."""
    from openfelt.cli.par_sheets.formats import vega_marks

    return vega_marks.specification(chart)


def as_svg(chart: ChartData) -> str:
    """The chart as SVG."""
    return vl_convert.vegalite_to_svg(specification(chart))


def as_png(chart: ChartData) -> bytes:
    """The chart as PNG."""
    return vl_convert.vegalite_to_png(specification(chart), scale=PNG_SCALE)
