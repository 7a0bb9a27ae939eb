"""Guards of the house style: what a machine can check, so that no reviewer has to.

The style itself is told in docs/internals/style.md. Each rule below is one small function from a
file, or from the whole tree, to a list of complaints; a test fails with all of them at once.
"""

import ast
import configparser
import gc
import os
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from openfelt.cli.app import app
from openfelt.runtime.streams import StreamKind
from openfelt.server.credentials.secret_names import AccountSecret
from tests.kit.repository import ROOT

PACKAGE = ROOT / "src" / "openfelt"

FILE_LINES_MAX = 800
SOURCE_LINES_MAX = 500
FUNCTION_LINES_MAX = 70
KERNEL_ARGUMENTS_MAX = 9

VAGUE_LOCALS = {"one", "found", "known"}

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc"}

# Nouns of the casino floor and of the trade that happen to end like a participle.
NOUNS = {"banking", "dealing", "keyring", "monitoring"}

# Layers that handle money or decide who is paid. They count in whole cents and exact fractions.
MONEY_LAYERS = (
    "money",
    "cards",
    "rules",
    "catalog",
    "table",
    "ledger",
    "record_events",
    "storage",
    "runtime",
)
# Layers without clock, dice, disk or network; .importlinter forbids the modules by name.
PURE_LAYERS = ("money", "cards", "rules", "table", "ledger", "record_events")
CLOCK_READS = {"now", "today", "utcnow"}

# Folders and files of tests/ that cut across the packages instead of mirroring one.
CROSS_CUTTING_FOLDERS = {
    "attacks",
    "browser",
    "cluster",
    "contracts",
    "forgeries",
    "independent",
    "known_values",
    "laboratory",
    "old_databases",
    "playthroughs",
    "processes",
    "properties",
    "simulation",
}
CROSS_CUTTING_FILES = {
    "test_building.py",
    "test_house_style.py",
    "test_regulation_page.py",
    "test_security_page.py",
    "test_clauses.py",
    "test_docs.py",
    "test_guides.py",
    "test_design_page.py",
    "test_generated.py",
    "test_glossary.py",
    "test_imports.py",
    "server/test_fuzzed_sockets.py",
}

NOT_OURS = {".git", ".hypothesis", ".venv", "__pycache__", "build", "dist", "node_modules"}
TEXT_SUFFIXES = {
    "",
    ".cfg",
    ".css",
    ".html",
    ".ini",
    ".js",
    ".json",
    ".lock",
    ".md",
    ".py",
    ".svelte",
    ".toml",
    ".ts",
    ".txt",
    ".yml",
}

# The brackets keep these patterns from finding themselves.
FORBIDDEN_TEXT = {
    "a note to do it later": re.compile(r"\bTO[D]O\b|\bFIX[M]E\b"),
    "a path of one machine": re.compile(
        r"(?<![\w.~)}/-])/(?:home|root|Users|work)/[\w.]|\b[A-Z]:\\Users"
    ),
    "the host of a package registry": re.compile(
        r"pypi[.]org|pythonhosted[.]org|registry[.]npmjs|deb[.]debian[.]org"
    ),
}


@cache
def tree_files(*folders: str) -> list[Path]:
    """Every file of ours below ``folders`` of the repository, or below its root."""
    files: list[Path] = []
    for start in [ROOT / folder for folder in folders] or [ROOT]:
        for folder, below, names in os.walk(start):
            below[:] = sorted(name for name in below if not is_made(name))
            # In a worktree of git, .git is a file.
            files += (Path(folder, name) for name in sorted(names) if not is_made(name))
    return files


def is_made(folder: str) -> bool:
    """Whether a folder of this name holds what programs have made or other people have written."""
    return folder in NOT_OURS or (folder.startswith(".") and folder.endswith("_cache"))


def python_files(*folders: str) -> list[Path]:
    """The Python files below ``folders``."""
    return [path for path in tree_files(*folders) if path.suffix == ".py"]


def text_files() -> list[Path]:
    """Every file of ours that is meant to be read by people or tools as text."""
    return [path for path in tree_files() if path.suffix in TEXT_SUFFIXES]


