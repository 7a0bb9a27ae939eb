"""A batch of requests while it is decided: the draft that they make, and their answers."""

from collections.abc import Mapping
from typing import Final

from openfelt.rules.quick_replace import maker
from openfelt.runtime.commits import AnsweredCommand, CommitReport
from openfelt.runtime.remembered_refusals import GivenAnswer, RememberedRefusals
from openfelt.runtime.requests import Answer
from openfelt.runtime.streams import StreamKind, table_stream
from openfelt.runtime.tables.draft import Draft
from openfelt.storage.door import CommandKey, Head, StoredAnswer

_answered: Final = maker(AnsweredCommand)


def read_answer(stored: StoredAnswer | None) -> GivenAnswer | None:
    """An answer as it is stored, or None."""
    return GivenAnswer(stored.digest, Answer.from_json(stored.body)) if stored else None


class Batch:
    """Requests being decided: the draft that they make, and the answers under their ids."""

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.answers: dict[CommandKey, GivenAnswer] = {}
        self.repeats = False
        """Whether a repeated command gets its first answer again."""

    @property
    def refuses(self) -> bool:
        """Whether it refuses a command that is new, as far as this process remembers."""
        return any(not given.answer.accepted for given in self.answers.values())

    def first_answer(
        self,
        refusals: RememberedRefusals,
        key: CommandKey,
        answered: Mapping[CommandKey, StoredAnswer],
    ) -> GivenAnswer | None:
        """The answer that a repeated command got before, None for a new command."""
        return (
            read_answer(answered.get(key))
            or self.answers.get(key)
            or refusals.get(table_stream(self.draft.table.id), key)
        )

    def version(self, head: Head) -> int:
        """The version that the table will have after what has been drafted so far."""
        return head.version + len(self.draft.events)

    def committed(self) -> CommitReport:
        """The observers' report of the written batch."""
        table = self.draft.table
        return CommitReport(
            kind=StreamKind.TABLE,
            name=table.id,
            round=table.round_id if table.rounds else None,
            events=tuple(drafted.event for drafted in self.draft.events),
            answers=tuple(
                _answered(actor=actor, command=command, refused=given.answer.refused)
                for (actor, command), given in self.answers.items()
            ),
        )
