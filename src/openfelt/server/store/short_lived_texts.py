"""Texts that a server keeps for minutes: within one process, or for all processes of a house.

A text issued by one gateway, such as an approval, has to be valid at another one. So where several
processes serve a house, such texts are rows of the store. A row is sealed with a key of the house,
so that it cannot be forged with write access to the database.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Final, NamedTuple, Protocol

from openfelt.runtime.clock import Clock
from openfelt.storage.door import Store, StoreError
from openfelt.storage.keyring import Ciphertext, Keyring

LOCAL_MAX: Final = 10_000
"""How many texts of one kind are kept within a process, the newest ones."""
CLOCKS_DIFFER_MS: Final = 120_000
"""By how much the clocks of two processes may differ."""
_ATTEMPTS_MAX: Final = 5


class ShortLivedTexts(Protocol):
    """Texts by kind and name, each for a limited time. All methods may raise StoreError."""

    async def put(self, kind: str, name: str, text: str, *, ttl_ms: int) -> None:
        """Keep a text, instead of one of the same name."""
        ...

    async def get(self, kind: str, name: str) -> str | None:
        """A text whose time is not over."""
        ...

    async def take(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; if several callers try, only one gets it."""
        ...

    async def change(self, kind: str, name: str, change: Callable[[str], str]) -> str | None:
        """Replace a text with the result of ``change``, and return that, or None.

        ``change`` may be called several times, and may raise to leave the text as it is.
        """
        ...


class LocalTexts:
    """Texts of one process."""

    def __init__(self, clock: Clock, *, most: int = LOCAL_MAX) -> None:
        self._clock = clock
        self._most = most
        self._kinds: defaultdict[str, OrderedDict[str, tuple[str, int]]] = defaultdict(OrderedDict)
        """The texts of each kind by name, with the end of their time."""

    async def put(self, kind: str, name: str, text: str, *, ttl_ms: int) -> None:
        """Keep a text, instead of one of the same name."""
        texts = self._kinds[kind]
        texts.pop(name, None)
        texts[name] = (text, self._clock.monotonic_ms() + ttl_ms)
        while len(texts) > self._most:
            texts.popitem(last=False)

    async def get(self, kind: str, name: str) -> str | None:
        """A text whose time is not over."""
        text, until_ms = self._kinds[kind].get(name, ("", 0))
        return text if until_ms > self._clock.monotonic_ms() else None

    async def take(self, kind: str, name: str) -> str | None:
        """Remove a text and return it."""
        text = await self.get(kind, name)
        self._kinds[kind].pop(name, None)
        return text

    async def change(self, kind: str, name: str, change: Callable[[str], str]) -> str | None:
        """Replace a text by what ``change`` makes of it."""
        text = await self.get(kind, name)
        if text is None:
            return None
        changed = change(text)
        texts = self._kinds[kind]
        texts[name] = (changed, texts[name][1])
        return changed


class _Note(NamedTuple):
    """A text with the end of its time."""

    until_ms: int
    text: str


class StoredTexts:
    """Texts of all processes that share a store."""

    def __init__(self, store: Store, keyring: Keyring, clock: Clock) -> None:
        self._store = store
        self._keyring = keyring
        self._clock = clock

    async def put(self, kind: str, name: str, text: str, *, ttl_ms: int) -> None:
        """Keep a text, instead of one of the same name."""
        sealed = self._sealed(kind, name, _Note(self._clock.wall_ms() + ttl_ms, text))
        await asyncio.to_thread(self._store.put_note, kind, name, sealed, ttl_ms=ttl_ms)

    async def get(self, kind: str, name: str) -> str | None:
        """A text whose time is not over."""
        sealed = await asyncio.to_thread(self._store.note, kind, name)
        return _text(self._opened(kind, name, sealed))

    async def take(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; if several processes try, only one gets it."""
        sealed = await asyncio.to_thread(self._store.take_note, kind, name)
        return _text(self._opened(kind, name, sealed))

    async def change(self, kind: str, name: str, change: Callable[[str], str]) -> str | None:
        """Replace a text by what ``change`` makes of it, unless another process was faster."""
        for _ in range(_ATTEMPTS_MAX):
            before = await asyncio.to_thread(self._store.note, kind, name)
            note = self._opened(kind, name, before)
            if before is None or note is None:
                return None
            changed = change(note.text)
            sealed = self._sealed(kind, name, note._replace(text=changed))
            if changed == note.text or await asyncio.to_thread(
                self._store.swap_note, kind, name, before=before, after=sealed
            ):
                return changed
        return None

    def _sealed(self, kind: str, name: str, note: _Note) -> str:
        text = f"{note.until_ms} {note.text}"
        return self._keyring.encrypt(f"note/{kind}", name, text).text

    def _opened(self, kind: str, name: str, sealed: str | None) -> _Note | None:
        """A note; None for one that no process of the house has sealed under this name, or whose
        time is over: a row that was kept can be put back, with another time beside it."""
        if sealed is None:
            return None
        try:
            opened = self._keyring.decrypt(f"note/{kind}", name, Ciphertext.parse(sealed))
        except StoreError:
            return None
        until_ms, _, text = opened.partition(" ")
        if int(until_ms) + CLOCKS_DIFFER_MS < self._clock.wall_ms():
            return None
        return _Note(int(until_ms), text)


def _text(note: _Note | None) -> str | None:
    return None if note is None else note.text