def markdown_files() -> list[Path]:
    """The pages of documentation, the README and CONTRIBUTING among them."""
    return [path for path in text_files() if path.suffix == ".md"]


def layer_files(layers: tuple[str, ...]) -> list[Path]:
    """The Python files of those ``layers`` that exist."""
    return [path for path in python_files("src") if path_layer(path) in layers]


def path_layer(path: Path) -> str:
    """The layer a file of src/openfelt belongs to: its first folder, or its own name."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def short(path: Path) -> str:
    """The path as written in a complaint."""
    return path.relative_to(ROOT).as_posix()


@cache
def parse(path: Path) -> ast.Module:
    """The syntax tree of a Python file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@pytest.fixture(scope="module", autouse=True)
def _kept_trees() -> Iterator[None]:
    """All trees are kept until the last test here.

    To look through them for garbage while they grow took most of the time.
    """
    gc.disable()
    yield
    parse.cache_clear()
    gc.enable()


# Rules about one Python file.


def long_file(path: Path) -> Iterator[str]:
    """A file over the limit is two files."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    limit = SOURCE_LINES_MAX if path.is_relative_to(PACKAGE) else FILE_LINES_MAX
    if lines > limit:
        yield f"has {lines} lines; {limit} is the limit and 400 the aim"


def long_functions(path: Path) -> Iterator[str]:
    """A function over the limit is several functions."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LINES_MAX:
                yield f"line {node.lineno}: {node.name} has {lines} lines of {FUNCTION_LINES_MAX}"


def kernel_arguments(path: Path) -> Iterator[str]:
    """A kernel that needs more takes some of them as one record."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.FunctionDef) and is_kernel(node):
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            if len(arguments) > KERNEL_ARGUMENTS_MAX:
                most = f"{KERNEL_ARGUMENTS_MAX} is the limit"
                yield f"line {node.lineno}: {node.name} has {len(arguments)} arguments; {most}"


def is_kernel(node: ast.FunctionDef) -> bool:
    """Whether a function is compiled."""
    return any(ast.unparse(mark) in {"kernel", "kernel_part"} for mark in node.decorator_list)


def vague_name(path: Path) -> Iterator[str]:
    """A name that fits every module says nothing about this one."""
    for part in path.relative_to(ROOT).with_suffix("").parts:
        if part.removeprefix("test_") in VAGUE_NAMES:
            yield f"is called {part}; say what it holds"


def vague_locals(path: Path) -> Iterator[str]:
    """A variable says what it holds. An audit may name what it expected and found, as a pair."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    allowed = set[ast.expr]()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            # The fields of a class are read after a dot, with its name before it.
            allowed |= {part.target for part in node.body if isinstance(part, ast.AnnAssign)}
        elif isinstance(node, ast.Tuple):
            names = [part.id for part in node.elts if isinstance(part, ast.Name)]
            allowed |= {*node.elts} if {"expected", "found"} <= {*names} else set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Store):
            continue
        if node.id in VAGUE_LOCALS and node not in allowed:
            yield f"line {node.lineno} assigns {node.id}; say what it holds"


def participle(path: Path) -> Iterator[str]:
    """A module or package is named after the thing that it holds, not after what is done."""
    for part in path.relative_to(PACKAGE).with_suffix("").parts:
        if part.endswith(("ing", "ed")) and part not in NOUNS:
            yield f"is called {part}; name the thing that it holds"


def missing_docstring(path: Path) -> Iterator[str]:
    """A module says at its top what it is for."""
    if not ast.get_docstring(parse(path)):
        yield "has no docstring"


def floats(path: Path) -> Iterator[str]:
    """Money is whole cents. A check that refuses a float may name the type."""
    tree = parse(path)
    refused = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "isinstance"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Name(id="float") if node not in refused:
                yield f"line {node.lineno}: uses the type float"
            case ast.Constant(value=float()):
                yield f"line {node.lineno}: contains the float {node.value!r}"


def clock_reads(path: Path) -> Iterator[str]:
    """Pure layers are told the time; they never look at a clock or open a file."""
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func)
            if name == "open" or name.rpartition(".")[2] in CLOCK_READS:
                yield f"line {node.lineno}: calls {name}()"


