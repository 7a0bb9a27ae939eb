"""Texts that a server keeps for minutes: within one process, or for all processes of a house.

What a caller is given by one gateway, such as an approval, has to count at another one. So where
several processes serve a house, such texts are rows of the store. A row is sealed with a key of the
house, so that a person who may write to the database cannot make one.
"""

import asyncio
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Final, Protocol

from openfelt.runtime.clock import Clock
from openfelt.storage.door import Store, StoreError
from openfelt.storage.keyring import Encrypted, Keyring

LOCAL_MAX: Final = 10_000
"""How many texts of one kind are kept within a process, the newest ones."""
_ATTEMPTS_MAX: Final = 5


class Notes(Protocol):
    """Texts by kind and name, each for a limited time. All methods may raise StoreError."""

    async def put(self, kind: str, name: str, text: str, *, ttl_ms: int) -> None:
        """Keep a text, instead of one of the same name."""
        ...

    async def get(self, kind: str, name: str) -> str | None:
        """A text whose time is not over."""
        ...

    async def take(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; of several callers, one gets it."""
        ...

    async def change(self, kind: str, name: str, change: Callable[[str], str]) -> str | None:
        """Replace a text by what ``change`` makes of it, and return that; None if there is none.

        ``change`` may be called several times, and may raise to leave the text as it is.
        """
        ...


class LocalNotes:
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


class StoredNotes:
    """Texts of all processes that share a store."""

    def __init__(self, store: Store, keyring: Keyring) -> None:
        self._store = store
        self._keyring = keyring

    async def put(self, kind: str, name: str, text: str, *, ttl_ms: int) -> None:
        """Keep a text, instead of one of the same name."""
        sealed = self._sealed(kind, name, text)
        await asyncio.to_thread(self._store.put_note, kind, name, sealed, ttl_ms=ttl_ms)

    async def get(self, kind: str, name: str) -> str | None:
        """A text whose time is not over."""
        return self._opened(kind, name, await asyncio.to_thread(self._store.note, kind, name))

    async def take(self, kind: str, name: str) -> str | None:
        """Remove a text and return it; of several processes, one gets it."""
        return self._opened(kind, name, await asyncio.to_thread(self._store.take_note, kind, name))

    async def change(self, kind: str, name: str, change: Callable[[str], str]) -> str | None:
        """Replace a text by what ``change`` makes of it, unless another process was faster."""
        for _ in range(_ATTEMPTS_MAX):
            before = await asyncio.to_thread(self._store.note, kind, name)
            text = self._opened(kind, name, before)
            if before is None or text is None:
                return None
            changed = change(text)
            sealed = self._sealed(kind, name, changed)
            if changed == text or await asyncio.to_thread(
                self._store.swap_note, kind, name, before=before, after=sealed
            ):
                return changed
        return None

    def _sealed(self, kind: str, name: str, text: str) -> str:
        encrypted = self._keyring.encrypt(f"note/{kind}", name, text)
        return f"{encrypted.key}:{encrypted.body}"

    def _opened(self, kind: str, name: str, sealed: str | None) -> str | None:
        """A text; None for one that no process of the house has sealed under this name."""
        if sealed is None:
            return None
        key, _, body = sealed.partition(":")
        try:
            return self._keyring.decrypt(f"note/{kind}", name, Encrypted(key, body))
        except StoreError:
            return None
