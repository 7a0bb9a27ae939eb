"""Kernels take many arrays and numbers as records, not as long rows of arguments."""

import ast
import importlib
from itertools import permutations
from pathlib import Path

import numpy as np

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


def test_no_record_begins_with_all_fields_of_another() -> None:
    """Numba would pass the longer one to a kernel that was compiled for the shorter one.

    It warns about that, but only in a process that happens to have compiled the shorter one first.
    """
    layouts = {}
    for path in Path(records.__file__).parent.glob("*.py"):
        module = importlib.import_module(f"openfelt.maths.kernels.{path.stem}")
        for name, value in vars(module).items():
            if isinstance(value, np.dtype) and value.fields is not None:
                layouts[name] = list(value.fields.items())
    assert {"QUESTION", "FLASHED"} <= layouts.keys()
    alike = [
        (longer, shorter)
        for longer, shorter in permutations(layouts, 2)
        if layouts[longer][: len(layouts[shorter])] == layouts[shorter]
    ]
    assert alike == []
