"""Values that programs stumble over, and a way to put each of them into every field of a form."""

import json
from collections.abc import Iterator
from typing import Any, Final

HOSTILE_TEXTS: Final[tuple[str, ...]] = (
    # SQL, HTML, templates, shells, formats
    *("'; DROP TABLE events; --", "' OR '1'='1", '" OR ""="', "1; SELECT pg_sleep(9)", "%' ESCAPE"),
    *("<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "&lt;"),
    *("{{7*7}}", "${7*7}", "%s%n%x", "$(id)", "`id`", "| id", "{0.__class__}", "..\\..\\x", "../x"),
    # Control characters, directions, and what only looks like a letter or a digit
    *("a\x00b", "\x1b[2J\x1b[31m", "a\r\nSet-Cookie: x=1", "\x7f", "\x85", "\u2028x", "\u2029"),
    *(
        "\u202eabc",
        "\u2066x\u2069",
        "\u200bx",
        "\ufeffx",
        "\ufffe",
        "\ud800".encode("utf-8", "replace").decode(),
    ),
    *(
        "\u0663",
        "\u00b2",
        "\uff11.\uff11",
        "\u0967.\u0967",
        "\uff41\uff44\uff4d\uff49\uff4e",
        "suPERvisor",
        "\u017fupervisor",
        "a\u0301" * 40,
    ),
    # Numbers as text, nothing at all, and far too much
    *("NaN", "Infinity", "-0", "1e999", "0x10", "1_000", "0" * 400, "9" * 400, "", " ", "\t"),
    *("null", "true", "[]", "x" * 70, "x" * 5000, "🂡" * 500),
)
HOSTILE_NUMBERS: Final[tuple[float | None, ...]] = (
    *(0, -1, 2**31, 2**53 + 1, 2**63, -(2**63) - 1, 10**400, 0.5, -0.0, 1e308, True, None),
)
RAW: Final = (
    *("NaN", "Infinity", "-Infinity", "1e999", "1e-999", "01", "+1", ".5", "0x10", "1E400"),
    *("[" * 900 + "]" * 900, '{"a":' * 900 + "1" + "}" * 900, "[[]]", "{}", '"\\ud800"', "'1'"),
    '"\\u0000"',
)
"""What stands in the JSON as it is, because no value is written that way."""


def with_every_field_spoilt(form: dict[str, Any]) -> Iterator[str]:
    """A form as JSON, again and again, each time with another hostile value in another field.

    Of all the values every third is tried in a field, and the others in the fields after it.
    """
    for number, (path, value) in enumerate(fields(form)):
        alike: tuple[object, ...] = HOSTILE_TEXTS
        unlike: tuple[object, ...] = HOSTILE_NUMBERS[:3]
        if not isinstance(value, str):
            alike, unlike = HOSTILE_NUMBERS, HOSTILE_TEXTS[:3]
        for hostile in (*alike, *unlike, [value], {"x": value})[number % 3 :: 3]:
            yield json.dumps(replaced(form, path, hostile))
        for raw in RAW[number % 3 :: 3]:
            yield json.dumps(replaced(form, path, "@raw@")).replace('"@raw@"', raw)
    yield json.dumps(form | {"extra": 1})
    yield json.dumps(form)[:-1] + ',"kind":"x","id":"y"}'


def fields(form: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every value in a form that holds no others, with the way to it."""
    if isinstance(form, dict | list):
        items = form.items() if isinstance(form, dict) else enumerate(form)
        for key, value in items:
            yield from fields(value, (*path, key))
    else:
        yield path, form


def replaced(form: Any, path: tuple[Any, ...], value: object) -> Any:
    """A form with another value at the end of a way."""
    if not path:
        return value
    first, *rest = path
    if isinstance(form, dict):
        return form | {first: replaced(form[first], tuple(rest), value)}
    copy = list(form)
    copy[first] = replaced(form[first], tuple(rest), value)
    return copy
