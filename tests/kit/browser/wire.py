"""What went over a page's sockets, and the views as the messages make them.

The screen is compared with this, so it is read from the wire alone and never from the page.
"""

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page, WebSocket

from openfelt.protocol.merge_patch import Plain, apply_patch


@dataclass(frozen=True, slots=True)
class Frame:
    """One message that a page received, and the version that the table had with it."""

    text: str
    message: Plain


@dataclass
class Wire:
    """Every socket that a page has opened."""

    received: list[Frame] = field(default_factory=list)
    sent: list[Plain] = field(default_factory=list)
    public: Plain = field(default_factory=dict)
    private: Plain = field(default_factory=dict)
    version: int = 0
    sockets: int = 0

    def listen(self, page: Page) -> None:
        """Take down everything from now on."""
        page.on("websocket", self._opened)

    def _opened(self, socket: WebSocket) -> None:
        self.sockets += 1
        socket.on("framereceived", self._receive)
        socket.on("framesent", lambda text: self.sent.append(json.loads(text)))

    def _receive(self, text: str | bytes) -> None:
        message = json.loads(text)
        self.received.append(Frame(str(text), message))
        match message["type"]:
            case "welcome":
                # What is null and what is not there are the same, as after a patch.
                self.public = apply_patch({}, message["public"])
                self.private = apply_patch({}, message["private"])
            case "change":
                self.public = apply_patch(self.public, message.get("public", {}))
                before = {} if message.get("whole") else self.private
                self.private = apply_patch(before, message.get("private", {}))
        self.version = max(self.version, message.get("version", 0))

    # What the messages say ---------------------------------------------------------------

    @property
    def round(self) -> Plain:
        """The round on the table, empty if there is none."""
        found: Plain = self.public.get("round") or {}
        return found

    @property
    def phase(self) -> str:
        """The round's phase, or "none"."""
        return str(self.round.get("phase", "none"))

    @property
    def street(self) -> str | None:
        """The street that waits for decisions."""
        street: str | None = self.round.get("street")
        return street

    @property
    def hands(self) -> dict[str, Plain]:
        """The player's own hands by their names."""
        found: dict[str, Plain] = self.private.get("hands", {})
        return found

    @property
    def due(self) -> list[Plain]:
        """The player's own hands that have to decide now."""
        return [hand for hand in self.hands.values() if hand["due"]]

    @property
    def decisions(self) -> int:
        """How many decisions the player's own hands have made."""
        return sum(len(hand["decisions"]) for hand in self.hands.values())

    @property
    def over(self) -> bool:
        """Whether the round is over, and the player has the results of their own hands."""
        told = all(hand["lines"] for hand in self.hands.values())
        return self.phase in ("settled", "voided") and told

    def cents(self, name: str) -> int:
        """An amount of the private view, such as ``credit`` or ``net``."""
        return int(self.private[f"{name}_cents"])

    @property
    def unanswered(self) -> set[str]:
        """The ids of commands that are on their way."""
        asked = {str(one["id"]) for one in self.sent if one["type"] == "command"}
        answers = (one.message for one in self.received if one.message["type"] == "answer")
        return asked - {str(answer["id"]) for answer in answers}

    def refusals(self) -> list[str]:
        """The codes of everything that was refused."""
        answers = [one.message for one in self.received if one.message["type"] == "answer"]
        return [str(answer["refused"]) for answer in answers if not answer["accepted"]]

    def commands(self, kind: str) -> list[Any]:
        """The commands of a kind that the page has sent."""
        asked = [one["command"] for one in self.sent if one["type"] == "command"]
        return [command for command in asked if command["kind"] == kind]
