"""The cards of recent commands by their ids, so that an id is not used again for another card.

The record has a digest of each command without its cards, which would be guessed from it. So the
cards of a command that was carried out are only remembered, as a hash, and only for a while: a
dealer's terminal or a card reader that repeats a command does so within seconds.
"""

import threading
from collections import OrderedDict
from typing import Final

from openfelt.storage.door import CommandKey

COMMANDS_MAX: Final = 20_000
"""How many commands are remembered; a full table deals less than a hundred cards a round."""
USED_UP: Final = ""
"""Instead of the hash of an id that was used for other cards; no command has it."""


class CardCommands:
    """Hashes of the last commands with cards. Threads may share it."""

    def __init__(self, *, commands_max: int = COMMANDS_MAX) -> None:
        self._max = commands_max
        self._hashes: OrderedDict[tuple[str, CommandKey], str] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, stream: str, key: CommandKey, with_cards: str) -> None:
        """Remember a command, and forget the oldest ones if there are too many."""
        with self._lock:
            self._add(stream, key, with_cards)

    def is_same(
        self, stream: str, key: CommandKey, *, first: str | None, asked: str | None
    ) -> bool:
        """Whether a repeated command has its first cards, if they are known.

        An id that came with other cards is used up: trying every card would reveal the right one,
        which may lie face down.
        """
        with self._lock:
            earlier = self._hashes.get((stream, key), first)
            if earlier is None or earlier == asked:
                return True
            self._add(stream, key, USED_UP)
            return False

    def _add(self, stream: str, key: CommandKey, with_cards: str) -> None:
        self._hashes[stream, key] = with_cards
        self._hashes.move_to_end((stream, key))
        while len(self._hashes) > self._max:
            self._hashes.popitem(last=False)
