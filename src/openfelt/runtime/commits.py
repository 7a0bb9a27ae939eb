"""The content of a commit, for observers such as metrics and logs.

An observer is called after the commit, in the thread that wrote it, with the values before they
were encoded, so it never has to decode JSON.
"""

from collections.abc import Callable
from dataclasses import dataclass

from openfelt.ledger.wallet import WalletEvent
from openfelt.runtime.streams import StreamKind
from openfelt.table.events import TableEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredCommand:
    """A command that has been answered."""

    actor: str
    command: str
    """The id that the caller gave the command."""
    refused: str | None = None
    """The code of the refusal, None if the command was accepted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitReport:
    """The additions of one commit to the record of a table or a wallet."""

    kind: StreamKind
    name: str
    """The name of the table, or of the wallet's player."""
    round: str | None = None
    """The id of the table's round in progress or of its last one."""
    events: tuple[TableEvent | WalletEvent, ...] = ()
    answers: tuple[AnsweredCommand, ...] = ()


CommitObserver = Callable[[CommitReport], None]


def unobserved(_: CommitReport) -> None:
    """The observer of a process that counts nothing."""
