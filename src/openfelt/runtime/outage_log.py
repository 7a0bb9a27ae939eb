"""Outages in the log: one line when something cannot be done, and one when it can again.

Chores are tried again several times a second. An outage of the store would otherwise hide behind
thousands of lines what else has happened.
"""

import logging

from openfelt.storage.door import Unavailable


class OutageLog:
    """The lines of one chore.

    >>> outage = OutageLog(logging.getLogger("openfelt.example"), "meters are not read")
    >>> outage.failed(Unavailable("The disk is full."))
    >>> outage.told
    'The disk is full.'
    >>> outage.over()
    >>> outage.told
    ''
    """

    def __init__(self, logger: logging.Logger, sentence: str) -> None:
        """``sentence`` says what cannot be done."""
        self._logger = logger
        self._sentence = sentence
        self.told = ""
        """The reason that the log has, empty while there is none."""

    def failed(self, error: Exception) -> None:
        """Log why it cannot be done, unless the log has that already."""
        # The details of a lost connection differ from one attempt to the next.
        reason = error.sentence if isinstance(error, Unavailable) else str(error)
        if reason != self.told:
            self._logger.warning("%s: %s", self._sentence, error)
            self.told = reason

    def over(self) -> None:
        """Log that it can be done again, if it could not."""
        if self.told:
            self._logger.warning("over: %s", self._sentence)
            self.told = ""
