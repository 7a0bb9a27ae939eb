"""Optional packages of par sheets: charts, PDF and workbook need some that most users do not."""

from importlib.util import find_spec
from typing import Final

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode

EXTRA: Final = "parsheets"
CHARTS: Final = ("altair", "vl_convert")
PDF: Final = (*CHARTS, "typst")
WORKBOOK: Final = (*CHARTS, "xlsxwriter")


def missing(packages: tuple[str, ...]) -> list[str]:
    """Those of the packages that are not installed."""
    return [name for name in packages if find_spec(name) is None]


def request(packages: tuple[str, ...]) -> str:
    """The sentence that asks for missing packages; empty if all are there."""
    absent = missing(packages)
    if not absent:
        return ""
    return f"{', '.join(absent)} not installed. Run: pip install 'openfelt[{EXTRA}]'"


def require(packages: tuple[str, ...], output: str) -> None:
    """Refuse to write something without its packages."""
    sentence = request(packages)
    if sentence:
        raise Complaint(f"{output} needs more packages: {sentence}.", ExitCode.WRONG_INPUT)
