"""The errors of the catalog."""

from pathlib import Path


class CatalogError(Exception):
    """A file of rule data is invalid.

    The message names the file, the line or key, and the problem.
    """

    def __init__(self, file: Path, where: str, problem: str) -> None:
        super().__init__(file, where, problem)
        self.file = file
        self.where = where
        """The key, such as ``wagers.trips.paytable``, or the line of a syntax error."""
        self.problem = problem

    def __str__(self) -> str:
        return ": ".join(part for part in (str(self.file), self.where, self.problem) if part)


class UnknownHouseError(LookupError):
    """No house has that id; the message lists the existing ones."""

    def __str__(self) -> str:
        return str(self.args[0])
