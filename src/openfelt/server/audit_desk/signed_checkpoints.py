"""The last checkpoints of the notary, found without reading all of them."""

from typing import Final

from openfelt.storage.door import Checkpoint, Store

SHOWN_MAX: Final = 25
"""How many checkpoints are shown."""


class SignedCheckpoints:
    """The checkpoints of one store. All calls block."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._last = 0

    def newest(self) -> list[Checkpoint]:
        """The last checkpoints, the newest first. They are numbered from 1 without a gap."""
        step = SHOWN_MAX
        while self._is_there(self._last + step):
            self._last += step
            step *= 2
        while step > 1:
            step //= 2
            if self._is_there(self._last + step):
                self._last += step
        if self._is_there(self._last + 1):
            self._last += 1
        checkpoints = list(self._store.checkpoints(after=max(0, self._last - SHOWN_MAX)))
        return checkpoints[::-1][:SHOWN_MAX]

    def _is_there(self, number: int) -> bool:
        return next(self._store.checkpoints(after=number - 1), None) is not None
