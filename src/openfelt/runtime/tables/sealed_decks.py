"""The decks of a store at the start of a process: all sealed, and those in play with their keys."""

import logging

from openfelt.runtime.streams import StreamKind, names_in
from openfelt.runtime.tables.recovery import recover
from openfelt.storage.door import Store, StoreError
from openfelt.storage.event_forms import EventCodec

logger = logging.getLogger(__name__)


def seal_decks(store: Store, codec: EventCodec) -> None:
    """Seal decks that earlier versions have stored as plain text, and remove every trace of it.

    Raises KeyFailure if there is no key and none can be made, and KeyMissing if the key of a
    round in progress is not there.
    """
    store.prepare_seal()
    sealed = 0
    while resealed := store.reseal(StreamKind.TABLE.prefix, unsealed_only=True):
        sealed += resealed
    if sealed:
        logger.warning("%d decks are sealed now; the database is written anew", sealed)
        try:
            store.scrub(thoroughly=True)
        except StoreError as error:
            logger.error(
                "the plain text of old decks may be left in the files of the database: %s Run "
                "openfelt keys reseal once that is mended.",
                error,
            )
    missing = store.missing_keys()
    if missing:
        for table in names_in(store, StreamKind.TABLE):
            recover(store, codec, table)
        logger.error(
            "old cards are sealed with the keys %s, which are not there: their rounds can be "
            "neither proved nor audited",
            ", ".join(missing),
        )
