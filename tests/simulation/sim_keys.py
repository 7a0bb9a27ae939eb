"""The keys of simulated houses, which are never those of the person who runs the simulator.

Beside a file of keys, the store keeps a record of the places of databases. A simulated loss of
power moves the database to another file, which that record takes for a copy: the copy begins a new
epoch of codes while processes run, and a run would then depend on the files of its machine.
"""

import os
from contextlib import AbstractContextManager
from unittest import mock

from openfelt.storage.keyring import KEYS_VARIABLE


def simulated_keys() -> AbstractContextManager[object]:
    """Keys that are in no file, for as long as a seed runs."""
    return mock.patch.dict(os.environ, {KEYS_VARIABLE: f"00c0ffee:{'5a' * 32}"})
