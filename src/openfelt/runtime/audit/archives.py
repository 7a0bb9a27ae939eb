"""The audit of archiving: the database keeps what the record says that it has archived."""

from openfelt.record_events.archive_events import HistoryArchived, HistoryReturned
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.storage.shown_names import shown_hash


def _words(archived: HistoryArchived | None) -> str:
    if archived is None:
        return "no archive"
    return (
        f"archive {archived.number} up to checkpoint {archived.checkpoint} and transfer "
        f"{archived.transfer}, with the SHA-256 {shown_hash(archived.sha256)}"
    )


class ArchivesAudit:
    """The audit of the record of archives."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._archived: list[HistoryArchived] = []

    def take(self, booked: BookedEvent) -> None:
        """Follow what was archived and put back."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        try:
            event = context.codec.decode(stored)
            match event:
                case HistoryArchived(number):
                    # An archive whose making was interrupted is made again under its number.
                    self._archived = [kept for kept in self._archived if kept.number < number]
                    self._archived.append(event)
                case HistoryReturned(number) if self._archived[-1].number == number:
                    self._archived.pop()
                case _:
                    raise ImpossibleEvent("It is not the archiving of history")
        except REPLAY_ERRORS as error:
            context.find_impossible(stored, error)

    def saved(self) -> Saved:
        """The archived state."""
        to_json = self._context.codec.codec.to_json
        return {"archived": [to_json(HistoryArchived, event) for event in self._archived]}

    def resume(self, saved: Saved) -> None:
        """Continue with what was archived."""
        from_json = self._context.codec.codec.from_json
        self._archived = [from_json(HistoryArchived, text) for text in saved["archived"]]

    def finish(self) -> None:
        """Compare what is archived with what the database keeps of it."""
        kept = self._context.store.archive(with_state=False)
        last = self._archived[-1] if self._archived else None
        stored = (
            None
            if kept is None
            else HistoryArchived(kept.number, kept.checkpoint, kept.transfer, kept.sha256)
        )
        if stored != last and not self._context.store.is_whole():
            self._context.report.find(
                self._stream,
                "What the database keeps of its archived history is not what the record says. If "
                "openfelt archive was interrupted, run it again: it finishes what it began.",
                expected=_words(last),
                found=_words(stored),
            )
