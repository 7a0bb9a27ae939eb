"""The reasons why a table stops: a failed store or shuffler, or another process with the table."""

import logging
from dataclasses import dataclass
from typing import Final

from openfelt.runtime.requests import Answer, RuntimeCode
from openfelt.runtime.shuffle.entropy_health import EntropyFailure
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, KeyFailure, Repeated, Unavailable
from openfelt.storage.event_forms import NewerEvent

UNREADABLE: Final = "The record of this table cannot be opened now."
STOPS: Final = (Repeated, Unavailable, Damaged, KeyFailure, CodecError, EntropyFailure)
"""The failures that stop a table until it is tried again or its operator does something."""

logger = logging.getLogger(__name__)


class Lost(Exception):
    """Another process runs the table now; this worker must no longer be used."""


@dataclass(frozen=True, slots=True)
class StopReason:
    """Why a table has stopped."""

    code: RuntimeCode
    sentence: str
    newer: bool = False
    """Whether it needs an event that only a newer Openfelt can read, so that another process may
    be able to go on."""

    def answer(self, version: int) -> Answer:
        """The answer to all commands until then."""
        return Answer(version=version, refused=self.code.value, sentence=self.sentence)


MOVED: Final = StopReason(RuntimeCode.MOVED, "Another process now runs this table.")


def stopped_by(error: Exception, table: str) -> StopReason:
    """The message to players about a failure of the store or of the shuffler.

    Details about a record go to the log only, because they name rows and files.
    """
    if isinstance(error, EntropyFailure):
        sentence = f"The shuffler has failed its self-test: {error}"
        return StopReason(RuntimeCode.SHUFFLER_FAILED, sentence)
    if isinstance(error, Unavailable):
        return StopReason(RuntimeCode.STOPPED, f"This table has stopped: {error.sentence}")
    # A repeated command or secret at the right version lies where no table has written.
    deed = "written" if isinstance(error, Repeated) else "read"
    logger.error("the record of table %s cannot be %s: %s", table, deed, error)
    return StopReason(RuntimeCode.STOPPED, UNREADABLE, newer=isinstance(error, NewerEvent))
