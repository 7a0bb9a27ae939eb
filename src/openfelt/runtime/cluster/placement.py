"""The placement of tables on processes: a pure function of the tables and the processes.

Every process computes it from the store. Two that have read the store at different moments may
disagree; the leases decide, so they only try again a moment later.
"""

import hashlib
from collections.abc import Mapping, Sequence


def placed(owners: Mapping[str, str | None], members: Sequence[str]) -> dict[str, str]:
    """The process that should run each table, given the one that runs it now; None if none does.

    No process gets more than one table more than another, as few tables as possible move, and a
    table goes to the process with the highest hash of both names (rendezvous hashing). Without
    processes, no table has one.

    >>> placed({"a": "east", "b": "east", "c": None}, ["east", "west"])
    {'a': 'east', 'b': 'east', 'c': 'west'}
    """
    if not members:
        return {}
    held: dict[str, list[str]] = {member: [] for member in sorted(members)}
    free: list[str] = []
    for table, owner in sorted(owners.items()):
        held.get(owner or "", free).append(table)
    room = _room(held, len(owners))
    places: dict[str, str] = {}
    for member, tables in held.items():
        kept = sorted(tables, key=lambda table: _weight(table, member), reverse=True)
        places.update(dict.fromkeys(kept[: room[member]], member))
        free += kept[room[member] :]
        room[member] -= min(len(kept), room[member])
    for table in sorted(free):
        best = max(
            (member for member in room if room[member]), key=lambda member: _weight(table, member)
        )
        places[table] = best
        room[best] -= 1
    return dict(sorted(places.items()))


def _room(held: Mapping[str, Sequence[str]], tables: int) -> dict[str, int]:
    """How many tables each process may run; the remainder goes to those that run most already."""
    share, left_over = divmod(tables, len(held))
    busiest = sorted(held, key=lambda member: -len(held[member]))
    return {member: share + (place < left_over) for place, member in enumerate(busiest)}


def _weight(table: str, member: str) -> bytes:
    return hashlib.sha256(f"{member}\n{table}".encode()).digest()
