"""Records: many arrays and numbers handed to kernels as one.

Kernels that play rounds call each other with dozens of tables. As separate arrays, or as
a tuple of arrays, each call would count references to every one of them, which costs
more than the round; a record is one pointer. Its fields read the same in plain Python.
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
