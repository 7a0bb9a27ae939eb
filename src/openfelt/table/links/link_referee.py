"""The referee of a progressive link: turns a command into events, or refuses it.

A refusal changes nothing. The events that it returns are facts, which
``openfelt.table.links.link.apply_link`` applies without further checks.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.action_checks import REASON_LENGTH_MAX, is_reason
from openfelt.rules.lines import Result, Settlement
from openfelt.rules.progressive import link_totals
from openfelt.rules.refusal import Refusal
from openfelt.rules.wagers import WagerKind
from openfelt.table.links.link import Link, LinkPhase
from openfelt.table.links.link_events import (
    LinkEvent,
    LinkOpened,
    LinkPaused,
    LinkReceived,
    LinkResumed,
    LinkRetired,
    Rates,
    RatesChanged,
    RoundCounted,
    RoundFed,
    TableJoined,
    TableLeft,
)
from openfelt.table.permissions import NAME

CONTRIBUTION_PARTS = 10**8
"""A contribution is a whole number of these parts of a wager: a percentage with six decimals."""


class LinkCode(StrEnum):
    """Every reason for which a link can refuse a command."""

    MALFORMED = "malformed"
    LINK_EXISTS = "link_exists"
    NO_SUCH_LINK = "no_such_link"
    LINK_RETIRED = "link_retired"
    LINK_PAUSED = "link_paused"
    LINK_NOT_PAUSED = "link_not_paused"
    BAD_RATES = "bad_rates"
    RATES_UNCHANGED = "rates_unchanged"
    TABLE_JOINED = "table_joined"
    TABLE_NOT_JOINED = "table_not_joined"
    TABLES_REMAIN = "tables_remain"
    ROUND_COUNTED = "round_counted"
    METER_MOVED = "meter_moved"
    BAD_AMOUNTS = "bad_amounts"
    BAD_SUCCESSOR = "bad_successor"


# Commands --------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenLink:
    """Open a link, with the house's seed on its meter."""

    link: str
    contribution: Fraction
    seed_cents: int
    ceiling_cents: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class JoinTable:
    """Let a table feed the link."""

    table: str


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """Take a table off the link, between two of its rounds."""

    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountRound:
    """Add a confirmed round's wagers and pay its awards; ``count_round`` makes this command."""

    table: str
    round: int
    meter_cents: int | None
    """The meter that the round was settled by, its own wagers included; None if the round won no
    share of it, so that no amount depends on it."""
    wagered_cents: int
    awarded_cents: int
    envied_cents: int
    from_meter_cents: int
    winners: int
    """How many hands won an award, a share or a fixed one."""
    fed: int = 1
    """The version of the round in the table's feed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRates:
    """Apply other rates once a share of the meter has been won."""

    contribution: Fraction
    seed_cents: int
    ceiling_cents: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PauseLink:
    """Take no progressive wagers for the time being."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResumeLink:
    """Take progressive wagers again."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class RetireLink:
    """End the link permanently; what is left goes to the house, or into another link."""

    into: str | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceiveLink:
    """Take the meter and the reserve of a link that is retired in the same moment."""

    link: str
    meter: Fraction
    reserve: Fraction


LinkCommand = (
    OpenLink
    | JoinTable
    | LeaveTable
    | CountRound
    | ChangeRates
    | PauseLink
    | ResumeLink
    | RetireLink
    | ReceiveLink
)


def count_round(table: str, round_number: int, settlement: Settlement) -> CountRound | None:
    """A settled round as a link has to count it; None without progressive wagers.

    A void round contributes nothing, so it is not counted (R.13).
    """
    if settlement.meter_cents is None:
        return None
    totals = link_totals(settlement.lines)
    return CountRound(
        table=table,
        round=round_number,
        meter_cents=settlement.meter_cents,
        wagered_cents=totals.wagered_cents,
        awarded_cents=totals.awarded_cents,
        envied_cents=totals.envied_cents,
        from_meter_cents=settlement.meter_paid_cents,
        winners=sum(
            line.wager == WagerKind.PROGRESSIVE and line.result is Result.WIN
            for line in settlement.lines
        ),
    )


def feed_round(command: CountRound) -> RoundFed:
    """A round as a table's feed describes it; raises Refusal for impossible amounts."""
    _check_sums(command)
    return RoundFed(
        round=command.round,
        wagered_cents=command.wagered_cents,
        awarded_cents=command.awarded_cents,
        envied_cents=command.envied_cents,
        from_meter_cents=command.from_meter_cents,
    )


def count_fed(table: str, version: int, fed: RoundFed) -> CountRound:
    """The command that counts a round of a feed, which won no share of the meter."""
    return CountRound(
        table=table,
        round=fed.round,
        meter_cents=None,
        wagered_cents=fed.wagered_cents,
        awarded_cents=fed.awarded_cents,
        envied_cents=fed.envied_cents,
        from_meter_cents=fed.from_meter_cents,
        winners=int(fed.awarded_cents > 0),
        fed=version,
    )