def stream_names(path: Path) -> Iterator[str]:
    """Stream names are made and taken apart in runtime/streams.py alone."""
    prefixes = tuple(kind.prefix for kind in StreamKind)
    for node in ast.walk(parse(path)):
        match node:
            case ast.Constant(value=str(text)) if text.startswith(prefixes):
                yield f"line {node.lineno}: writes the stream name {text!r} itself"


def secret_names(path: Path) -> Iterator[str]:
    """An account's secrets are named in credentials/secret_names.py alone."""
    prefixes = tuple(kind.prefix for kind in AccountSecret)
    for node in ast.walk(parse(path)):
        match node:
            case ast.Constant(value=str(text)) if text.startswith(prefixes):
                yield f"line {node.lineno}: writes the secret name {text!r} itself"


def bare_house_changes(path: Path) -> Iterator[str]:
    """A changed house gets its own fingerprint, from rules/fingerprints.py."""
    if path == PACKAGE / "rules" / "fingerprints.py":
        return
    for node in ast.walk(parse(path)):
        match node:
            case ast.Call(func=called, args=[ast.Name("house") | ast.Attribute(attr="house"), *_]):
                if ast.unparse(called).endswith("replace"):
                    yield f"line {node.lineno}: keeps the fingerprint; house_with changes it"


def not_mirrored(path: Path) -> Iterator[str]:
    """A test stands where its subject stands: tests/cards/test_deck.py for cards/deck.py."""
    inside = path.relative_to(ROOT / "tests")
    if not inside.name.startswith("test_") or inside.as_posix() in CROSS_CUTTING_FILES:
        return
    if inside.parts[0] in CROSS_CUTTING_FOLDERS:
        return
    subject = PACKAGE / inside.parent / inside.stem.removeprefix("test_")
    if not subject.is_dir() and not subject.with_suffix(".py").is_file():
        yield f"tests nothing: there is no {short(subject)}.py and no folder of that name"


PYTHON_RULES: list[tuple[Callable[[Path], Iterator[str]], Callable[[], list[Path]]]] = [
    (long_file, lambda: python_files("src", "tests", "bench")),
    (long_functions, lambda: python_files("src", "tests", "bench")),
    (kernel_arguments, lambda: python_files("src", "tests", "bench")),
    (vague_name, lambda: python_files("src", "tests", "bench")),
    (vague_locals, lambda: python_files("src")),
    (participle, lambda: python_files("src")),
    (missing_docstring, lambda: python_files("src")),
    (floats, lambda: layer_files(MONEY_LAYERS)),
    (clock_reads, lambda: layer_files(PURE_LAYERS)),
    (stream_names, lambda: python_files("src")),
    (secret_names, lambda: python_files("src")),
    (bare_house_changes, lambda: python_files("src")),
    (not_mirrored, lambda: python_files("tests")),
]


@pytest.mark.parametrize(("rule", "files"), PYTHON_RULES, ids=[r.__name__ for r, _ in PYTHON_RULES])
def test_python_files_keep(
    rule: Callable[[Path], Iterator[str]], files: Callable[[], list[Path]]
) -> None:
    complaints = [f"{short(path)} {said}" for path in files() for said in rule(path)]
    assert not complaints, "\n".join(complaints)


# Rules about every text file.


@pytest.mark.parametrize("what", FORBIDDEN_TEXT)
def test_no_file_contains(what: str) -> None:
    pattern = FORBIDDEN_TEXT[what]
    complaints = [
        f"{short(path)}:{number} contains {what}: {line.strip()}"
        for path in text_files()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not complaints, "\n".join(complaints)


# Rules about the words.

VAGUE_ACTORS = re.compile(
    r"\b(?:somebody|nobody|whoever|everybody|the own|that are none|which is none)\b", re.IGNORECASE
)
VAGUE_ACTORS_ALLOWED = {
    ("docs/internals/style.md", "nobody"): "names the words to avoid",
    ("docs/internals/style.md", "somebody"): "names the words to avoid",
    ("docs/internals/style.md", "whoever"): "names the words to avoid",
    ("docs/internals/style.md", "everybody"): "names the words to avoid",
    ("src/openfelt/rules/side_bets.py", "nobody"): "a sentence of settlements that are stored",
    ("src/openfelt/server/accounts/names.py", "nobody"): "a reserved name",
    ("tests/kit/postgres_server.py", "nobody"): "a user of the system",
    ("web/src/words/vocabulary.test.ts", "nobody"): "a sentence of settlements that are stored",
}
"""Where such a word stands all the same, with the reason."""


def texts_of(path: Path) -> Iterator[tuple[int, str]]:
    """What people read of a file, with line numbers: of Python its docstrings and other texts."""
    if path.suffix == ".py":
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, " ".join(node.value.split())
    else:
        yield from enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)


