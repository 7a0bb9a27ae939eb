"""A store at the start of a process: secrets encrypted, appends authentic, keys of rounds there."""

import contextlib
import logging

from openfelt.runtime.clock import SystemClock
from openfelt.runtime.streams import StreamKind, name_of, names_in
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Damaged, KeyFailure, KeyLost, Store
from openfelt.storage.event_forms import EventCodec

logger = logging.getLogger(__name__)


def prepare_store(store: Store, codec: EventCodec) -> None:
    """Encrypt what earlier versions have stored as plain text, and authenticate every append.

    Raises KeyFailure if there is no key and none can be made, and KeyMissing if the key of a
    round in progress is not there.
    """
    store.prepare_keys()
    before = store.authentication()
    begun = store.authenticate(SystemClock().wall_ms())
    if before is None and begun.streams:
        logger.warning(
            "appends are authentic from now on; %d events of %d streams were written before",
            begun.events,
            begun.streams,
        )
    store.check_numbers()
    _check_lost_keys(store, codec)
    missing = store.missing_keys()
    if missing:
        for table in names_in(store, StreamKind.TABLE):
            with contextlib.suppress(Damaged, CodecError):
                # A record that cannot be read stops its own table only.
                recover(store, codec, table)
        logger.error(
            "old cards are encrypted with the keys %s, which are missing: their rounds can be "
            "neither proved nor audited. If they are permanently lost, run openfelt keys lost",
            ", ".join(missing),
        )


def _check_lost_keys(store: Store, codec: EventCodec) -> None:
    """Refuse to start where a round still needs a key that was declared lost."""
    for key in store.lost_keys():
        for stream in store.secrets_under(key, StreamKind.TABLE.prefix):
            try:
                recover(store, codec, name_of(stream))
            except (KeyLost, Damaged) as error:
                raise KeyFailure(
                    f"{error} Its round was not voided yet: run openfelt keys lost --key {key} on "
                    "the database again."
                ) from error
