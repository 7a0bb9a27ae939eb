"""What is wrong with a file of rule data, and where."""

from pathlib import Path


class CatalogError(Exception):
    """A file of rule data cannot be used.

    The message names the file, the line or key, and what is wrong with it.
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
    """There is no house of that name; the message lists those there are."""

    def __str__(self) -> str:
        return str(self.args[0])
