"""What tables are told of people: who is absent, and where each dealer is signed on.

A dealer is signed on at one table at a time. Workers run in threads of their own, so a dealer who
signs on at two tables at once is claimed by one of them under a lock, before anything is written.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import replace

from openfelt.rules.refusal import Refusal
from openfelt.table.permissions import Outside
from openfelt.table.refusal import TableCode

Absent = Callable[[str], Mapping[str, int]]
"""By the name of a table: for how many milliseconds its absent players have been gone."""


def none_absent(_: str) -> Mapping[str, int]:
    """Without terminals that are watched, no player is known to be absent."""
    return {}


class People:
    """What all tables of one process know of people."""

    def __init__(self, absent: Absent = none_absent) -> None:
        self._absent = absent
        self._lock = threading.Lock()
        self._dealers: dict[str, str] = {}
        """The dealer of each table that has one."""

    def ask_absent(self, absent: Absent) -> None:
        """Learn from this function which players are absent."""
        self._absent = absent

    def told(self, outside: Outside, table: str) -> Outside:
        """What a table is told from outside, with what concerns its people."""
        with self._lock:
            signed_on_at = {dealer: at for at, dealer in self._dealers.items()}
        return replace(outside, absent_ms=self._absent(table), signed_on_at=signed_on_at)

    def sign_on(self, dealer: str | None, table: str) -> None:
        """Claim a dealer for a table, or none; raises Refusal if another table has the dealer."""
        with self._lock:
            at = (other for other, name in self._dealers.items() if name == dealer)
            if dealer is not None and any(other != table for other in at):
                raise Refusal(
                    TableCode.SIGNED_ON_ELSEWHERE,
                    "This dealer is signed on at another table: sign off there.",
                )
            self._put(dealer, table)

    def keep(self, dealer: str | None, table: str) -> None:
        """Note the dealer of a table as its record has it, whatever was claimed."""
        with self._lock:
            self._put(dealer, table)

    def _put(self, dealer: str | None, table: str) -> None:
        if dealer is None:
            self._dealers.pop(table, None)
        else:
            self._dealers[table] = dealer
