"""The clauses of the published documents and of our rulings, restated in our own words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from openfelt.catalog.field_values import Reader
from openfelt.catalog.files import ClauseFile, ClauseLimitForm, read_file
from openfelt.rules.house import BankKind, GameName, House, Procedure
from openfelt.rules.shown_hands import READ_FROM_HAND
from openfelt.rules.wagers import WagerKind

DOCUMENTS = ("W", "O", "C", "S", "D", "R")
"""The five documents and, last, the rulings that settle what they leave open."""

_FOLDER = Path(__file__).with_name("clauses")


@dataclass(frozen=True, slots=True)
class ClauseLimit:
    """The requirement of a clause for one key of a house file."""

    key: str
    at_most: int | None
    within: tuple[str, ...] | None
    equals: bool | int | str | list[str | int] | None
    required: bool
    """Whether a house without this key breaks the limit."""

    @property
    def words(self) -> str:
        """The requirement in words: ``"at most 2"``."""
        if self.at_most is not None:
            return f"at most {self.at_most}"
        if self.within is not None:
            return f"nothing but {', '.join(self.within)}"
        if self.equals == []:
            return "none"
        return str(self.equals).lower() if isinstance(self.equals, bool) else str(self.equals)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a document."""

    id: str
    text: str
    settles: tuple[str, ...]
    """The outcomes of wagers that the clause settles, such as ``ante.win``."""
    procedure: Procedure | None
    not_software: str | None
    """Why software cannot fulfil the clause; None if it can."""
    limits: tuple[ClauseLimit, ...] = ()
    """The requirements of the clause for a house that follows its document."""


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


def clause_of_claim(subject: str, claim: str) -> str:
    """The clause that claims a figure of a paytable, of the game or of a wager; empty if none does.

    >>> clause_of_claim("UTH-01", "0.90%"), clause_of_claim("trips", "96.5%")
    ('W.paytables.UTH-01', 'O.return.trips')
    """
    clauses = (clause for document in load_documents() for clause in document.clauses)
    fitting = (
        clause.id
        for clause in clauses
        if clause.id.endswith(f".{subject}") and claim in re.findall(r"[\d.]+%", clause.text)
    )
    return next(fitting, "")


def _read(file: Path) -> Document:
    form = read_file(file, ClauseFile)
    reader = Reader(file)
    seen: set[str] = set()
    clauses = []
    for number, entry in enumerate(form.clause):
        key = f"clause[{number}]"
        if entry.id in seen or not entry.id.startswith(f"{form.document}."):
            reader.refuse(
                f"{key}.id", f"{entry.id!r} is a duplicate or belongs to another document"
            )
        seen.add(entry.id)
        procedure = entry.procedure and reader.name(f"{key}.procedure", entry.procedure, Procedure)
        clauses.append(
            Clause(
                entry.id,
                entry.text,
                tuple(entry.settles),
                procedure or None,
                entry.not_software,
                tuple(_limit(limit) for limit in entry.limits),
            )
        )
    return Document(form.document, form.title, tuple(clauses))


def _limit(form: ClauseLimitForm) -> ClauseLimit:
    within = None if form.within is None else tuple(form.within)
    return ClauseLimit(form.key, form.at_most, within, form.equals, form.required)


_AGGREGATE: Final = "aggregate"
LOST_FACE_DOWN: Final = frozenset(f"{kind}.fold" for kind in READ_FROM_HAND)
"""The outcomes of wagers whose folded hand is not shown."""


def clauses_for(
    document: str, game: GameName, *, aggregates: bool = False, folds_face_down: bool = False
) -> dict[str, str]:
    """The clause of each outcome of a wager: the document's, or a ruling if it has none.

    With ``aggregates``, also the clause that limits payouts in total, and with
    ``folds_face_down`` those of wagers that lose with a hand that is not shown. A house without
    such rules does not cite them, so it has the fingerprint that it had before there were any.

    >>> clauses_for("O", GameName.ULTIMATE_HOLDEM)["ante.win"]
    'O.9a'
    """
    by_letter = {document.letter: document for document in load_documents()}
    rulings = _outcomes(by_letter["R"].clauses, game)
    clauses = rulings | _outcomes(by_letter[document].clauses, game)
    if not aggregates:
        del clauses[_AGGREGATE]
    if not folds_face_down:
        clauses = {key: clause for key, clause in clauses.items() if key not in LOST_FACE_DOWN}
    return clauses


_ENDINGS = {
    WagerKind.ANTE: ("win", "lose", "tie", "not_qualified"),
    WagerKind.BLIND: ("win", "push", "lose", "tie", "fold"),
    WagerKind.PLAY: ("win", "lose", "tie"),
    WagerKind.BAD_BEAT: ("win", "lose", "tie"),
}
"""The possible outcomes of wagers that have more than win and lose."""


def outcomes_of(house: House) -> list[str]:
    """Every possible outcome of the house's wagers; its document has a clause for each.

    >>> from openfelt.catalog import load_house
    >>> outcomes_of(load_house("draw"))[-3:]
    ['bonus.win', 'bonus.lose', 'ante_bonus.win']
    """
    kinds = [rule.kind for rule in house.wagers]
    outcomes = ["void"]
    if house.bank.kind is BankKind.PLAYER_DEALER:
        outcomes.append("uncovered")
    if house.game is GameName.ULTIMATE_HOLDEM:
        kinds.append(WagerKind.PLAY)
        outcomes.append("ante.fold")
    if WagerKind.PROGRESSIVE in kinds:
        outcomes.append("envy.win")
    for kind in kinds:
        outcomes += [f"{kind}.{ending}" for ending in _ENDINGS.get(kind, ("win", "lose"))]
        if house.folds_face_down and kind in READ_FROM_HAND:
            outcomes.append(f"{kind}.fold")
    return [*outcomes, "ante_bonus.win"] if house.ante_bonus else outcomes


def _outcomes(clauses: Iterable[Clause], game: GameName) -> dict[str, str]:
    """Clause ids by outcome; the prefix ``draw:`` limits an outcome to Ultimate Draw."""
    clause_ids = {}
    for clause in clauses:
        for outcome in clause.settles:
            if outcome.startswith("draw:") and game is not GameName.ULTIMATE_DRAW:
                continue
            prefix = f"{clause.procedure}:" if clause.procedure else ""
            clause_ids[prefix + outcome.removeprefix("draw:")] = clause.id
    return clause_ids
