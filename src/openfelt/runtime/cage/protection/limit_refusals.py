"""Refusals because of a player's limits, and their sentences."""

from datetime import UTC, datetime

from openfelt.ledger.play_limits import LimitKind, LimitPeriod, PlayLimits
from openfelt.money import format_cents
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.protection.limit_codes import LimitCode
from openfelt.runtime.cage.protection.player_use import PlayerUse

MINUTE_MS = 60_000
_WORDS = {
    LimitPeriod.DAY: "a day",
    LimitPeriod.WEEK: "7 days",
    LimitPeriod.MONTH: "30 days",
}


def minutes_max() -> int:
    """The longest limit on time: all of the longest period.

    >>> minutes_max()
    43200
    """
    return LimitPeriod.MONTH.days * 24 * 60


def excluded(limits: PlayLimits) -> Refusal:
    """The refusal of a player who is excluded."""
    if limits.excluded_for_good:
        until = "for good"
    else:
        until_ms = limits.excluded_until_ms or 0
        until = f"until {datetime.fromtimestamp(until_ms / 1000, UTC):%Y-%m-%d at %H:%M} UTC"
    return Refusal(
        LimitCode.EXCLUDED, f"Excluded from play {until}. Money can be taken out at any time."
    )


def check_deposit(limits: PlayLimits, use: PlayerUse, cents: int, now_ms: int) -> None:
    """Refuse a deposit above a limit."""
    for period, most_cents in limits.in_force(LimitKind.DEPOSIT, now_ms):
        left_cents = max(0, most_cents - use.deposited_cents(period, now_ms))
        if cents > left_cents:
            raise Refusal(
                LimitCode.DEPOSIT_LIMIT,
                f"The limit on deposits is {format_cents(most_cents)} in {_WORDS[period]}; "
                f"{format_cents(left_cents)} is left.",
            )


def check_may_play(limits: PlayLimits, use: PlayerUse, now_ms: int) -> None:
    """Refuse a player who is excluded, or whose time of play is used up."""
    if limits.excluded(now_ms):
        raise excluded(limits)
    for period, minutes in limits.in_force(LimitKind.TIME, now_ms):
        if use.played_ms(period, now_ms) >= minutes * MINUTE_MS:
            raise Refusal(
                LimitCode.TIME_LIMIT,
                f"The limit on time is {minutes} minutes of play in {_WORDS[period]}; "
                "it is used up.",
            )


def check_loss(most_cents: int, period: LimitPeriod, *, left_cents: int, cost_cents: int) -> None:
    """Refuse what can cost more than a limit on losses leaves."""
    if left_cents <= 0 or cost_cents > left_cents:
        raise Refusal(
            LimitCode.LOSS_LIMIT,
            f"The limit on losses is {format_cents(most_cents)} in {_WORDS[period]}; "
            f"{format_cents(max(0, left_cents))} is left, and the hands can cost "
            f"{format_cents(cost_cents)} in all."
            if cost_cents
            else f"The limit on losses is {format_cents(most_cents)} in {_WORDS[period]}; "
            "it is reached.",
        )
