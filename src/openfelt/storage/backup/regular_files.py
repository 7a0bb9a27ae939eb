"""Files of a folder that others can write: only regular ones are read."""

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path


def open_regular(path: Path) -> BufferedReader:
    """Open a file to read it; raises OSError for a pipe or a device, which may have no end."""
    # Opening a pipe would wait for its other end.
    file = os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb")
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "It is not a file")
    return file
