"""The audit of the answers that commands got: each fits its stream and names a valid actor."""

import re
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.cage.cashier import ACTOR
from openfelt.runtime.requests import Answer, check_command_id
from openfelt.storage.codec import CodecError
from openfelt.storage.door import CommandKey, Head, Store, StoredAnswer
from openfelt.table.commands import Role
from openfelt.table.permissions import NAME

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def audit_answers(store: Store, stream: str, head: Head, report: ReportDraft) -> None:
    """Check all answers of a stream."""
    for key, stored in store.answers_of(stream):
        report.counts.answers += 1
        actor, command = key
        if (fault := _fault(key, stored)) is not None:
            sentence, expected, found = fault
        elif (version := Answer.from_json(stored.body).version) > max(
            head.version, store.head(stream).version
        ):
            sentence = "names a version that the stream does not have"
            expected, found = f"up to {head.version}", str(version)
        else:
            continue
        report.find(
            stream,
            f"The answer to {actor}'s command {command} {sentence}.",
            expected=expected,
            found=found,
        )


def _fault(key: CommandKey, stored: StoredAnswer) -> tuple[str, str, str] | None:
    """What is wrong with an answer by itself: a phrase, what was expected, what was found."""
    actor, command = key
    if actor != ACTOR and not _is_person(actor):
        return "has no valid actor", "a role and a name", actor
    try:
        check_command_id(command)
        answer = Answer.from_json(stored.body)
    except (Refusal, CodecError) as error:
        return "cannot be read", "an answer", str(error)
    if answer.version < 0:
        return "names no valid version", "0 or more", str(answer.version)
    if not _DIGEST.fullmatch(stored.digest):
        return "has no valid digest of the command", "a hash", stored.digest
    return None


def _is_person(actor: str) -> bool:
    role, _, name = actor.partition(":")
    return role in set(Role) and NAME.fullmatch(name) is not None
