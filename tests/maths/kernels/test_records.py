"""Kernels take many arrays and numbers as records, not as long rows of arguments."""

import ast
from pathlib import Path

from openfelt.maths.kernels import records

ARGUMENTS_MAX = 10


def test_no_kernel_has_too_many_arguments() -> None:
    found = []
    for path in Path(records.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                count = len(node.args.posonlyargs + node.args.args + node.args.kwonlyargs)
                found.append((count, f"{path.stem}.{node.name}"))
    assert max(found)[0] > 1
    assert [name for count, name in found if count > ARGUMENTS_MAX] == []
