"""Houses whose files were changed without the consent of a supervisor: no round begins there."""

from collections.abc import Mapping
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase
from openfelt.runtime.cage.protection.play_checks import WAGERS
from openfelt.runtime.requests import RuntimeCode
from openfelt.table.commands import OpenBets, TableCommand
from openfelt.table.state import Table

BEGIN_ROUNDS: Final = (*WAGERS, OpenBets)


class HeldHouses:
    """The houses that are held, which all workers of a process ask. Threads may share it."""

    def __init__(self) -> None:
        self.why: Mapping[str, str] = {}
        """By the id of the house, what has changed, as a sentence."""

    def check(self, table: Table, command: TableCommand) -> None:
        """Refuse to begin a round at a table of a held house; one in progress is finished."""
        if table.house.id in self.why and isinstance(command, BEGIN_ROUNDS):
            state = table.playing
            if state is None or (state.phase is Phase.WAGERING and not state.hands):
                raise Refusal(
                    RuntimeCode.HOUSE_HELD,
                    "The rules of this house have changed. No round begins until a supervisor has "
                    "accepted them.",
                )
