"""The money that a golden round's writer worked out from the rules, beside what was settled."""

from collections.abc import Iterator

from openfelt.money import format_cents, parse_cents
from openfelt.rules import Beneficiary, Line, Settlement
from openfelt.rules.lines import Result
from tests.kit.playthroughs.driver import Table
from tests.kit.playthroughs.transcript import signed


def disagreements(table: Table) -> list[str]:
    """Every place where the settlement is not what the file's writer expected."""
    settlement = table.state.settlement
    assert settlement is not None
    expected = dict(table.playthrough.expected())
    found = []
    for key, text in settled(settlement):
        if key not in expected:
            found.append(f"{key} is not expected; settled: {text}")
            continue
        said = expected.pop(key)
        if _normal(said) != _normal(text):
            found.append(f"{key}: expected {said}; settled: {text}")
    return [*found, *(f"{key} is expected, but has no wager" for key in expected)]


def settled(settlement: Settlement) -> Iterator[tuple[str, str]]:
    """The settlement as the lines of an ``expect`` section."""
    by_spot: dict[str, list[Line]] = {}
    for line in settlement.lines:
        dealer = " dealer" if line.beneficiary is Beneficiary.DEALER else ""
        by_spot.setdefault(f"{line.spot}{dealer}", []).append(line)
    for key, lines in sorted(by_spot.items()):
        parts = ", ".join(f"{line.wager.replace('_', ' ')} {_result(line)}" for line in lines)
        yield key, f"{parts} = {signed(sum(line.net_cents for line in lines))}"
    yield "bank", signed(settlement.bank_net_cents)
    if any(line.wager == "progressive" for line in settlement.lines):
        yield "link", signed(settlement.link_net_cents)
    if settlement.cover_left_cents is not None:
        yield "cover left", format_cents(settlement.cover_left_cents)


def _result(line: Line) -> str:
    words = {Result.PUSH: "push", Result.RETURNED: "back"}
    return words.get(line.result) or signed(line.net_cents)


def _normal(text: str) -> object:
    """Wagers in any order and amounts in any form compare alike."""
    parts, _, total = text.partition(" = ")
    if not total:
        return _amount(text)
    pairs = (part.rpartition(" ") for part in parts.split(", "))
    return sorted((name, _amount(word)) for name, _, word in pairs), _amount(total)


def _amount(text: str) -> str:
    if text in ("push", "back"):
        return text
    cents = parse_cents(text.lstrip("+-"))
    return str(-cents if text.startswith("-") else cents)
