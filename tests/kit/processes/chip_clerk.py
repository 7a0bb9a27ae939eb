"""A process at the chip bank, to be killed: ``python -m tests.kit.processes.chip_clerk``.

It gives the fills of a table one after another, each of which the dealer receives, and tells of
each slip once both are answered. What is sent again after a kill has the same id.
"""

import sys

from openfelt.runtime.clock import SystemClock
from openfelt.storage.addresses import open_store
from tests.kit.cages import Cage
from tests.kit.processes.cage_clerk import tell
from tests.kit.trays import CAL, DAN

TABLE = "pit-1"
FILLS = 12


def main(database: str) -> None:
    """Give and receive every fill, as often as it takes."""
    trays = Cage(open_store(database), SystemClock()).trays
    for number in range(1, FILLS + 1):
        trays.give(TABLE, number, by=CAL, id=f"give {number}")
        trays.receive(TABLE, number, by=DAN, id=f"receive {number}")
        tell(f"received {number}")


if __name__ == "__main__":
    main(sys.argv[1])
