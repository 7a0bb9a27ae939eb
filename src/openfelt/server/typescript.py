"""Writes the browser's message types from the messages themselves.

``python -m openfelt.server.typescript`` writes them into ``web/src/lib/messages.ts``. With
``--check`` it writes nothing and says whether the file there is the one that it would write.
"""

import argparse
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from openfelt.server import messages, replay_messages

PAGE: Final = Path("web/src/lib/messages.ts")
"""Where the types go, seen from the root of the repository."""

_OPENING: Final = """\
// Written from src/openfelt/server/messages.py and replay_messages.py by `make docs`, and
// `make check` fails when they differ. Change the messages, not this file.
//
// A change leaves out what is null, so a field that may be null may also be missing.
"""

_PATCH: Final = """\
/** A JSON merge patch of T: what it names is replaced, and null takes a value away. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Patch<NonNullable<T[K]>> | null }
    : T;
"""

_MODULES: Final = (messages, replay_messages)

_PLAIN: Final = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}

_PATCHED: Final = {"PublicChange": "PublicView", "PrivateChange": "PrivateView"}
"""Which view the raw patch of a message changes."""


def types_file() -> str:
    """The whole file of TypeScript."""
    structs = [_interface(struct) for struct in _structs()]
    unions = [_union(name, members) for name, members in _unions()]
    consts = [
        f"export const PROTOCOL = {messages.PROTOCOL};",
        f"export const MESSAGE_BYTES_MAX = {messages.MESSAGE_BYTES_MAX};",
    ]
    return "\n".join([_OPENING, "\n".join(consts) + "\n", _PATCH, *structs, *unions])


def _structs() -> Iterator[type[msgspec.Struct]]:
    """The messages in the order in which the modules define them, without their two roots."""
    for module in _MODULES:
        for value in vars(module).values():
            if (
                isinstance(value, type)
                and issubclass(value, msgspec.Struct)
                and value.__module__ == module.__name__
                and value not in (messages.Message, messages.Asked)
            ):
                yield value


def _unions() -> Iterator[tuple[str, tuple[type, ...]]]:
    for module in _MODULES:
        for name, value in vars(module).items():
            if get_origin(value) in (types.UnionType, Union):
                yield name, get_args(value)


def _interface(struct: type[msgspec.Struct]) -> str:
    lines = [f"/** {_first_line(struct)} */", f"export interface {struct.__name__} {{"]
    config = struct.__struct_config__
    if config.tag is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    hints = get_type_hints(struct)
    asked = issubclass(struct, messages.Asked)
    for field in msgspec.structs.fields(struct):
        kind = typescript_type(hints[field.name], patched=_PATCHED.get(struct.__name__))
        nullable = type(None) in get_args(hints[field.name])
        optional = nullable or (asked and not field.required)
        lines.append(f"  {field.encode_name}{'?' if optional else ''}: {kind};")
    return "\n".join([*lines, "}", ""])


def _first_line(struct: type[msgspec.Struct]) -> str:
    return (struct.__doc__ or struct.__name__).strip().splitlines()[0]


def _union(name: str, members: Sequence[type]) -> str:
    listed = "".join(f"\n  | {member.__name__}" for member in members)
    return f"export type {name} ={listed};\n"


def typescript_type(hint: Any, *, patched: str | None = None) -> str:
    """A Python type as TypeScript writes it.

    >>> typescript_type(dict[str, list[int | None]])
    'Record<string, (number | null)[]>'
    >>> typescript_type(Literal["hand", "dealer"])
    '"hand" | "dealer"'
    """
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hint is msgspec.Raw:
        return f"Patch<{patched}>" if patched else "unknown"
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(f'"{value}"' for value in arguments)
    if origin in (types.UnionType, Union):
        return _union_type(arguments, patched)
    if origin is list:
        inner = typescript_type(arguments[0], patched=patched)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {typescript_type(arguments[1], patched=patched)}>"
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint.__name__
    raise TypeError(f"{hint!r} has no form in TypeScript yet")


def _union_type(arguments: tuple[Any, ...], patched: str | None) -> str:
    for name, members in _unions():
        if set(members) == set(arguments):
            return name
    return " | ".join(typescript_type(one, patched=patched) for one in arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the types, or with ``--check`` compare them; 1 where they are not current."""
    parser = argparse.ArgumentParser(description="Write the browser's message types.")
    parser.add_argument("--check", action="store_true", help="write nothing, only compare")
    parser.add_argument("--page", type=Path, default=PAGE, help="another file than the usual one")
    options = parser.parse_args(arguments)
    wanted, page = types_file(), options.page
    if not options.check:
        page.write_text(wanted, encoding="utf-8")
        return 0
    if page.is_file() and page.read_text(encoding="utf-8") == wanted:
        return 0
    sys.stderr.write(f"{page} is not current. Run: make docs\n")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
