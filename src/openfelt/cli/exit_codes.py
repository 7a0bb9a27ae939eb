"""Every exit code of the command line, in one place."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit status of a command."""

    OK = 0
    FAILED = 1
    """The command could not do its work."""
    WRONG_INPUT = 2
    """An option, a name or a file of rule data is wrong."""
    IN_USE = 3
    """Another game has the same saved profile open."""
    FINDINGS = 4
    """An audit has findings, a book does not balance, or a proof does not hold."""
    OUTPUT_CLOSED = 141
    """The reader of the output left early, as ``head`` does; shells report 128 + SIGPIPE for it."""
