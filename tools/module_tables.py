"""The tables of modules on the design page, one for each package, from the docstrings."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tools.building import PACKAGE, floors


def module_tables() -> str:
    """The tables of every package, from the top layer down."""
    layers = [layer for floor in floors() for layer in floor]
    return "\n".join(text for layer in layers for text in _layer(layer))


def _layer(layer: str) -> Iterator[str]:
    module = PACKAGE / f"{layer}.py"
    if module.is_file():
        yield f"### `openfelt.{layer}`\n\n{_docstring(module)}\n"
        return
    for package in [PACKAGE / layer, *_packages(PACKAGE / layer)]:
        yield _table(package)


def _packages(folder: Path) -> Iterator[Path]:
    for init in sorted(folder.glob("*/__init__.py")):
        yield init.parent
        yield from _packages(init.parent)


def _table(package: Path) -> str:
    path = package.relative_to(PACKAGE.parent).as_posix()
    heading = f"### `{path.replace('/', '.')}`\n\n{_docstring(package / '__init__.py')}\n"
    modules = [file for file in sorted(package.glob("*.py")) if not file.stem.startswith("__")]
    if not modules:
        return heading
    rows = "\n".join(f"| `{file.name}` | {_docstring(file)} |" for file in modules)
    return f"{heading}\n| module of `src/{path}/` | what it holds |\n|---|---|\n{rows}\n"


def _docstring(file: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split()).replace("``", "`").replace("|", "\\|")
