"""The file in which an audit keeps how far it has come, out of reach of the database.

It is encrypted and authenticated with the keys of secret cards, which are not in the database: a
database administrator cannot write a state in which forged history counts as checked. It holds
tables in the middle of rounds, so it must not be readable either.
"""

import os
import secrets
from pathlib import Path
from typing import Final

from openfelt.runtime.audit.progress.progress_state import AuditState, NotResumable
from openfelt.storage.door import StoreError
from openfelt.storage.keyring import Ciphertext, Keyring

SUFFIX: Final = ".audited"
_STREAM: Final = "audit"
_NAME: Final = "state"


def load_state(path: Path, keyring: Keyring) -> AuditState | None:
    """The state that the last audit has left, or None; raises NotResumable."""
    try:
        text = path.read_text(encoding="ascii")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeError) as error:
        raise NotResumable(f"{path} cannot be read") from error
    encrypted = Ciphertext.parse(text.strip())
    try:
        return AuditState.from_json(keyring.decrypt(_STREAM, _NAME, encrypted))
    except StoreError as error:
        raise NotResumable(f"{path} was not written by an audit with these keys") from error


def save_state(path: Path, state: AuditState, keyring: Keyring) -> None:
    """Keep the state for the next audit; without keys, nothing is kept. Raises OSError."""
    if not keyring.ids:
        return
    encrypted = keyring.encrypt(_STREAM, _NAME, state.to_json(), packed=True)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{encrypted.text}\n")
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
