"""A small spreadsheet that calculates the formulas of par sheets in exact fractions.

It reads a workbook as others do, and shares nothing with the program that wrote it. Square roots
and normal quantiles are decimals; all else stays a fraction.
"""

import ast
import math
import re
from collections.abc import Callable
from fractions import Fraction
from io import BytesIO
from statistics import NormalDist
from typing import Any

from openpyxl import load_workbook
from openpyxl.utils import range_boundaries

Number = Fraction | float


class Spreadsheet:
    """One worksheet of a workbook, calculated."""

    def __init__(self, content: bytes, name: str) -> None:
        self.page: Any = load_workbook(BytesIO(content))[name]
        self.known: dict[tuple[int, int], Number] = {}

    @staticmethod
    def names(content: bytes) -> list[str]:
        """The worksheets of a workbook."""
        return list(load_workbook(BytesIO(content)).sheetnames)

    def raw(self, row: int, column: int) -> Any:
        """What a cell holds: a text, a number, or a formula that begins with =."""
        return self.page.cell(row, column).value

    def row_of(self, words: str, *, after: int = 0) -> int:
        """The first row whose first cell holds these words."""
        rows = range(after + 1, self.page.max_row + 1)
        return next(row for row in rows if self.raw(row, 1) == words)

    def value(self, row: int, column: int) -> Number:
        """The number of a cell, calculated from its formula if it has one."""
        if (row, column) not in self.known:
            held = self.raw(row, column)
            is_formula = isinstance(held, str) and held.startswith("=")
            number = self._formula(held[1:]) if is_formula else Fraction(held)
            self.known[row, column] = number
        return self.known[row, column]

    def _cells(self, name: str) -> list[Number]:
        left, top, right, bottom = range_boundaries(name.replace("$", ""))
        return [
            self.value(row, column)
            for row in range(top, bottom + 1)
            for column in range(left, right + 1)
        ]

    def _formula(self, text: str) -> Number:
        names: dict[str, list[Number]] = {}

        def cells(match: re.Match[str]) -> str:
            names[f"cells_{len(names)}"] = self._cells(match[0])
            return f"cells_{len(names) - 1}"

        plain = re.sub(r"\$[A-Z]+\$\d+(:\$[A-Z]+\$\d+)?", cells, text)
        result: Number = _calculate(ast.parse(plain, mode="eval").body, names)
        return result


def _calculate(node: ast.expr, names: dict[str, list[Number]]) -> Any:
    match node:
        case ast.Constant(value=str(words)):
            return words
        case ast.Constant(value=number):
            return Fraction(str(number))
        case ast.Name(id=name):
            return names[name][0] if len(names[name]) == 1 else names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_calculate(operand, names)
        case ast.BinOp(left=left, op=operator, right=right):
            return _OPERATORS[type(operator)](_calculate(left, names), _calculate(right, names))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_calculate(argument, names) for argument in arguments))
    raise ValueError(ast.dump(node))


def _sum_if(cells: list[Number], condition: str | Number, summed: list[Number]) -> Number:
    pairs = zip(cells, summed, strict=True)
    if isinstance(condition, str):
        assert condition == ">0"
        return sum((number for cell, number in pairs if cell > 0), Fraction(0))
    return sum((number for cell, number in pairs if cell == condition), Fraction(0))


def _of_all(choose: Callable[[list[Number]], Number]) -> Callable[..., Number]:
    """A function of all cells and numbers that are given."""
    return lambda *given: choose(
        [number for one in given for number in (one if isinstance(one, list) else [one])]
    )


_OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda one, other: one + other,
    ast.Sub: lambda one, other: one - other,
    ast.Mult: lambda one, other: one * other,
    ast.Div: lambda one, other: one / other,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "SUM": lambda cells: sum(cells, Fraction(0)),
    "SUMIF": _sum_if,
    "SUMPRODUCT": lambda *columns: sum(map(math.prod, zip(*columns, strict=True)), Fraction(0)),
    "MAX": _of_all(max),
    "MIN": _of_all(min),
    "SQRT": math.sqrt,
    "NORMSINV": lambda share: NormalDist().inv_cdf(float(share)),
}
