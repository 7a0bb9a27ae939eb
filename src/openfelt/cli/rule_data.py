"""Loading rule data for a command: what is wrong with it becomes a complaint."""

from pathlib import Path

from openfelt.catalog import Catalog, CatalogError, UnknownHouseError, load_catalog
from openfelt.catalog.clauses import Clause, load_documents
from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.rules import House


def open_catalog(folder: Path | None) -> Catalog:
    """Every house and paytable; a broken file is a complaint with its name, key and problem."""
    try:
        return load_catalog(folder)
    except CatalogError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def find_house(catalog: Catalog, name: str) -> House:
    """The house of this name, whatever its capitals."""
    try:
        return catalog.house(name.strip().lower())
    except UnknownHouseError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def find_clause(name: str) -> Clause | None:
    """The clause of this id, whatever its capitals; None where there is none.

    >>> find_clause("w.11A").id
    'W.11a'
    """
    wanted = name.strip().lower()
    clauses = (clause for document in load_documents() for clause in document.clauses)
    return next((clause for clause in clauses if clause.id.lower() == wanted), None)


def document_title(clause_id: str) -> str:
    """The title of the document that a clause belongs to, empty where we do not know it."""
    letter = clause_id.partition(".")[0]
    titles = {document.letter: document.title for document in load_documents()}
    return titles.get(letter, "")
