"""Every code with which the limits of a player refuse a command."""

from enum import StrEnum


class LimitCode(StrEnum):
    """Why a player may not deposit or play now, or may not set a limit."""

    EXCLUDED = "excluded"
    DEPOSIT_LIMIT = "deposit_limit"
    LOSS_LIMIT = "loss_limit"
    TIME_LIMIT = "time_limit"
    LIMIT_UNCHANGED = "limit_unchanged"
    """The limit is already what is asked for, or waits for it."""
    EXCLUDED_LONGER = "excluded_longer"
    """The player is already excluded for as long, or longer."""
