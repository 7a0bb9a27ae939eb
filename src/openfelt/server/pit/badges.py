"""Badge numbers: which account signs on with which number at a dealer's terminal.

A badge is worn for all to see, so its number proves nothing. It only says whose PIN is entered.
"""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import BADGES_STREAM
from openfelt.server.accounts.events import BadgeEvent, BadgeGiven, BadgeWithdrawn
from openfelt.server.accounts.register import Register
from openfelt.server.errors import Denied
from openfelt.storage.door import Store

BADGES_MAX: Final = 100_000


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge number and the account that signs on with it."""

    number: str
    account: str


class Badges(Register[Badge]):
    """All badges. All calls block."""

    def __init__(self, store: Store, clock: Clock) -> None:
        super().__init__(store, clock, BADGES_STREAM)

    def give(self, number: str, account: str, *, by: str) -> None:
        """Give an account this badge in place of any other; raises Denied if it is taken."""

        def decide() -> tuple[BadgeEvent, ...]:
            held = self._lines.get(number)
            if held is not None and held.account == account:
                return ()
            if held is not None:
                raise Denied(
                    HTTPStatus.CONFLICT, "badge_taken", "Another account has this badge number."
                )
            if len(self._lines) >= BADGES_MAX:
                raise Refusal(RuntimeCode.BUSY, "There are too many badges.")
            return (*self._withdrawn(account, by), BadgeGiven(number, account, by))

        self._write(decide)

    def withdraw(self, account: str, *, by: str) -> bool:
        """Withdraw the badge of an account; False if it has none."""
        return self._write(lambda: self._withdrawn(account, by))

    def account(self, number: str) -> str | None:
        """The account of a badge number, or None."""
        badge = self.get(number)
        return badge.account if badge is not None else None

    def _withdrawn(self, account: str, by: str) -> tuple[BadgeEvent, ...]:
        return tuple(
            BadgeWithdrawn(badge.number, by)
            for badge in self._lines.values()
            if badge.account == account
        )

    def _apply(self, event: BadgeEvent, _: int) -> None:
        if isinstance(event, BadgeGiven):
            self._lines[event.badge] = Badge(event.badge, event.account)
        else:
            self._lines.pop(event.badge, None)
