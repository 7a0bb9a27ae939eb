"""People at sockets who send anything at all, and a count of what they are owed for it.

Every message is entitled to exactly one thing: a command to its answer, broken or not, as long as
its id can be read; a ping to a pong; anything else to a problem. A socket that is to be closed for
what is sent next has been given all of that before.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from openfelt.protocol import messages
from openfelt.protocol.merge_patch import apply_patch
from openfelt.runtime.remembered_refusals import PER_ACTOR_MAX
from openfelt.server.socket.connection import PROBLEMS_MAX
from tests.kit.fuzz.findings import Findings, Participant
from tests.kit.fuzz.messages import Plain, View, Words, id_in, meant
from tests.kit.server.seen_cards import Frame

ANSWER_SECONDS: Final = 30
"""A participant without an answer after this long will get none."""
IN_BULK: Final = 45
"""More commands at once than a socket takes, so that some of them are refused as busy."""
_NOT_KEPT: Final = frozenset({"malformed", "bad_id", "busy", "signed_out", "not_enrolled"})
"""Refusals that no table has decided, and that no record keeps."""
_CARD: Final = re.compile(r'"[2-9TJQKA][cdhs]"')
_FAULTS: Final = frozenset({"failed", "stopped", "moved", "no_such_table"})
_PLACES: Final = count(1)
"""One for each terminal: a person who comes back to a table uses no id of the time before."""


class FuzzedTerminal:
    """One person at one table."""

    def __init__(
        self, address: str, table: str, who: Participant, rng: Random, findings: Findings
    ) -> None:
        self._address = address
        self._table = table
        self._who = who
        self._words = Words(rng)
        self._rng = rng
        self._findings = findings
        self.view = View(who.name)
        self._version: int | None = None
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self._owed: Counter[str] = Counter()
        """How many answers are owed under each id."""
        self._texts: dict[str, str] = {}
        self._either: set[str] = set()
        """Ids of messages that are so odd that an answer or a problem will do."""
        self._pongs_owed = 0
        self._problems_owed = 0
        self._problems_counted = 0
        """As the server counts them, which closes the socket for too many."""
        self._first: dict[str, tuple[str, Plain]] = {}
        """For each id, the first message with it and its answer."""
        self._used_up: set[str] = set()
        """Ids that came with different cards later, and that tell nothing any more."""
        self._sent_after: dict[str, int] = {}
        self._decided_after: dict[str, int] = {}
        """For each id, how many commands of its person had been answered when it was sent last, and
        when the command that got the first answer was sent: those were decided before it."""
        self._place = next(_PLACES)
        self._number = 0

    # Coming and going ------------------------------------------------------------------------

    async def come(self) -> None:
        """Connect and say hello, with the last version that was seen."""
        headers = {"Cookie": self._who.cookie} if self._who.cookie else {}
        self._socket = await connect(
            f"ws{self._address.removeprefix('http')}/ws/tables/{self._table}",
            origin=Origin(self._address),
            additional_headers=headers,
            max_size=None,
        )
        hello: Plain = {"type": "hello", "protocol": messages.PROTOCOL}
        if self._version is not None and self._rng.random() < 0.7:
            hello["seen"] = self._version
        await self._socket.send(json.dumps(hello))
        self._reader = asyncio.create_task(self._read(self._socket))
        self._problems_counted = 0

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                text = data if isinstance(data, str) else data.decode()
                async with self._news:
                    self._take(text, json.loads(text))
                    self._news.notify_all()
        except ConnectionClosed:
            pass
        finally:
            async with self._news:
                self._news.notify_all()

    async def leave(self) -> None:
        """Go without a word; what is owed then is owed at the next socket."""
        assert self._socket is not None
        assert self._reader is not None
        await self._socket.close()
        await self._reader

    async def come_back(self) -> None:
        """Lose the line with commands on their way, come back, and send those again."""
        await self.leave()
        again = [name for name, count in self._owed.items() if count > 0]
        self._owed.clear()
        self._pongs_owed = self._problems_owed = 0
        self._either.clear()
        await self.come()
        for name in again:
            text = self._texts[name]
            if meant(text) is not None:
                self._findings.sent["sent again after a lost line"] += 1
                await self._send(text)

    async def settle(self) -> None:
        """Wait until everything that is owed has come, unless something is wrong already."""
        if self._findings.faults:
            return
        try:
            async with asyncio.timeout(ANSWER_SECONDS), self._news:
                await self._news.wait_for(
                    lambda: self._nothing_owed or self._is_closed or bool(self._findings.faults)
                )
        except TimeoutError:
            pass
        owed = {name: count for name, count in self._owed.items() if count}
        self._findings.require(
            self._nothing_owed,
            f"{self} is owed answers {owed}, {self._problems_owed} problems and "
            f"{self._pongs_owed} pongs: {[self._texts.get(name) for name in owed]}",
        )

    @property
    def _nothing_owed(self) -> bool:
        return not any(self._owed.values()) and not self._problems_owed and not self._pongs_owed

    @property
    def _is_closed(self) -> bool:
        return self._reader is None or self._reader.done()

    def __str__(self) -> str:
        return f"{self._who.name} at {self._table}"

    # What comes ------------------------------------------------------------------------------

    def _take(self, text: str, message: Plain) -> None:
        player = self._who.name if self._who.role == "player" else None
        sent = self._texts.get(message.get("id", ""), "") if message["type"] == "answer" else ""
        self._findings.frames.append(Frame(self._table, player, text, message, sent))
        match message["type"]:
            case "welcome":
                self.view.public, self.view.private = message["public"], message["private"]
                self._version = message["version"]
            case "change":
                self._changed(message)
            case "answer":
                self._answered(message)
            case "problem":
                self._problem(message)
            case "pong":
                self._pongs_owed -= 1
            case other:
                self._findings.require(False, f"{self} was sent a {other}")

    def _changed(self, change: Plain) -> None:
        self.view.public = apply_patch(self.view.public, change.get("public", {}))
        base = {} if change.get("whole") else self.view.private
        self.view.private = apply_patch(base, change.get("private", {}))
        self._findings.require(
            self._version is not None and change["version"] >= self._version,
            f"{self} had version {self._version}, and was sent {change}",
        )
        self._version = change["version"]

    def _answered(self, answer: Plain) -> None:
        name, refused = answer["id"], answer.get("refused")
        self._findings.answers[refused or "accepted"] += 1
        self._findings.require(self._owed[name] > 0, f"{self} asked for no {answer}")
        self._findings.require(refused not in _FAULTS, f"{self}: {self._texts[name]} has {refused}")
        self._owed[name] -= 1
        self._who.commands_answered += 1
        if name in self._either:
            self._either.discard(name)
            self._problems_owed -= 1
        text = self._texts[name]
        if self._may_be_forgotten(name):
            del self._first[name]
            self._used_up.discard(name)
        before, earlier = self._first.setdefault(name, (text, answer))
        if earlier is answer and refused == "id_reused":
            # The server remembers a command that this terminal counts as forgotten. Such a refusal
            # is not stored, so the next answer may name another version or be a decision.
            del self._first[name]
            self._findings.require(
                any(used == name and sent != text for used, sent in self._who.used_ids),
                f"{self} used a new id, and was told {answer} for {text}",
            )
            return
        if earlier is answer:
            self._decided_after[name] = self._sent_after[name]
            command = meant(text)
            if answer["accepted"] and isinstance(command, messages.Command):
                self._findings.accepted[str(command.command.__struct_config__.tag)] += 1
            return
        if earlier.get("refused") in _NOT_KEPT or refused == "busy":
            return
        if before == text and name not in self._used_up:
            self._findings.require(
                _same(answer, earlier), f"{self} was told {answer} after {earlier} for {text}"
            )
        else:
            if _CARD.sub("", before) == _CARD.sub("", text) and refused == "id_reused":
                self._used_up.add(name)
            self._findings.require(
                refused in ("id_reused", "malformed", "not_enrolled"),
                f"{self} used an id again, and was told {answer}: {before}, {text}",
            )

    def _may_be_forgotten(self, name: str) -> bool:
        """Whether the command was refused so many commands ago that it may be decided again.

        Commands at other tables that were under way when it was sent may have been decided after
        it, and their refusals are remembered instead of its own.
        """
        earlier = self._first.get(name)
        if earlier is None or earlier[1]["accepted"]:
            return False
        return self._who.commands_sent - self._decided_after[name] > PER_ACTOR_MAX

    def _problem(self, problem: Plain) -> None:
        if problem["code"] in ("malformed", "hello_twice"):
            if self._problems_owed > 0:
                self._problems_owed -= 1
            else:
                self._findings.require(False, f"{self} deserves no {problem}")
            if self._either and problem["code"] == "malformed":
                self._owed[self._either.pop()] -= 1

    # What goes -------------------------------------------------------------------------------

    async def act(self) -> None:
        """Send something."""
        chance = self._rng.random()
        for part, action in _ACTIONS:
            if chance < part:
                await action(self)
                return
            chance -= part
        await self.play()

    async def play(self) -> None:
        """Do something that the table offers, as a player would."""
        command = self._words.sensible(self.view)
        if command is not None:
            await self._ask(command)

    async def _ask(self, command: object, command_id: str | None = None) -> None:
        """Ask something under a new id, or under one for which nothing is owed at the moment."""
        if command_id is None or not self._owed[command_id]:
            await self._send(self._words.message(command, command_id or self._new_id()))

    def _new_id(self) -> str:
        self._number += 1
        return f"{self._who.name}/{self._table}/{self._place}/{self._number}"[-64:]

    async def _send(self, text: str | bytes) -> None:
        """Send a message, and count what it is owed."""
        assert self._socket is not None
        if self._problems_counted >= PROBLEMS_MAX - 1 and meant(text) is None:
            await self.settle()
            await self.come_back()
        if sum(self._owed.values()) >= 2 * IN_BULK:
            await self.settle()
        message, name = meant(text), id_in(text)
        if isinstance(message, messages.Command):
            self._owe(message.id, text)
            self._findings.sent[str(message.command.__struct_config__.tag)] += 1
        elif isinstance(message, messages.Ping):
            self._pongs_owed += 1
        else:
            self._problems_counted += 1
            if message is None and name is not None:
                self._owe(name, text)
            else:
                self._problems_owed += 1
        try:
            await self._socket.send(text)
        except ConnectionClosed as closed:
            self._findings.require(False, f"{self} was closed with {closed} before {text!r}")

    def _owe(self, name: str, text: str | bytes) -> None:
        self._owed[name] += 1
        self._sent_after[name] = self._who.commands_answered
        self._who.commands_sent += 1
        self._texts[name] = text if isinstance(text, str) else text.decode()
        self._who.used_ids.append((name, self._texts[name]))

    async def _anything(self) -> None:
        await self._ask(self._words.well_formed(self.view))

    async def _odd_id(self) -> None:
        odd = self._rng.choice(("x" * 65, "a\nb", "\x00", " ", "ñ", "same", "y" * 5000))
        await self._ask(self._words.well_formed(self.view), odd)

    async def _same_again(self) -> None:
        """The same command under the same id, once its answer is there."""
        if self._first:
            name = self._rng.choice(list(self._first))
            if not self._owed[name]:
                self._findings.sent["same id, same command"] += 1
                await self._send(self._first[name][0])

    async def _other_under_same_id(self) -> None:
        if self._first:
            name = self._rng.choice(list(self._first))
            if not self._owed[name]:
                self._findings.sent["same id, other command"] += 1
                await self._ask(self._words.well_formed(self.view), name)

    async def _another_participants(self) -> None:
        """Another participant's message with that participant's id, verbatim."""
        if self._who.used_ids:
            name, text = self._rng.choice(self._who.used_ids)
            if not self._owed[name] and isinstance(meant(text), messages.Command):
                self._findings.sent["another participant's id"] += 1
                await self._send(text)

    async def _broken(self) -> None:
        self._findings.sent["broken command"] += 1
        await self._ask(self._words.broken(self.view))

    async def _garbage(self) -> None:
        self._findings.sent["garbage"] += 1
        await self._send(self._words.garbage())

    async def _greet_again(self) -> None:
        self._findings.sent["hello again"] += 1
        await self._send(json.dumps(self._words.hello()))

    async def _nested(self) -> None:
        """Something very deep. It may be answered by its id or as a problem, but once."""
        await self.settle()
        assert self._socket is not None
        self._findings.sent["nested"] += 1
        name = self._new_id()
        text = self._words.nested(name)
        if self._problems_counted >= PROBLEMS_MAX - 1:
            await self.come_back()
        self._problems_counted += 1
        self._owe(name, text)
        self._problems_owed += 1
        self._either.add(name)
        await self._socket.send(text)
        await self.settle()

    async def _too_long(self) -> None:
        self._findings.sent["too long"] += 1
        await self._until_closed([self._words.too_long()], code=1009)

    async def _too_many_problems(self) -> None:
        self._findings.sent["too many problems"] += 1
        await self._until_closed(["?"] * (PROBLEMS_MAX + 1), code=1008)

    async def _until_closed(self, texts: list[str | bytes], *, code: int) -> None:
        """Send what the socket is closed for."""
        await self.settle()
        assert self._socket is not None
        assert self._reader is not None
        self._problems_owed += 10 * PROBLEMS_MAX
        try:
            for text in texts:
                await self._socket.send(text)
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._reader
        except ConnectionClosed:
            await self._reader
        except TimeoutError:
            self._findings.require(False, f"{self} was not closed for {str(texts[0])[:40]}")
        self._findings.require(
            self._socket.close_code == code,
            f"{self} was closed with {self._socket.close_code} instead of {code}",
        )
        await self.come_back()

    async def _bulk(self) -> None:
        """A whole bulk of commands without waiting for any answer."""
        self._findings.sent["bulk"] += 1
        for _ in range(IN_BULK):
            await self._ask(self._words.well_formed(self.view, "collect"))
        await self.settle()


def _same(answer: Plain, earlier: Plain) -> bool:
    keys = ("version", "accepted", "refused")
    return [answer.get(key) for key in keys] == [earlier.get(key) for key in keys]


_ACTIONS: Final[tuple[tuple[float, Callable[[FuzzedTerminal], Any]], ...]] = (
    (0.20, FuzzedTerminal._anything),
    (0.02, FuzzedTerminal._odd_id),
    (0.05, FuzzedTerminal._same_again),
    (0.04, FuzzedTerminal._other_under_same_id),
    (0.04, FuzzedTerminal._another_participants),
    (0.06, FuzzedTerminal._broken),
    (0.04, FuzzedTerminal._garbage),
    (0.01, FuzzedTerminal._greet_again),
    (0.01, FuzzedTerminal._nested),
    (0.005, FuzzedTerminal._too_long),
    (0.003, FuzzedTerminal._too_many_problems),
    (0.004, FuzzedTerminal._bulk),
    (0.01, FuzzedTerminal.come_back),
)
"""How often each of them is done; otherwise the person plays."""