# Deciding --------------------------------------------------------------------


def decide_link(link: Link | None, command: LinkCommand) -> tuple[LinkEvent, ...]:
    """The events that follow from a command; raises Refusal if it is not allowed.

    ``link`` is None before it has been opened.
    """
    if isinstance(command, OpenLink):
        return (_open_link(link, command),)
    if link is None:
        raise Refusal(LinkCode.NO_SUCH_LINK, "There is no such link.")
    if link.phase is LinkPhase.RETIRED:
        raise Refusal(LinkCode.LINK_RETIRED, f"The link {link.id} has been retired.")
    match command:
        case JoinTable(table):
            return (_join_table(link, table),)
        case LeaveTable(table):
            _check_joined(link, table)
            return (TableLeft(table),)
        case CountRound():
            return (_count(link, command),)
        case ChangeRates():
            return (_change_rates(link, command),)
        case PauseLink(reason):
            return (_pause(link, reason),)
        case ResumeLink(reason):
            _check_paused(link)
            return (LinkResumed(_note(reason)),)
        case RetireLink():
            return (_retire(link, command),)
        case ReceiveLink():
            return (_receive(link, command),)
        case _:
            raise _malformed("That is not a command of a link.")


def _malformed(sentence: str) -> Refusal:
    return Refusal(LinkCode.MALFORMED, sentence)


def _open_link(link: Link | None, command: OpenLink) -> LinkOpened:
    if link is not None:
        raise Refusal(LinkCode.LINK_EXISTS, f"The link {link.id} already exists.")
    _check_name(command.link)
    rates = _checked_rates(command)
    return LinkOpened(
        link=command.link,
        contribution=rates.contribution,
        seed_cents=rates.seed_cents,
        ceiling_cents=rates.ceiling_cents,
        reason=_note(command.reason),
    )


def _join_table(link: Link, table: str) -> TableJoined:
    _check_name(table)
    if table in link.tables:
        raise Refusal(LinkCode.TABLE_JOINED, f"{table} already feeds the link {link.id}.")
    return TableJoined(table)


def _change_rates(link: Link, command: ChangeRates) -> RatesChanged:
    rates = _checked_rates(command)
    if rates == (link.waiting or link.rates):
        raise Refusal(LinkCode.RATES_UNCHANGED, "The link already has these rates.")
    return RatesChanged(
        contribution=rates.contribution,
        seed_cents=rates.seed_cents,
        ceiling_cents=rates.ceiling_cents,
        reason=_note(command.reason),
    )


def _note(reason: str) -> str:
    """The supervisor's reason. The server requires one; programs may omit it."""
    if reason and not is_reason(reason):
        raise _malformed(
            f"A reason must be one line of at most {REASON_LENGTH_MAX} printable characters."
        )
    return reason.strip()


def _pause(link: Link, reason: str) -> LinkPaused:
    if not is_reason(reason):
        raise _malformed(
            f"A pause needs a reason: one line of at most {REASON_LENGTH_MAX} printable characters."
        )
    if link.phase is LinkPhase.PAUSED:
        raise Refusal(LinkCode.LINK_PAUSED, f"The link {link.id} is already paused.")
    return LinkPaused(reason.strip())


def _retire(link: Link, command: RetireLink) -> LinkRetired:
    _check_paused(link)
    if link.tables:
        raise Refusal(
            LinkCode.TABLES_REMAIN, f"{', '.join(sorted(link.tables))} must leave the link first."
        )
    if command.into is not None:
        _check_name(command.into)
        if command.into == link.id:
            raise _bad_successor("A link cannot be retired into itself.")
    return LinkRetired(into=command.into, reason=_note(command.reason))


def _receive(link: Link, command: ReceiveLink) -> LinkReceived:
    """The players' money on one meter is theirs on the next: no ceiling cuts it."""
    _check_name(command.link)
    meter, reserve = command.meter, command.reserve
    exact = isinstance(meter, Fraction) and isinstance(reserve, Fraction)
    if not exact or meter < 0 or (meter + reserve).denominator != 1:
        raise _bad_amounts(
            "A meter and its reserve must be whole cents together, and not negative."
        )
    ceiling_cents = link.rates.ceiling_cents
    if ceiling_cents is not None and link.meter.amount + meter > ceiling_cents:
        raise _bad_successor(
            f"The meter of {link.id} would pass its ceiling of {format_cents(ceiling_cents)}."
        )
    if link.meter.amount + meter > AMOUNT_MAX_CENTS:
        raise _bad_successor(f"The meter of {link.id} would be too large.")
    return LinkReceived(link=command.link, meter=meter, reserve=reserve)


def _bad_successor(sentence: str) -> Refusal:
    return Refusal(LinkCode.BAD_SUCCESSOR, sentence)


