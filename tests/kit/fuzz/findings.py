"""Who fuzzes, and what has come of it."""

from collections import Counter
from dataclasses import dataclass, field

from tests.kit.server.seen_cards import Frame


@dataclass
class Findings:
    """What all people together have seen and done."""

    frames: list[Frame] = field(default_factory=list)
    sent: Counter[str] = field(default_factory=Counter)
    """Well-formed commands by kind, and everything else by what it was."""
    answers: Counter[str] = field(default_factory=Counter)
    """Answers by what they said."""
    accepted: Counter[str] = field(default_factory=Counter)
    """Accepted commands by kind."""
    faults: list[str] = field(default_factory=list)

    def require(self, holds: bool, sentence: str) -> None:
        """Note a fault where something does not hold."""
        if not holds:
            self.faults.append(sentence)


@dataclass(slots=True)
class Participant:
    """A person at the sockets, with the cookies that prove it."""

    name: str
    role: str
    cookie: str
    used_ids: list[tuple[str, str]]
    """The ids of all participants, with the messages that they came in; they share this list."""
    commands_sent: int = 0
    """At all tables together, which is how the server counts the refusals that it remembers."""
    commands_answered: int = 0
