"""The formats of a par sheet: Markdown for people and version control, HTML for print."""

import re
from collections.abc import Callable, Sequence
from html import escape

from openfelt.cli.par_sheets.sheet import ChartData, ParSheet, Section

Drawing = Callable[[ChartData], str]
"""Draws a chart as SVG."""

_FRACTION = re.compile(r"^(-?\d{9,})/(\d{9,})$")
"""A long fraction, which breaks after its stroke before it breaks between digits."""
_STYLE = (
    "body{font:10pt/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111}"
    "table{border-collapse:collapse;margin:.6em 0 1.4em}"
    "th,td{border-bottom:1px solid #bbb;padding:.2em .7em;text-align:right}"
    ".words{text-align:left}"
    "td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}"
    "figure{margin:1em 0 1.6em;break-inside:avoid}figure svg{max-width:100%;height:auto}"
    "figcaption{font-size:.9em;color:#444}.wide{overflow-x:auto}"
    "h2{font-size:1.15em;margin-top:1.6em;break-after:avoid}tr{break-inside:avoid}"
)


def markdown(sheet: ParSheet) -> str:
    """The sheet as Markdown."""
    return f"# {sheet.title}\n" + "".join(map(_markdown_section, sheet.sections))


def _markdown_section(section: Section) -> str:
    parts = [f"\n## {section.title}\n"]
    parts += [f"\n{sentence}\n" for sentence in section.sentences]
    if section.columns:
        marks = ["---" if words else "---:" for words in section.word_columns]
        rows = [section.columns, marks, *section.rows]
        parts.append("\n" + "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows))
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def html(sheet: ParSheet, draw: Drawing | None = None) -> str:
    """The sheet as one HTML page without scripts, which a browser prints; charts if drawn."""
    title = escape(sheet.title)
    body = "".join(_html_section(section, draw) for section in sheet.sections)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}</body></html>\n"
    )


def _html_section(section: Section, draw: Drawing | None) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>\n"]
    parts += [f"<p>{escape(sentence)}</p>\n" for sentence in section.sentences]
    if section.columns:
        sides = [' class="words"' if words else "" for words in section.word_columns]
        head = _html_row("th", section.columns, [f'{side} scope="col"' for side in sides])
        rows = "".join(_html_row("td", row, sides) for row in section.rows)
        parts.append(
            f'<div class="wide"><table><thead>{head}</thead>\n<tbody>{rows}</tbody></table></div>\n'
        )
    if draw is not None:
        for chart in section.charts:
            caption = escape(chart.caption)
            parts.append(f"<figure>{draw(chart)}<figcaption>{caption}</figcaption></figure>\n")
    return "".join(parts)


def _html_row(tag: str, cells: Sequence[str], attributes: Sequence[str]) -> str:
    written = (
        f"<{tag}{attribute}>{_html_cell(cell)}</{tag}>"
        for cell, attribute in zip(cells, attributes, strict=True)
    )
    return f"<tr>{''.join(written)}</tr>\n"


def _html_cell(cell: str) -> str:
    return _FRACTION.sub(r"\1/<wbr>\2", escape(cell))
