"""How a simulation fails: with what was violated, where, and the command that repeats it."""


class SimulationFailure(BaseException):
    """Something happened that must never happen at a table with real money.

    Nothing of ours may catch it, as a worker does with an unexpected error of its store.
    """

    def __init__(self, check: str, sentence: str) -> None:
        super().__init__(check, sentence)
        self.check = check
        """A short name of what was violated."""
        self.sentence = sentence
        self.seed: int | None = None
        self.steps = 0
        self.step = 0

    def at(self, *, seed: int, steps: int, step: int) -> "SimulationFailure":
        """The failure with where it happened."""
        self.seed, self.steps, self.step = seed, steps, step
        return self

    def __str__(self) -> str:
        if self.seed is None:
            return f"{self.check}: {self.sentence}"
        return (
            f"{self.check}: {self.sentence}\n"
            f"It happened in seed {self.seed} at step {self.step} of {self.steps}. "
            f"This repeats it:\n  {repeat_command(self.seed, self.steps)}"
        )


def repeat_command(seed: int, steps: int) -> str:
    """The command that runs one seed again.

    >>> repeat_command(4711, 2000)
    '.venv/bin/python -m tests.simulation --seed 4711 --steps 2000'
    """
    return f".venv/bin/python -m tests.simulation --seed {seed} --steps {steps}"


def require(condition: bool, check: str, sentence: str) -> None:
    """Fail where a condition does not hold."""
    if not condition:
        raise SimulationFailure(check, sentence)
