"""Events of a stream found by their time."""

from openfelt.storage.door import Head, Store


def last_before(store: Store, stream: str, head: Head, at_ms: int) -> tuple[int, int | None]:
    """The last version before a time, by binary search, and the time of the event after it."""
    low, high, next_ms = 0, head.version, None
    while low < high:
        middle = (low + high + 1) // 2
        event = next(iter(store.events(stream, after=middle - 1, up_to=middle)), None)
        if event is None or event.at_ms < at_ms:
            # What is missing here is in an archive, and so is older.
            low = middle
        else:
            high = middle - 1
            next_ms = event.at_ms
    return low, next_ms
