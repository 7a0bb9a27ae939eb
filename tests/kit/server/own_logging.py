"""Logging that a test configures as a server does, and that no later test is to notice."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_logging() -> Iterator[None]:
    """Afterwards the handlers, and the levels of all loggers, are what they were.

    A server sets the levels of some loggers besides the root's. Levels are set back by their
    method, since each logger remembers what it lets through until the method is called.
    """
    root = logging.getLogger()
    handlers, levels = list(root.handlers), {name: logger.level for name, logger in _loggers()}
    root_level = root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(root_level)
        for name, logger in _loggers():
            logger.setLevel(levels.get(name, logging.NOTSET))


def _loggers() -> list[tuple[str, logging.Logger]]:
    """All loggers but the root."""
    known = logging.Logger.manager.loggerDict.items()
    return [(name, logger) for name, logger in known if isinstance(logger, logging.Logger)]
