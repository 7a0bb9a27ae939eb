"""Which test or golden round proves each clause: the page docs/reference/clauses.md.

The files are read, not run, so the answer is the same whatever part of the tests is run.
``make docs`` writes the page.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path

from openfelt.catalog import Clause, Document, load_documents
from tests.kit.playthroughs.parser import below_of, playthrough_files, read_playthrough
from tests.kit.repository import ROOT

TESTS = ROOT / "tests"
RULINGS_BESIDE = TESTS / "known_values" / "rulings_beside.toml"
SHOWN_MAX = 3

_CITED = re.compile(r"\[([WOCSDR]\.[\w.-]+)\]")
_DO_NOT_COUNT = {"skip", "xfail"}
_Owner = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True, order=True)
class Proof:
    """A place that proves a clause: a test, or a golden round."""

    golden: bool
    path: str
    """From the root of the repository."""
    name: str
    """The test, or empty where the mark is the whole file's."""
    clause: str

    @property
    def words(self) -> str:
        """The proof as the page names it."""
        path = Path(self.path)
        if self.golden:
            return f"{path.parent.name}: {path.stem.replace('_', ' ')}"
        name = self.name or path.stem
        return name.rpartition(".")[2].removeprefix("test_").replace("_", " ")


# Finding proofs --------------------------------------------------------------


@cache
def all_proofs() -> list[Proof]:
    """Every proof of every clause, tests first."""
    files = sorted(TESTS.rglob("test_*.py"))
    found = {proof for file in files for proof in marks_in(file)}
    found |= {proof for file in playthrough_files() for proof in citations_in(file)}
    return sorted(found)


def marks_in(file: Path) -> Iterator[Proof]:
    """The clauses that the marks of a test file name."""
    tree = ast.parse(file.read_text(encoding="utf-8"), filename=str(file))
    path = file.relative_to(ROOT).as_posix()
    for name, text in _marks(tree.body, ""):
        for clause in _plain_text(text, _named_texts(tree)).split():
            yield Proof(golden=False, path=path, name=name, clause=clause)


def _marks(
    body: list[ast.stmt], owner: str, tables: dict[str, list[ast.expr]] | None = None
) -> Iterator[tuple[str, ast.expr]]:
    """Marks on tests and classes of tests, and those that a module or class puts on all of its.

    The marks of a table of cases are those of the tests that are parametrized with it.
    """
    tables = dict(tables or {})
    for node in body:
        if isinstance(node, _Owner):
            if node.name.startswith(("test", "Test")) and not _does_not_count(node):
                yield from _marks_on(node, owner, tables)
        elif _assigned(node) == "pytestmark":
            yield from ((owner, text) for text in _clauses_named(node))
        else:
            tables[_assigned(node)] = list(_clauses_named(node))


def _marks_on(
    node: _Owner, owner: str, tables: dict[str, list[ast.expr]]
) -> Iterator[tuple[str, ast.expr]]:
    name = f"{owner}.{node.name}".lstrip(".")
    for decorator in node.decorator_list:
        yield from ((name, text) for text in _clauses_named(decorator))
        for part in ast.walk(decorator):
            if isinstance(part, ast.Name):
                yield from ((name, text) for text in tables.get(part.id, []))
    if isinstance(node, ast.ClassDef):
        yield from _marks(node.body, name, tables)


def _assigned(node: ast.stmt) -> str:
    """The name that a statement gives to a value, empty where it gives none."""
    target: ast.expr | None = None
    if isinstance(node, ast.Assign):
        target = node.targets[0]
    elif isinstance(node, ast.AnnAssign):
        target = node.target
    return target.id if isinstance(target, ast.Name) else ""


def _does_not_count(node: _Owner) -> bool:
    """A test that is skipped, or expected to fail, proves nothing."""
    marks = (ast.unparse(one).partition("(")[0] for one in node.decorator_list)
    return any(mark.removeprefix("pytest.mark.") in _DO_NOT_COUNT for mark in marks)


def _clauses_named(node: ast.AST) -> Iterator[ast.expr]:
    """Every id in a ``pytest.mark.clause(...)`` or in the ``proves`` of a case, anywhere inside."""
    for call in ast.walk(node):
        if isinstance(call, ast.Call):
            if ast.unparse(call.func) == "pytest.mark.clause":
                yield from call.args
            yield from (keyword.value for keyword in call.keywords if keyword.arg == "proves")


