"""Numbers at and beyond the edges of what machines count in, and every place that takes a number.

The places come from the descriptions of the forms and commands, so that a new field is tried as
soon as it is described.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

Plain = dict[str, Any]

EXTREMES: Final[tuple[str, ...]] = (
    *(str(number) for number in (0, -1, 2**31, 2**53 + 1, 10**12, 10**12 + 1)),
    *(str(number) for number in (2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30)),
    *("9" * 4000, "9" * 5000, "-" + "9" * 5000),
    *("0.5", "1.5", "-0", "-0.0", "1e3", "1e18", "1e30", "1E400", "1e-400", "5e-324"),
    *('"1"', '"NaN"', '"1e3"', '"9223372036854775808"', "NaN", "Infinity", "-Infinity", "true"),
)
"""Numbers as JSON writes them, and what some programs take for one."""
EXTREME_TEXTS: Final = tuple(text.strip('"') for text in EXTREMES)
"""The same as an address or a command line writes them."""
_SPOT: Final = "1.1"
"""The key of a number in a table of numbers by spot."""


@dataclass(frozen=True)
class NumberField:
    """A place of a form in which a number may stand."""

    path: tuple[str | int, ...]
    """The way to it; the number of an item in a list."""
    low: int | None = None
    high: int | None = None
    beside: Mapping[str, str] = field(default_factory=dict)
    """The kind of the object that it stands in."""

    def __str__(self) -> str:
        return ".".join(map(str, self.path))

    def takes(self, text: str) -> bool:
        """Whether a text of JSON is a whole number within the described limits."""
        digits = text.removeprefix("-")
        if not digits.isdecimal() or len(digits) > 400:
            return False
        number = int(text)
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )

    def put(self, form: Any, text: str) -> str:
        """A form as JSON, with this text in this place."""
        made = _with(form, self.path, "@number@", self.beside)
        return json.dumps(made).replace('"@number@"', text)


def number_fields(schema: Plain, definitions: Plain) -> list[NumberField]:
    """Every place for a number in what a JSON schema describes, each once."""
    fields = {str(field): field for field in _fields(schema, definitions, (), {}, frozenset())}
    return list(fields.values())


def _fields(
    schema: Plain,
    definitions: Plain,
    path: tuple[str | int, ...],
    beside: Mapping[str, str],
    seen: frozenset[str],
) -> Iterator[NumberField]:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from _fields(definitions[name], definitions, path, beside, seen | {name})
        return
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        yield from _fields(part, definitions, path, beside, seen)
    if schema.get("type") in ("integer", "number"):
        low, high = schema.get("minimum"), schema.get("maximum")
        if (above := schema.get("exclusiveMinimum")) is not None:
            low = above + 1
        if (below := schema.get("exclusiveMaximum")) is not None:
            high = below - 1
        yield NumberField(path, low, high, beside)
    properties = schema.get("properties", {})
    tags = {
        key: value["enum"][0]
        for key, value in properties.items()
        if key == "kind" and len(value.get("enum", ())) == 1
    }
    for key, value in properties.items():
        yield from _fields(value, definitions, (*path, key), tags, seen)
    if "items" in schema:
        yield from _fields(schema["items"], definitions, (*path, 0), {}, seen)
    if isinstance(schema.get("additionalProperties"), dict):
        yield from _fields(
            schema["additionalProperties"], definitions, (*path, _SPOT), beside, seen
        )


def _with(form: Any, path: tuple[str | int, ...], value: str, beside: Mapping[str, str]) -> Any:
    """A form with a value at the end of a way, which is made where there is none."""
    first, rest = path[0], path[1:]
    if isinstance(first, int):
        inner = form[0] if form else {}
        return [_with(inner, rest, value, beside) if rest else value]
    form = form or {}
    if rest:
        return form | {first: _with(form.get(first), rest, value, beside)}
    return form | beside | {first: value}
