"""The notary's files of a database: its key and the checkpoints that it has published."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openfelt.storage.door import Store


class NotaryFiles(NamedTuple):
    """Where a notary keeps its key, and where it publishes."""

    key: Path
    published: Path

    @property
    def public_key(self) -> Path | None:
        """The file of the public key beside the key, or None."""
        from openfelt.runtime.notary.keys import PUBLIC_SUFFIX

        path = self.key.with_name(self.key.name + PUBLIC_SUFFIX)
        return path if path.exists() else None

    def public_keys(self) -> list[str]:
        """The public key, as checkpoints name it, where its file is there; raises KeyFileError."""
        from openfelt.runtime.notary.keys import read_public_key

        return [read_public_key(path) for path in (self.public_key,) if path is not None]


def notary_files(address: str, store: "Store", published: Path | None = None) -> NotaryFiles:
    """The files that ``openfelt serve`` uses for a database, or another published file."""
    from openfelt.cli.data_folder import data_folder
    from openfelt.server.store.notary_task import key_file, key_in_use, published_file

    key = key_in_use(key_file(address, data_folder(None, os.environ)), store)
    return NotaryFiles(key, published or published_file(key))