def _named_texts(tree: ast.Module) -> dict[str, str]:
    """The texts to which a module gives names, such as ``WINS, LOSES = "W.11a", "W.11b"``."""
    found = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign):
            continue
        names, values = _parts(node.targets[0]), _parts(node.value)
        for name, value in zip(names, values, strict=False):
            if isinstance(name, ast.Name) and isinstance(value, ast.Constant):
                found[name.id] = str(value.value)
    return found


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple) else [node]


def _plain_text(node: ast.expr, named: dict[str, str]) -> str:
    """A text that stands in the file, or is put together there from named ones."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values):
            return "".join(_plain_text(part, named) for part in values)
        case ast.FormattedValue(value=ast.Name(id=name)) | ast.Name(id=name) if name in named:
            return named[name]
    raise ValueError(f"line {node.lineno}: a mark names its clauses as plain text")


def citations_in(file: Path) -> Iterator[Proof]:
    """The clauses in the header of a golden round and in the lines of its settlement."""
    path = file.relative_to(ROOT).as_posix()
    for clause in {*read_playthrough(file).clauses, *_CITED.findall(below_of(file))}:
        yield Proof(golden=True, path=path, name="", clause=clause)


def unproved(documents: tuple[Document, ...], proofs: list[Proof]) -> list[str]:
    """The clauses that a program could keep and that nothing proves."""
    proved = {proof.clause for proof in proofs}
    return [
        clause.id
        for document in documents
        for clause in document.clauses
        if clause.not_software is None and clause.id not in proved
    ]


# The page --------------------------------------------------------------------


def page() -> str:
    """The whole page."""
    proofs: dict[str, list[Proof]] = {}
    for proof in all_proofs():
        proofs.setdefault(proof.clause, []).append(proof)
    beside: dict[str, list[str]] = {}
    for ruling, clauses in tomllib.loads(RULINGS_BESIDE.read_text(encoding="utf-8")).items():
        for clause in clauses:
            beside.setdefault(clause, []).append(ruling)
    parts = [_INTRODUCTION]
    parts += [_section(document, proofs, beside) for document in load_documents()]
    return "\n".join(parts)


_INTRODUCTION = """\
# Clauses

<!-- Written by `make docs` from the clause lists, the tests and the golden rounds. -->

This page lists every clause of the published rules and every ruling of ours, restated in our own \
words, together with the tests and golden rounds that prove it. Tests are named by what they \
state, golden rounds by their house. A clause that software cannot fulfil is marked with the \
reason. The *ruling* column names the ruling that settles what a clause leaves open.
"""


def _section(
    document: Document, proofs: dict[str, list[Proof]], beside: dict[str, list[str]]
) -> str:
    software = [clause for clause in document.clauses if clause.not_software is None]
    proved = sum(clause.id in proofs for clause in software)
    others = len(document.clauses) - len(software)
    lines = [
        f"## {document.letter}: {document.title}",
        "",
        f"{len(software)} clauses for software, {proved} of them proved; {others} others.",
        "",
        "| clause | in our words | ruling | proved by |",
        "|---|---|---|---|",
    ]
    lines += [_row(clause, proofs.get(clause.id, []), beside) for clause in document.clauses]
    return "\n".join(lines) + "\n"


def _row(clause: Clause, proofs: list[Proof], beside: dict[str, list[str]]) -> str:
    if clause.not_software is not None:
        proved = f"*Not software:* {clause.not_software}"
    else:
        proved = _links(proofs) if proofs else "*nothing yet*"
    rulings = ", ".join(beside.get(clause.id, []))
    cells = (clause.id, clause.text, rulings, proved)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _links(proofs: list[Proof]) -> str:
    tests = [proof for proof in proofs if not proof.golden]
    golden = [proof for proof in proofs if proof.golden]
    shown = [*islice(tests, max(SHOWN_MAX - 1, SHOWN_MAX - len(golden)))]
    shown += golden[: SHOWN_MAX - len(shown)]
    links = ", ".join(f"[{proof.words}](../../{proof.path})" for proof in shown)
    more = len(proofs) - len(shown)
    return f"{links} and {more} more" if more else links
