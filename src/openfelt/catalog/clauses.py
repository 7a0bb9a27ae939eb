"""The clauses of the published documents and of our rulings, restated in our words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openfelt.catalog.files import ClauseFile, read_file
from openfelt.catalog.reading import Reader
from openfelt.rules.house import GameName, Procedure

DOCUMENTS = ("W", "O", "C", "S", "D", "R")
"""The five documents and, last, the rulings that settle what they leave open."""

_FOLDER = Path(__file__).with_name("clauses")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a document."""

    id: str
    text: str
    settles: tuple[str, ...]
    """The outcomes of wagers that the clause rules, such as ``ante.win``."""
    procedure: Procedure | None
    not_software: str | None
    """Why no program can carry it out, None where one can."""


@dataclass(frozen=True, slots=True)
class Document:
    """A published document, clause by clause."""

    letter: str
    title: str
    clauses: tuple[Clause, ...]


@cache
def load_documents() -> tuple[Document, ...]:
    """Every document with its clauses, the rulings last.

    >>> [document.letter for document in load_documents()]
    ['W', 'O', 'C', 'S', 'D', 'R']
    """
    return tuple(_read(_FOLDER / f"{letter}.toml") for letter in DOCUMENTS)


def _read(file: Path) -> Document:
    form = read_file(file, ClauseFile)
    reader = Reader(file)
    seen: set[str] = set()
    clauses = []
    for number, one in enumerate(form.clause):
        key = f"clause[{number}]"
        if one.id in seen or not one.id.startswith(f"{form.document}."):
            reader.refuse(f"{key}.id", f"{one.id!r} is there twice or of another document")
        seen.add(one.id)
        procedure = one.procedure and reader.name(f"{key}.procedure", one.procedure, Procedure)
        clauses.append(
            Clause(one.id, one.text, tuple(one.settles), procedure or None, one.not_software)
        )
    return Document(form.document, form.title, tuple(clauses))


def clauses_for(document: str, game: GameName) -> dict[str, str]:
    """For each outcome of a wager the clause that rules it: the document's, else a ruling.

    >>> clauses_for("O", GameName.ULTIMATE_HOLDEM)["ante.win"]
    'O.9a'
    """
    by_letter = {one.letter: one for one in load_documents()}
    rulings = _outcomes(by_letter["R"].clauses, game)
    return rulings | _outcomes(by_letter[document].clauses, game)


def _outcomes(clauses: Iterable[Clause], game: GameName) -> dict[str, str]:
    """Outcomes by clause; ``draw:`` before an outcome keeps it to Ultimate Draw."""
    found = {}
    for clause in clauses:
        for outcome in clause.settles:
            if outcome.startswith("draw:") and game is not GameName.ULTIMATE_DRAW:
                continue
            prefix = f"{clause.procedure}:" if clause.procedure else ""
            found[prefix + outcome.removeprefix("draw:")] = clause.id
    return found
