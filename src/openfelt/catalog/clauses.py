"""The clauses of the published documents and of our rulings, restated in our words."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openfelt.catalog.field_values import Reader
from openfelt.catalog.files import ClauseFile, read_file
from openfelt.rules.house import BankKind, GameName, House, Procedure
from openfelt.rules.wagers import WagerKind

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


_ENDINGS = {
    WagerKind.ANTE: ("win", "lose", "tie", "not_qualified"),
    WagerKind.BLIND: ("win", "push", "lose", "tie", "fold"),
    WagerKind.PLAY: ("win", "lose", "tie"),
    WagerKind.BAD_BEAT: ("win", "lose", "tie"),
}
"""How a wager can end, where it is not just won or lost."""


def outcomes_of(house: House) -> list[str]:
    """Every way in which a wager of the house can end; its document has a clause for each.

    >>> from openfelt.catalog import load_house
    >>> outcomes_of(load_house("draw"))[-3:]
    ['bonus.win', 'bonus.lose', 'ante_bonus.win']
    """
    kinds = [rule.kind for rule in house.wagers]
    found = ["void"]
    if house.bank.kind is BankKind.PLAYER_DEALER:
        found.append("uncovered")
    if house.game is GameName.ULTIMATE_HOLDEM:
        kinds.append(WagerKind.PLAY)
        found.append("ante.fold")
    if WagerKind.PROGRESSIVE in kinds:
        found.append("envy.win")
    for kind in kinds:
        found += [f"{kind}.{ending}" for ending in _ENDINGS.get(kind, ("win", "lose"))]
    return [*found, "ante_bonus.win"] if house.ante_bonus else found


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
