"""Events of a version of Openfelt that does not exist yet, as an upgraded server writes them."""

from openfelt.storage.door import Append, Cause, Commit, NewEvent, Store

NEWER_SCHEMA = 9
"""The version of their forms."""


def write_newer_event(store: Store, stream: str, name: str) -> int:
    """Append an event of a newer version, with a correct chain and code; gives its version."""
    event = NewEvent(
        name=name, schema=NEWER_SCHEMA, body="{}", cause=Cause(actor="system:openfelt")
    )
    head = store.head(stream)
    append = Append(stream=stream, expected_version=head.version, events=(event,))
    return store.commit(Commit(at_ms=head.at_ms, appends=(append,)))[stream].version
