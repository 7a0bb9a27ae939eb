"""The audit of answers from before events named their commands.

Events name the commands that caused them, so answers need not be believed any more. Old rows of
the table of answers still are, when a command of that time is repeated: so each of them must fit
its stream, and none may belong to the time after.
"""

import re
from typing import Final

from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.cage.cashier import OLD_ACTOR
from openfelt.runtime.requests import Answer, check_command_id
from openfelt.storage.codec import CodecError
from openfelt.storage.door import CommandKey, StoredAnswer
from openfelt.storage.shown_names import shown, shown_hash
from openfelt.table.commands import Actor, Role
from openfelt.table.permissions import NAME

_DIGEST: Final = re.compile(r"[0-9a-f]{64}")


def audit_old_answers(context: AuditContext, stream: str, *, old_events: int) -> None:
    """Check the old answers of a stream; ``old_events`` of its events name no cause."""
    report = context.report
    for key, stored in context.store.old_answers(stream, damage=context.damage(stream)):
        report.counts.answers += 1
        actor, command = key
        if (fault := _fault(key, stored)) is not None:
            sentence, expected, found = fault
        elif (version := Answer.from_json(stored.body).version) > old_events:
            sentence = "was added later: events of that time are answers themselves"
            expected, found = f"a version up to {old_events}", str(version)
        else:
            continue
        report.find(
            stream,
            f"The answer to {shown(actor)}'s command {shown(command)} {sentence}.",
            expected=expected,
            found=found,
        )


def _fault(key: CommandKey, stored: StoredAnswer) -> tuple[str, str, str] | None:
    """The fault of a single answer: a phrase, the expected value, the value found."""
    actor, command = key
    if actor != OLD_ACTOR and not _is_person(actor):
        return "has no valid actor", "a role and a name", shown(actor)
    try:
        check_command_id(command)
        answer = Answer.from_json(stored.body)
    except (Refusal, CodecError) as error:
        return "cannot be read", "an answer", type(error).__name__
    if answer.version < 0:
        return "names no valid version", "0 or more", str(answer.version)
    if not _DIGEST.fullmatch(stored.digest):
        return "has no valid digest of the command", "a hash", shown_hash(stored.digest)
    return None


def _is_person(actor: str) -> bool:
    role, name = Actor.parse(actor)
    return role in set(Role) and NAME.fullmatch(name) is not None
