"""A complaint ends a command: one sentence on stderr and an exit code, never a traceback."""

from openfelt.cli.exit_codes import ExitCode


class Complaint(Exception):
    """The command cannot go on.

    >>> str(Complaint("There is no such file.")), Complaint("No.").exit_code
    ('There is no such file.', <ExitCode.FAILED: 1>)
    """

    def __init__(self, sentence: str, exit_code: ExitCode = ExitCode.FAILED) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def wrong_input(error: ValueError) -> Complaint:
    """A complaint with what a check has said.

    >>> str(wrong_input(ValueError("no such thing")))
    'No such thing.'
    """
    text = str(error)
    return Complaint(f"{text[:1].upper()}{text[1:].rstrip('.')}.", ExitCode.WRONG_INPUT)
