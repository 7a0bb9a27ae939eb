"""The browser's types, generated from the messages and forms themselves.

``make docs`` writes the messages of the socket and of replays into
``web/src/protocol/messages.ts``, and the REST types into ``web/src/protocol/forms.ts``.
"""

import enum
import types
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from pydantic import BaseModel

from openfelt.protocol import (
    audit_forms,
    cage_forms,
    change_forms,
    coach_forms,
    dealer_forms,
    dispute_forms,
    draft_forms,
    factor_forms,
    fairness_forms,
    floor_forms,
    form_fields,
    limit_forms,
    link_forms,
    messages,
    practice_forms,
    reader_forms,
    replay,
    rest,
    self_check_views,
    server_views,
    table_views,
    transfer_forms,
    tray_forms,
)
from openfelt.protocol.api_prefix import API
from openfelt.protocol.close_codes import FINAL_CODES, CloseCode
from openfelt.runtime.rounds.proof_forms import (
    AnyProofForm,
    BoundProofForm,
    CommitmentForm,
    DealtCardForm,
    MixedSeedsForm,
    PassedCardForm,
    RoundProofForm,
    RoundSeedsForm,
    ScannedCardForm,
    SealForm,
    SeededProofForm,
    SeedForm,
    SeedListForm,
    SeedsForm,
)
from openfelt.runtime.shuffle.merkle import CardProofForm

_MESSAGES_OPENING: Final = """\
// Written from src/openfelt/protocol/{table_views,messages,replay,close_codes}.py by `make docs`,
// and `make check` fails when they differ. Change the messages, not this file.
//
// A change leaves out what is null, so a field that may be null may also be missing.
"""

_FORMS_OPENING: Final = """\
// Written from the forms in src/openfelt/protocol and those of proofs by `make docs`, and
// `make check` fails when they differ. Change those types, not this file.
"""

_PATCH: Final = """\
/** A JSON merge patch of T: what it names is replaced, and null takes a value away. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Patch<NonNullable<T[K]>> | null }
    : T;
"""

_MESSAGES: Final = (table_views, messages, replay)
_ROOTS: Final = (table_views.Message, messages.Asked, form_fields.Taken)
_PROOF: Final = (
    CardProofForm,
    DealtCardForm,
    CommitmentForm,
    RoundProofForm,
    SealForm,
    SeedForm,
    SeedsForm,
    PassedCardForm,
    BoundProofForm,
    SeedListForm,
    MixedSeedsForm,
    ScannedCardForm,
    SeededProofForm,
    RoundSeedsForm,
)

_PLAIN: Final = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null"}

PATCHED_VIEWS: Final = {"public": "PublicView", "private": "PrivateView"}
"""The view that each raw patch of a change is for."""

_Model = type[msgspec.Struct] | type[BaseModel]


def messages_file() -> str:
    """The file of the messages, those of replays among them."""
    structs = [_interface(model) for module in _MESSAGES for model in _models(module)]
    unions = [_union(name, members) for name, members in _unions()]
    consts = [
        f"export const PROTOCOL = {messages.PROTOCOL};",
        f'export const API = "{API}";',
        f"export const MESSAGE_BYTES_MAX = {messages.MESSAGE_BYTES_MAX};",
        *_close_codes(),
    ]
    return "\n".join([_MESSAGES_OPENING, "\n".join(consts) + "\n", _PATCH, *structs, *unions])


def _close_codes() -> Iterator[str]:
    """The codes with which a server closes a socket, and those after which no client returns."""
    yield "/** Why a server has closed a socket. */"
    yield "export const CLOSE_CODES = {"
    for code in CloseCode:
        yield f"  {code.name.lower()}: {code.value},"
    yield "} as const;"
    yield "/** Close codes after which coming back would only be refused again. */"
    final = ", ".join(str(code.value) for code in sorted(FINAL_CODES))
    yield f"export const FINAL_CODES: readonly number[] = [{final}];"


def forms_file() -> str:
    """The file of REST requests and responses."""
    modules = (
        form_fields,
        factor_forms,
        dealer_forms,
        audit_forms,
        dispute_forms,
        draft_forms,
        floor_forms,
        fairness_forms,
        link_forms,
        practice_forms,
        reader_forms,
        self_check_views,
        server_views,
        rest,
        coach_forms,
        cage_forms,
        tray_forms,
        transfer_forms,
        limit_forms,
        change_forms,
    )
    models = [*(model for module in modules for model in _models(module)), *_PROOF]
    proofs = _union("AnyProofForm", get_args(AnyProofForm))
    return "\n".join([_FORMS_OPENING, *(_interface(model) for model in models), proofs])


def _models(module: ModuleType) -> Iterator[_Model]:
    """The models that a module defines, in its order and without the base classes."""
    for value in vars(module).values():
        if (
            isinstance(value, type)
            and issubclass(value, msgspec.Struct | BaseModel)
            and value.__module__ == module.__name__
            and value not in _ROOTS
        ):
            yield value


def _unions() -> Iterator[tuple[str, tuple[type, ...]]]:
    for module in _MESSAGES:
        for name, value in vars(module).items():
            if get_origin(value) in (types.UnionType, Union):
                yield name, get_args(value)


def _interface(model: _Model) -> str:
    lines = [f"/** {_first_line(model)} */", f"export interface {model.__name__} {{"]
    config = model.__struct_config__ if issubclass(model, msgspec.Struct) else None
    if config and config.tag is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    hints = get_type_hints(model)
    for name, optional in _fields(model, hints):
        kind = typescript_type(hints[name], patched=PATCHED_VIEWS.get(name))
        lines.append(f"  {name}{'?' if optional else ''}: {kind};")
    return "\n".join([*lines, "}", ""])


def _fields(model: _Model, hints: dict[str, Any]) -> Iterator[tuple[str, bool]]:
    """The fields of a message or a form, and whether each of them may be missing."""
    if issubclass(model, BaseModel):
        taken = issubclass(model, form_fields.Taken)
        for name, info in model.model_fields.items():
            yield name, taken and not info.is_required()
        return
    asked, config = issubclass(model, messages.Asked), model.__struct_config__
    for field in msgspec.structs.fields(model):
        arguments = get_args(hints[field.name])
        nullable = model not in _PROOF and type(None) in arguments
        omitted = config.omit_defaults and not field.required
        yield field.encode_name, nullable or omitted or (asked and not field.required)


def _first_line(model: _Model) -> str:
    return (model.__doc__ or model.__name__).strip().splitlines()[0]


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
    if hint is Any:
        return "unknown"
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return " | ".join(_literal(value) for value in arguments)
    if origin in (types.UnionType, Union):
        return _union_type(arguments, patched)
    if origin is list:
        inner = typescript_type(arguments[0], patched=patched)
        return f"({inner})[]" if " | " in inner else f"{inner}[]"
    if origin is dict:
        return f"Record<string, {typescript_type(arguments[1], patched=patched)}>"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return " | ".join(_literal(member.value) for member in hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct | BaseModel):
        return hint.__name__
    raise TypeError(f"{hint!r} has no form in TypeScript yet")


def _literal(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _union_type(arguments: tuple[Any, ...], patched: str | None) -> str:
    for name, members in _unions():
        if set(members) == set(arguments):
            return name
    sent = [member for member in arguments if member is not msgspec.UnsetType]
    return " | ".join(typescript_type(member, patched=patched) for member in sent)
