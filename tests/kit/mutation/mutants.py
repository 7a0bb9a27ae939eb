"""Mutants: the source with one small mistake, such as ``<`` for ``<=`` or a call left out.

Mutation tools that are packaged rewrite the source in place, or run the whole suite for every
mutant. These ones are drawn by a seed from a few packages, and each is tried in a copy.
"""

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_QUIET_CALLS = ("logger.", "logging.")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One mistake at one place."""

    path: Path
    line: int
    what: str
    """The mistake in words, such as ``a < b becomes a <= b``."""
    number: int
    """Which mistake of the file it is."""


def mutants_of(path: Path) -> list[Mutant]:
    """All mistakes that can be made in a file."""
    tree = ast.parse(path.read_text("utf-8"))
    found = []
    for number, (node, change) in enumerate(_changes(tree)):
        before = ast.unparse(node)
        changed = copy.deepcopy(node)
        change(changed)
        # A statement that is left out has become a constant.
        after = ast.unparse(changed)
        what = f"{_short(before)} becomes {_short(after)}"
        found.append(Mutant(path, getattr(node, "lineno", 0), what, number))
    return found


def source_of(mutant: Mutant) -> str:
    """The source of the file with this mistake."""
    tree = ast.parse(mutant.path.read_text("utf-8"))
    for number, (node, change) in enumerate(_changes(tree)):
        if number == mutant.number:
            change(node)
            break
    return ast.unparse(ast.fix_missing_locations(tree))


Change = Callable[[ast.AST], None]


def _changes(tree: ast.Module) -> Iterator[tuple[ast.AST, Change]]:
    """Every node that can be changed, with its change, in the order of the source."""
    decorators = {id(node) for node in _in_decorators(tree)}
    for node in ast.walk(tree):
        if id(node) not in decorators:
            yield from ((node, change) for change in _changes_of(node))
            if isinstance(node, ast.IfExp | ast.If | ast.While) and _plain_test(node.test):
                yield node.test, _denied


def _changes_of(node: ast.AST) -> Iterator[Change]:
    """The changes of one node."""
    match node:
        case ast.Compare(ops=operators):
            known = (type(operator) in _COMPARISONS for operator in operators)
            yield from (_compared(index) for index, changes in enumerate(known) if changes)
        case ast.BoolOp():
            yield _either
        case ast.UnaryOp(op=ast.Not()):
            yield _affirmed
        case ast.BinOp(op=operator) if type(operator) in _SUMS and not _is_type(node):
            yield _reckoned
        case ast.Constant(value=int()):
            yield _counted
        case ast.Expr(value=ast.Call() as call):
            if not ast.unparse(call).startswith(_QUIET_CALLS):
                yield _left_out


def _in_decorators(tree: ast.Module) -> Iterator[ast.AST]:
    """All nodes of decorators, such as ``frozen=True``, whose mistakes have no effect in play."""
    for node in ast.walk(tree):
        for decorator in getattr(node, "decorator_list", ()):
            yield from ast.walk(decorator)


def _is_type(node: ast.BinOp) -> bool:
    """Whether this is a union of types, or text that is put together."""
    if isinstance(node.op, ast.BitOr | ast.BitAnd):
        return any(_is_type_name(part) for part in (node.left, node.right))
    return any(
        isinstance(part, ast.JoinedStr) or isinstance(getattr(part, "value", None), str)
        for part in (node.left, node.right)
    )


def _is_type_name(part: ast.expr) -> bool:
    named = isinstance(part, ast.Name | ast.Attribute)
    return isinstance(part, ast.Constant) or (
        named and ast.unparse(part).rpartition(".")[2][:1].isupper()
    )


def _plain_test(test: ast.expr) -> bool:
    """Whether a condition is no comparison, which is changed by itself."""
    return isinstance(test, ast.Name | ast.Attribute | ast.Call) and "TYPE_CHECKING" not in (
        ast.unparse(test)
    )


def _compared(index: int) -> Change:
    def change(node: ast.AST) -> None:
        assert isinstance(node, ast.Compare)
        node.ops[index] = _COMPARISONS[type(node.ops[index])]()

    return change


def _either(node: ast.AST) -> None:
    assert isinstance(node, ast.BoolOp)
    node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()


def _affirmed(node: ast.AST) -> None:
    assert isinstance(node, ast.UnaryOp)
    _become(node, ast.Call(ast.Name("bool", ast.Load()), [node.operand], []))


def _reckoned(node: ast.AST) -> None:
    assert isinstance(node, ast.BinOp)
    node.op = _SUMS[type(node.op)]()


def _counted(node: ast.AST) -> None:
    assert isinstance(node, ast.Constant)
    assert isinstance(node.value, int)
    node.value = not node.value if isinstance(node.value, bool) else node.value + 1


def _left_out(node: ast.AST) -> None:
    assert isinstance(node, ast.Expr)
    node.value = ast.Constant(None)


def _denied(node: ast.AST) -> None:
    assert isinstance(node, ast.expr)
    _become(node, ast.UnaryOp(ast.Not(), copy.copy(node)))


def _become(node: ast.AST, other: ast.AST) -> None:
    """Let a node that others refer to become another one."""
    node.__class__ = other.__class__
    node.__dict__.clear()
    node.__dict__.update(other.__dict__)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:67]}..."
