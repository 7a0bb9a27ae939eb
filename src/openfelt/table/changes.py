"""Changes of a table from the next round on: their events, and the notices for players."""

from dataclasses import dataclass, replace
from enum import StrEnum

from openfelt.rules.house import ClockRule, House


class ChangeKind(StrEnum):
    """The kind of change at a table."""

    RULES = "rules"
    CLOCK = "clock"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class RulesChanged:
    """These rules and limits apply from the next round on."""

    house: House
    before: str = ""
    """The fingerprint of the rules until then; old records do not say."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """Players have this much time from the next round on; None without a clock."""

    clock: ClockRule | None
    before: ClockRule | None
    reason: str


@dataclass(frozen=True, slots=True)
class LinkChangeAnnounced:
    """The table joins another progressive link, or none, when its round is over."""

    link: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class LinkKept:
    """The table has not joined the link that was announced, because the link takes no tables."""

    link: str | None
    why: str


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The table has joined another progressive link, or none."""

    link: str | None
    before: str | None = None
    """The link until then; old records do not say."""
    reason: str = ""


ChangeEvent = RulesChanged | ClockChanged | LinkChangeAnnounced | LinkKept | LinkChanged


@dataclass(frozen=True, slots=True)
class ChangeNotice:
    """A change by staff for a round, as announced to its players."""

    round: int
    """The first round to which it applies."""
    kinds: tuple[ChangeKind, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The changes of a table since it was opened, besides the rules."""

    clock: ClockRule | None
    """The clock of the rounds before ``since``."""
    clock_later: ClockRule | None
    """The clock of the rounds from ``since`` on."""
    since: int = 0
    link_announced: LinkChangeAnnounced | None = None
    """The link that the table joins when its round is over."""
    notice: ChangeNotice | None = None


def terms_after(terms: TableTerms, event: ChangeEvent, *, rounds: int) -> TableTerms:
    """The terms after an event, at a table that has opened so many rounds."""
    match event:
        case RulesChanged():
            return _noticed(terms, ChangeKind.RULES, event.reason, rounds)
        case ClockChanged(clock, before, reason):
            # A clock that is changed twice in one round stays that of its first wager.
            now = terms.clock if terms.since == rounds + 1 else before
            changed = replace(terms, clock=now, clock_later=clock, since=rounds + 1)
            return _noticed(changed, ChangeKind.CLOCK, reason, rounds)
        case LinkChangeAnnounced():
            announced = replace(terms, link_announced=event)
            return _noticed(announced, ChangeKind.LINK, event.reason, rounds)
        case LinkKept():
            return replace(terms, link_announced=None)
        case LinkChanged():
            if terms.link_announced is not None:
                return replace(terms, link_announced=None)
            return _noticed(terms, ChangeKind.LINK, event.reason, rounds)


def _noticed(terms: TableTerms, kind: ChangeKind, reason: str, rounds: int) -> TableTerms:
    """Notify the players of the next round; a change without a reason was not made by staff."""
    if not reason:
        return terms
    before = terms.notice
    kinds = before.kinds if before is not None and before.round == rounds + 1 else ()
    if kind not in kinds:
        kinds = (*kinds, kind)
    return replace(terms, notice=ChangeNotice(rounds + 1, kinds, reason))
