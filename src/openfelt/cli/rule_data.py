"""Rule data for commands: errors in it become complaints."""

from pathlib import Path

from openfelt.catalog import Catalog, CatalogError, UnknownHouseError, load_catalog
from openfelt.catalog.clauses import Clause, load_documents
from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.rules import House


def open_catalog(folder: Path | None) -> Catalog:
    """Every house and paytable; raises Complaint with the file, key and problem of an error."""
    try:
        return load_catalog(folder)
    except CatalogError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def find_house(catalog: Catalog, name: str) -> House:
    """The house of this name, in any case."""
    try:
        return catalog.house(name.strip().lower())
    except UnknownHouseError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def find_clause(name: str) -> Clause | None:
    """The clause of this id, in any case, or None.

    >>> find_clause("w.11A").id
    'W.11a'
    """
    wanted = name.strip().lower()
    clauses = (clause for document in load_documents() for clause in document.clauses)
    return next((clause for clause in clauses if clause.id.lower() == wanted), None)


def document_title(clause_id: str) -> str:
    """The title of the document that a clause belongs to, empty if it is unknown."""
    letter = clause_id.partition(".")[0]
    titles = {document.letter: document.title for document in load_documents()}
    return titles.get(letter, "")
