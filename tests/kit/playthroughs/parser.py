"""The files of golden rounds: a top that people write, and what happens, which the runner writes.

The top names a house and lists wagers, cards, decisions and the money that its writer worked out
from the rules. README.md beside this file explains it with an example.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

from openfelt.cards import Card, parse_cards
from openfelt.money import parse_cents
from openfelt.rules import (
    Banker,
    Beneficiary,
    Bet,
    Check,
    Fold,
    Hold,
    House,
    RefusalCode,
    Spot,
    Wager,
    WagerKind,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.house import Procedure
from tests.kit.own_houses import own_house
from tests.kit.repository import ROOT

FOLDER = ROOT / "tests" / "playthroughs"
BELOW = "--- what happens"

_HEADERS = {"house", "clauses", "procedure", "day", "banker", "meter", "credit", "set", "void"}
_SECTIONS = {"wagers", "cards", "decisions", "expect"}
_REFUSED = re.compile(r"(.+?) -> refused (\w+)")
_SPOT = re.compile(r"(\d+)\.(\d+)")


@dataclass(frozen=True)
class Attempt:
    """Wagers or a decision that a player tries, and the refusal, if any."""

    text: str
    refused: RefusalCode | None = None


@dataclass(frozen=True)
class Playthrough:
    """The top of one file."""

    file: Path
    title: str
    headers: dict[str, list[str]]
    sections: dict[str, list[tuple[str, str]]]

    @property
    def name(self) -> str:
        """The file as a test shows it: ``washington/royal_flush``."""
        return self.file.relative_to(FOLDER).with_suffix("").as_posix()

    def header(self, key: str) -> str | None:
        """The one value of a header, None where it is not given."""
        values = self.headers.get(key, [])
        if len(values) > 1:
            raise ValueError(f"{self.file}: {key} is given twice")
        return values[0] if values else None

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that the file proves beyond those its settlement cites."""
        return tuple(" ".join(self.headers.get("clauses", [])).split())

    @cached_property
    def house(self) -> House:
        """The house's rules, with the changes that the file makes to its data."""
        house_id = self.header("house")
        if house_id is None or house_id != self.file.parent.name:
            raise ValueError(f"{self.file}: the house is that of the folder")
        changes = tomllib.loads("\n".join(map(_quoted_key, self.headers.get("set", []))))
        return own_house(house_id, changes)

    @property
    def day(self) -> date:
        """The day whose limits hold."""
        return date.fromisoformat(self.header("day") or "2026-01-01")

    @property
    def procedure(self) -> Procedure | None:
        """How the cards are dealt, None for the house's usual way."""
        name = self.header("procedure")
        return Procedure(name) if name else None

    @property
    def banker(self) -> Banker | None:
        """The player/dealer: ``seat 2, $200``."""
        text = self.header("banker")
        if text is None:
            return None
        seat, _, cover = text.removeprefix("seat ").partition(", ")
        return Banker(int(seat), parse_cents(cover))

    @property
    def meter_cents(self) -> int | None:
        """What the progressive meter shows."""
        text = self.header("meter")
        return parse_cents(text) if text else None

    @property
    def credit_cents(self) -> dict[int, int]:
        """The credit of seats whose credit matters: ``seat 1, $50``."""
        found = {}
        for text in self.headers.get("credit", []):
            seat, _, amount = text.removeprefix("seat ").partition(", ")
            found[int(seat)] = parse_cents(amount)
        return found

    @property
    def void(self) -> tuple[str, str] | None:
        """When the round is voided, and why: ``on the flop: The shuffler jams.``"""
        text = self.header("void")
        if text is None:
            return None
        moment, _, reason = text.partition(": ")
        return moment, reason

    def wagers(self) -> Iterator[tuple[Spot, Attempt]]:
        """What is put on each spot, in the order of the file."""
        for key, text in self.sections.get("wagers", []):
            yield parse_spot(key), _attempt(text)

    def cards(self) -> dict[str, tuple[Card, ...]]:
        """The cards by where they lie: a spot, ``dealer``, and ``board`` or ``draw``."""
        return {key: parse_cards(text) for key, text in self.sections.get("cards", [])}

    def decisions(self) -> dict[Spot, list[Attempt]]:
        """Each hand's decisions, street by street."""
        return {
            parse_spot(key): [_attempt(part) for part in text.split(", ")]
            for key, text in self.sections.get("decisions", [])
        }

    def expected(self) -> list[tuple[str, str]]:
        """The money that the file's writer worked out, by spot or account."""
        return self.sections.get("expect", [])