def worded_files() -> list[Path]:
    """The pages, the program, and what the browser says in each language."""
    words = [path for path in tree_files("web/src/words") if path.stem in {"en", "es"}]
    pages = [path for path in markdown_files() if path.relative_to(ROOT).parts[0] != "tests"]
    return [*pages, *python_files("src", "tools"), *words]


COMMENT = re.compile(r"(?:^|  )\s*# (.+)$")


def prose_of(path: Path) -> Iterator[tuple[int, str]]:
    """The docstrings and comments of a Python file, with line numbers."""
    for node in ast.walk(parse(path)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, " ".join(text.split())
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        yield from ((number, comment) for comment in COMMENT.findall(line))


def told_texts() -> Iterator[tuple[Path, int, str]]:
    """What people read of the program, its pages and its tests, with file and line number.

    Tests and the sources of the browser may use any word as data.
    """
    for path in worded_files():
        yield from ((path, *text) for text in texts_of(path))
    for path in python_files("src", "tests", "bench"):
        yield from ((path, *text) for text in prose_of(path))
    for path in tree_files("web/src"):
        if path.suffix in {".ts", ".svelte", ".css"}:
            yield from ((path, *text) for text in texts_of(path))


def test_texts_name_the_actor() -> None:
    complaints, used = [], set()
    for path, number, text in told_texts():
        for word in VAGUE_ACTORS.findall(text):
            place = (short(path), word.lower())
            used.add(place)
            if place not in VAGUE_ACTORS_ALLOWED:
                complaints.append(f"{place[0]}:{number} says {word!r}; name the actor")
    assert not complaints, "\n".join(complaints)
    assert used == set(VAGUE_ACTORS_ALLOWED)


AWKWARD_WORDS = {
    "different from, or other than": re.compile(
        r"\b(?:another than|something else than|(?:an)?other (?!than\b)"
        r"(?:(?!(?:better|earlier|fewer|higher|larger|later|less|longer|lower|more|no|rather"
        r"|smaller|sooner|worse)\b)[\w'/-]+ ){1,6}than)\b",
        re.IGNORECASE,
    ),
    "kept up to date": re.compile(r"\bkept up (?:with|event)\b"),
    "how it ends": re.compile(r"\bwhat(?:ever)? becomes of\b", re.IGNORECASE),
    "only one gets it, or among": re.compile(
        r"[,;:] of (?:equal|several|two|the same|(?:the )?processes|callers)\b"
        r"[^,.]*, (?:the )?one\b"
    ),
    "otherwise": re.compile(r"[,;] (?:or )?else (?!if\b)|\bor else (?:by|from|its|the)\b|^Else\b"),
    "if, so far, or to the extent that": re.compile(
        r"\bas far as (?:it|they|that|this|these|those) (?:is|are|was|were|has|have)\b"
    ),
}
"""Turns of phrase that a native speaker stumbles over, by what to write instead."""

AWKWARD_WORDS_ALLOWED = (
    "CHANGELOG.md",
    "docs/internals/design.md",
    "docs/internals/exact-draw.md",
    "src/openfelt/cli/figures/draw",
    "src/openfelt/maths/draw/",
    "src/openfelt/maths/kernels/",
    "tools/draw_counts.py",
)
"""What is not checked: earlier releases, what is written from docstrings, and the draw game's
page, reports and counts."""


def test_texts_avoid_awkward_words() -> None:
    complaints = [
        f"{short(path)}:{number} says {found[0]!r}; write {instead}"
        for path, number, text in told_texts()
        if path.suffix in {".json", ".md", ".py"}
        if not short(path).startswith(AWKWARD_WORDS_ALLOWED)
        for instead, pattern in AWKWARD_WORDS.items()
        for found in [pattern.search(text)]
        if found
    ]
    assert not complaints, "\n".join(complaints)


OPENFELT_COMMAND = re.compile(r"(?:^|[^/\w.-])openfelt ([a-z]+)\b")


def test_texts_name_commands_that_exist() -> None:
    program = get_command(app)
    assert isinstance(program, TyperGroup)
    complaints = [
        f"{short(path)}:{number} names the command openfelt {command}, which there is not"
        for path in worded_files()
        for number, text in texts_of(path)
        for command in OPENFELT_COMMAND.findall(text)
        if command not in program.commands
    ]
    assert not complaints, "\n".join(complaints)


# Rules about the documentation.

FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
MAKE_COMMAND = re.compile(r"^\s*(?:\$ )?make ([a-z][a-z-]*)", re.MULTILINE)


def code_of(page: str) -> list[str]:
    """The fenced blocks and the code spans of a page of Markdown."""
    return [block.strip("`") for block in FENCE.findall(page)] + code_spans(page)


def code_spans(page: str) -> list[str]:
    """The code spans of a page of Markdown, without its fenced blocks."""
    return CODE_SPAN.findall(FENCE.sub("", page))


def unknown_commands(path: Path) -> Iterator[str]:
    """Every make command that a page tells the reader to type is a target."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
    for code in code_of(path.read_text(encoding="utf-8")):
        for target in set(MAKE_COMMAND.findall(code)) - targets:
            yield f"tells the reader to run make {target}, which the Makefile does not have"


def dead_links(path: Path) -> Iterator[str]:
    """Every link to a file of the repository leads to one."""
    for target in LINK.findall(FENCE.sub("", path.read_text(encoding="utf-8"))):
        if "://" in target or target.startswith(("#", "mailto:")):
            continue
        if not (path.parent / target.partition("#")[0]).exists():
            yield f"links to {target}, which is not there"


def dead_paths(path: Path) -> Iterator[str]:
    """Every code span that begins like a path of the repository names a file or folder."""
    for span in code_spans(path.read_text(encoding="utf-8")):
        if looks_like_a_path(span) and not any(ROOT.glob(span.rstrip("/"))):
            yield f"names {span}, which is not there"


def looks_like_a_path(span: str) -> bool:
    """Whether a code span such as ``src/openfelt/money.py`` or ``NOTICE`` means a file here.

    A span with a placeholder, as in ``tests/<package>/``, stands for many and is left alone.
    """
    if re.search(r"[^\w./*-]", span):
        return False
    first, slash, _ = span.partition("/")
    in_a_folder = bool(slash) and (ROOT / first).is_dir() and first not in {"", ".", ".."}
    at_the_root = not slash and bool(re.search(r"^[\w-]+\.(?:md|toml|lock)$", span))
    return in_a_folder or at_the_root


@pytest.mark.parametrize("rule", [unknown_commands, dead_links, dead_paths])
def test_pages_keep(rule: Callable[[Path], Iterator[str]]) -> None:
    complaints = [f"{short(path)} {said}" for path in markdown_files() for said in rule(path)]
    assert not complaints, "\n".join(complaints)


LAYER_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)


def test_the_design_page_lists_the_layers_that_exist() -> None:
    page = (ROOT / "docs" / "internals" / "design.md").read_text(encoding="utf-8")
    table = page.partition("## Layers\n")[2].partition("\n\n!")[0]
    layers = {path_layer(path) for path in python_files("src")} - {"__init__", "__main__"}
    assert sorted(LAYER_ROW.findall(table)) == sorted(layers)


def test_every_pure_layer_that_exists_is_under_contract() -> None:
    contracts = configparser.ConfigParser()
    contracts.read(ROOT / ".importlinter", encoding="utf-8")
    guarded = contracts["importlinter:contract:pure"]["source_modules"].split()
    existing = {path_layer(path) for path in layer_files(PURE_LAYERS)}
    assert set(guarded) == {f"openfelt.{layer}" for layer in existing}