def _check_paused(link: Link) -> None:
    if link.phase is not LinkPhase.PAUSED:
        raise Refusal(LinkCode.LINK_NOT_PAUSED, f"The link {link.id} is not paused.")


def _check_joined(link: Link, table: str) -> None:
    _check_name(table)
    if table not in link.tables:
        raise Refusal(LinkCode.TABLE_NOT_JOINED, f"{table} does not feed the link {link.id}.")


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        raise _malformed(
            "The name of a link or a table must have 1 to 64 lower-case letters, digits and "
            ". _ @ -."
        )


def _checked_rates(command: OpenLink | ChangeRates) -> Rates:
    """The rates of a command, if they make a meter that can be won."""
    part, seed, ceiling = command.contribution, command.seed_cents, command.ceiling_cents
    if (
        not isinstance(part, Fraction)
        or not 0 <= part <= 1
        or CONTRIBUTION_PARTS % part.denominator
    ):
        raise _bad_rates(
            "A contribution must be a part of the wager, from 0% to 100% with six decimals."
        )
    if not _whole(seed) or seed > AMOUNT_MAX_CENTS:
        raise _bad_rates("A seed must be a whole number of cents, not negative.")
    if ceiling is not None and not (
        _whole(ceiling) and max(seed, 1) <= ceiling <= AMOUNT_MAX_CENTS
    ):
        raise _bad_rates(
            "A ceiling must be a whole number of cents, above zero and not below the seed."
        )
    if part == 0 and seed == 0:
        raise _bad_rates("A meter with neither a seed nor contributions could never be won.")
    return Rates(contribution=part, seed_cents=seed, ceiling_cents=ceiling)


def _bad_rates(sentence: str) -> Refusal:
    return Refusal(LinkCode.BAD_RATES, sentence)


def _whole(number: object) -> bool:
    return type(number) is int and number >= 0


# Counting a round --------------------------------------------------------------


def _count(link: Link, command: CountRound) -> RoundCounted:
    _check_joined(link, command.table)
    if type(command.round) is not int or command.round < 1:
        raise _malformed("The number of a round must be a whole number from 1 up.")
    last = link.last_rounds.get(command.table, 0)
    if command.round <= last:
        raise Refusal(
            LinkCode.ROUND_COUNTED,
            f"Round {command.round} of {command.table} cannot be counted: "
            f"round {last} has already been counted.",
        )
    counted = link.folded.get(command.table, 0)
    if command.fed != counted + 1:
        raise Refusal(
            LinkCode.ROUND_COUNTED,
            f"Round {command.fed} of the feed of {command.table} cannot be counted: "
            f"the next one is round {counted + 1}.",
        )
    _check_sums(command)
    _check_shares(link, command)
    return RoundCounted(
        table=command.table,
        round=command.round,
        wagered_cents=command.wagered_cents,
        awarded_cents=command.awarded_cents,
        envied_cents=command.envied_cents,
        from_meter_cents=command.from_meter_cents,
        fed=command.fed,
    )


def _check_sums(command: CountRound) -> None:
    """Check that the amounts of a round are possible, regardless of the meter."""
    amounts = (
        0 if command.meter_cents is None else command.meter_cents,
        command.wagered_cents,
        command.awarded_cents,
        command.envied_cents,
        command.from_meter_cents,
        command.winners,
    )
    if not all(map(_whole, amounts)):
        raise _bad_amounts("The amounts of a round must be whole numbers of cents, not negative.")
    if command.wagered_cents == 0:
        raise _bad_amounts("A round without progressive wagers cannot be counted.")
    if command.from_meter_cents > command.awarded_cents:
        raise _bad_amounts("The shares of the meter cannot exceed the awards.")
    if command.winners == 0 and command.awarded_cents + command.envied_cents > 0:
        raise _bad_amounts("Nothing can be paid if no hand has won.")


def _check_shares(link: Link, command: CountRound) -> None:
    """A share of the meter was settled by the present one, and took no more than it held.

    A meter that is won whole is seeded again immediately for the next winner in the same round
    (R.24). So all winners together may take what the meter showed, and one seed for each of them
    but the first.
    """
    if command.meter_cents is None and command.from_meter_cents == 0:
        return
    shown_cents = link.meter_cents_with(command.wagered_cents)
    if command.meter_cents != shown_cents:
        raise Refusal(
            LinkCode.METER_MOVED,
            f"The round was settled by a meter of {format_cents(command.meter_cents or 0)}; "
            f"it is {format_cents(shown_cents)} now.",
        )
    most_cents = shown_cents + max(command.winners - 1, 0) * link.next_seed_cents
    if command.from_meter_cents > most_cents:
        raise _bad_amounts(f"The meter could pay at most {format_cents(most_cents)}.")


def _bad_amounts(sentence: str) -> Refusal:
    return Refusal(LinkCode.BAD_AMOUNTS, sentence)