def read_playthrough(file: Path) -> Playthrough:
    """Read the top of a file; ValueError says which line is not understood."""
    headers: dict[str, list[str]] = {}
    sections: dict[str, list[tuple[str, str]]] = {}
    title = []
    lines: list[tuple[str, str]] = []
    for line in top_of(file).splitlines():
        key, colon, value = line.strip().partition(": ")
        if line.startswith("#"):
            title.append(line.removeprefix("#").strip())
        elif line.startswith("  ") and colon:
            lines.append((key, value.strip()))
        elif not line.startswith(" ") and colon and key in _HEADERS:
            headers.setdefault(key, []).append(value.strip())
        elif line.strip() in _SECTIONS and line.strip() not in sections:
            lines = sections.setdefault(line.strip(), [])
        elif line.strip():
            raise ValueError(f"{file}: not understood: {line}")
    if not title:
        raise ValueError(f"{file}: the first line says in a sentence what the round shows")
    return Playthrough(file, " ".join(title), headers, sections)


def playthrough_files() -> list[Path]:
    """Every golden round of every house."""
    return sorted(FOLDER.glob("*/*.txt"))


def top_of(file: Path) -> str:
    """The part that people write."""
    return file.read_text(encoding="utf-8").partition(BELOW)[0].rstrip() + "\n"


def below_of(file: Path) -> str:
    """The part that the runner writes."""
    return file.read_text(encoding="utf-8").partition(BELOW + "\n")[2]


def parse_spot(text: str) -> Spot:
    """Read a spot such as ``2.1``: seat 2, hand 1."""
    match = _SPOT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a spot such as 1.1")
    return Spot(int(match[1]), int(match[2]))


def parse_wagers(text: str) -> tuple[Wager, ...]:
    """Read wagers such as ``ante 10, bad beat 5, dealer ante 5``."""
    wagers = []
    for part in text.split(", "):
        name, _, amount = part.rpartition(" ")
        kind = WagerKind(name.removeprefix("dealer ").replace(" ", "_"))
        whose = Beneficiary.DEALER if name.startswith("dealer ") else Beneficiary.PLAYER
        wagers.append(Wager(kind, parse_cents(amount), whose))
    return tuple(wagers)


def parse_decision(text: str, own_cards: tuple[Card, ...]) -> Decision:
    """Read a decision: ``check``, ``bet 4x``, ``fold``, ``hold Ks Kd``, ``hold all``."""
    verb, _, rest = text.partition(" ")
    match verb:
        case "check":
            return Check()
        case "fold":
            return Fold()
        case "bet":
            return Bet(int(rest.removesuffix("x")))
        case "hold" if rest in ("all", "nothing"):
            return Hold(own_cards if rest == "all" else ())
        case "hold":
            return Hold(parse_cards(rest))
    raise ValueError(f"{text!r} is no decision")


def _attempt(text: str) -> Attempt:
    match = _REFUSED.fullmatch(text.strip())
    return Attempt(match[1], RefusalCode(match[2])) if match else Attempt(text.strip())


def _quoted_key(change: str) -> str:
    """``table.turns = "in_order"`` as TOML whose key keeps its dots."""
    key, _, value = change.partition(" = ")
    return f'"{key}" = {value}'
