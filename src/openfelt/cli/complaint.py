"""Complaints: errors that end a command with a sentence on stderr and an exit code."""

from openfelt.cli.exit_codes import ExitCode


class Complaint(Exception):
    """The command cannot continue.

    >>> str(Complaint("There is no such file.")), Complaint("No.").exit_code
    ('There is no such file.', <ExitCode.FAILED: 1>)
    """

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def wrong_input(error: ValueError) -> Complaint:
    """A complaint with the message of a failed check.

    >>> str(wrong_input(ValueError("no such thing")))
    'No such thing.'
    """
    text = str(error)
    return Complaint(f"{text[:1].upper()}{text[1:].rstrip('.')}.", ExitCode.WRONG_INPUT)
