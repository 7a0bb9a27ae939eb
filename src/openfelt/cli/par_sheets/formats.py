"""The formats of a par sheet: Markdown for people and version control, HTML for print."""

from html import escape

from openfelt.cli.par_sheets.sheet import ParSheet, Section

_STYLE = (
    "body{font:10pt/1.4 sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#111}"
    "table{border-collapse:collapse;margin:.6em 0 1.4em}"
    "th,td{border-bottom:1px solid #bbb;padding:.2em .7em;text-align:right}"
    "th:first-child,td:first-child{text-align:left}"
    "td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}"
    "h2{font-size:1.15em;margin-top:1.6em;break-after:avoid}tr{break-inside:avoid}"
)


def markdown(sheet: ParSheet) -> str:
    """The sheet as Markdown."""
    return f"# {sheet.title}\n" + "".join(map(_markdown_section, sheet.sections))


def _markdown_section(section: Section) -> str:
    parts = [f"\n## {section.title}\n"]
    parts += [f"\n{sentence}\n" for sentence in section.sentences]
    if section.columns:
        marks = ["---", *("---:" for _ in section.columns[1:])]
        rows = [section.columns, marks, *section.rows]
        parts.append("\n" + "".join(f"| {' | '.join(map(_cell, row))} |\n" for row in rows))
    return "".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def html(sheet: ParSheet) -> str:
    """The sheet as one HTML page without scripts, which a browser prints."""
    title = escape(sheet.title)
    body = "".join(map(_html_section, sheet.sections))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}</body></html>\n"
    )


def _html_section(section: Section) -> str:
    parts = [f"<h2>{escape(section.title)}</h2>\n"]
    parts += [f"<p>{escape(sentence)}</p>\n" for sentence in section.sentences]
    if section.columns:
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in section.columns)
        rows = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>\n"
            for row in section.rows
        )
        parts.append(f"<table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>\n")
    return "".join(parts)
