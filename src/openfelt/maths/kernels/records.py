"""Records: many arrays and numbers passed to kernels as one argument.

Data of a fixed size is a NumPy record: one pointer, however many tables it holds, whose fields are
accessed the same way in plain Python. Kernels cannot allocate records, so callers pass in their
working space too. Arrays whose size depends on the deck or on a strategy are passed in a
NamedTuple, which Numba unpacks at compile time.
"""

import numpy as np


def new_record(layout: np.dtype[np.void]) -> np.record:
    """Make a record of zeros.

    >>> record = new_record(np.dtype([("deck", np.int64, (52,)), ("hands", np.int64)]))
    >>> record.deck[:2] = 7, 8
    >>> int(record.deck[1]), int(record.hands)
    (8, 0)
    """
    return np.zeros(1, dtype=layout).view(np.recarray)[0]  # type: ignore[no-any-return]
