"""The viewer of a table: a person who has signed in, and the kind of their device."""

from dataclasses import dataclass
from typing import Final

from openfelt.rules.house import House
from openfelt.table.commands import Person, Role

FROM_ANYWHERE: Final = frozenset({"collect", "leave_seat", "decline_bank"})
"""The kinds of command that end play, and so need no terminal of the house."""

BEGINNINGS: Final = frozenset({"take_seat", "buy_in", "set_wagers", "take_bank"})
"""The kinds of command that begin play, which a stopped terminal does not take of a player."""

DEALERS_BEGINNINGS: Final = frozenset({"open_bets"})
"""Those that it does not take of a dealer."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer who has signed in. A viewer who has not is represented by None."""

    person: Person
    guest: bool = False
    """A guest account, with play money."""
    enrolled: bool = False
    """Uses an enrolled device, and so may play where remote play is not allowed."""
    terminal: str = ""
    """The enrolled device or the session, as the record names it."""
    stopped: str = ""
    """Why the device takes no wagers, as staff wrote it; empty while it does."""
    by_pin: bool = False
    """Has signed on by PIN, in a session that ends when the dealer signs off."""

    def remote_at(self, house: House) -> bool:
        """Whether the viewer may not play at this house's tables, because of a remote device."""
        plays = self.person.role is Role.PLAYER
        return plays and not self.enrolled and not house.remote_play

    def may_give(self, kind: str, house: House) -> bool:
        """Whether the person may give a kind of command from their device."""
        return kind in FROM_ANYWHERE or not self.remote_at(house)

    def stops(self, kind: str, *, takes_back: bool) -> bool:
        """Whether the device is locked or out of service, and takes no such command.

        A hand in progress may be played to its end, and money may be collected.
        """
        if not self.stopped or takes_back:
            return False
        role = self.person.role
        begins = {Role.PLAYER: BEGINNINGS, Role.DEALER: DEALERS_BEGINNINGS}
        return kind in begins.get(role, ())

    @property
    def name(self) -> str:
        """The name of the account."""
        return self.person.name
