"""Who looks at a table: a person who has signed in, and from what kind of terminal."""

from dataclasses import dataclass
from typing import Final

from openfelt.rules.house import House
from openfelt.table.commands import Person, Role

FROM_ANYWHERE: Final = frozenset({"collect", "leave_seat", "decline_bank"})
"""The kinds of command that end play, and so need no terminal of the house."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Somebody who has signed in. A visitor who has not is None in its place."""

    person: Person
    guest: bool = False
    """Plays with play money that the house gives."""
    enrolled: bool = False
    """Sits at a terminal of the house, and so may play where remote play is forbidden."""

    def remote_at(self, house: House) -> bool:
        """Whether the person may not play at a table of this house from where they are."""
        plays = self.person.role is Role.PLAYER
        return plays and not self.enrolled and not house.remote_play

    def may_give(self, kind: str, house: House) -> bool:
        """Whether the person may give a kind of command from where they are."""
        return kind in FROM_ANYWHERE or not self.remote_at(house)

    @property
    def name(self) -> str:
        """The name of the account."""
        return self.person.name
