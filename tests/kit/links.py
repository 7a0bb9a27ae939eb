"""Progressive links for the tests, moved on by commands."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from openfelt.table import Link, apply_link, decide_link
from openfelt.table.links.link_referee import CountRound, JoinTable, LinkCommand, OpenLink

OPEN = OpenLink(link="main", contribution=Fraction(1, 4), seed_cents=10_000)
JOIN = JoinTable("felt-1")


def after(*commands: LinkCommand, link: Link | None = None) -> Link:
    """The link after commands that it takes."""
    for command in commands:
        for event in decide_link(link, command):
            link = apply_link(link, event)
    assert link is not None
    return link


def joined(**rates: Any) -> Link:
    """An open link that one table feeds."""
    return after(replace(OPEN, **rates), JOIN)


def round_of(link: Link, **amounts: int) -> CountRound:
    """The next round of the first table, with one wager of a dollar and no winner."""
    wagered_cents = amounts.pop("wagered_cents", 100)
    found: dict[str, int] = {
        "round": link.last_rounds.get("felt-1", 0) + 1,
        "meter_cents": link.meter_cents_with(wagered_cents),
        "awarded_cents": amounts.get("from_meter_cents", 0),
        "envied_cents": 0,
        "from_meter_cents": 0,
        "winners": 1 if amounts.get("from_meter_cents") or amounts.get("awarded_cents") else 0,
        "fed": link.folded.get("felt-1", 0) + 1,
    }
    return CountRound(table="felt-1", wagered_cents=wagered_cents, **(found | amounts))
