"""A small mutation run: plants one mistake at a time, and sees whether a test notices.

The mistakes are drawn by a seed from ``storage``, ``runtime``, ``table`` and ``rules``, in equal
parts. Each is made in a copy of the source, and the tests of its module run first, then those of
its package. ``OPENFELT_MUTANTS`` sets how many are tried, and ``OPENFELT_FIRST_SEED`` the seed.
A survivor is either a hole in the tests or a mistake without an effect; it is printed, to be
looked at by a person.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.kit.mutation.mutants import Mutant, mutants_of, source_of
from tests.kit.repository import ROOT

MUTANTS: Final = 40
TIMEOUT_SECONDS: Final = 600
PACKAGES: Final[dict[str, tuple[str, ...]]] = {
    "storage": ("tests/storage", "tests/contracts", "tests/old_databases"),
    "runtime": ("tests/runtime", "tests/independent", "tests/simulation/test_simulation.py"),
    "table": ("tests/table", "tests/properties", "tests/runtime/tables"),
    "rules": ("tests/rules", "tests/known_values", "tests/playthroughs", "tests/properties"),
}
"""The tests of each package, those first that notice most."""


def main() -> None:
    """Plant the mistakes, and print how many were noticed."""
    count = int(os.environ.get("OPENFELT_MUTANTS", MUTANTS))
    seed = int(os.environ.get("OPENFELT_FIRST_SEED", "1"))
    sample = _sample(count, seed)
    killed: Counter[str] = Counter()
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder, _progress() as bar:
        task = bar.add_task("mutants", total=len(sample), killed=0, survived=0)
        for package, mutant in sample:
            if _noticed(package, mutant, Path(folder)):
                killed[package] += 1
            else:
                survivors.append(mutant)
                bar.console.print(_words(mutant), markup=False, highlight=False)
            bar.update(task, advance=1, killed=killed.total(), survived=len(survivors))
    print(f"{len(sample)} mutants, seed {seed}")
    tried = Counter(package for package, _ in sample)
    for package, number in tried.items():
        survived = number - killed[package]
        print(f"{package:8} {killed[package]:>4} killed  {survived:>4} survived")
    print(f"{'all':8} {killed.total():>4} killed  {len(survivors):>4} survived")
    for mutant in survivors:
        print(_words(mutant))


def _sample(count: int, seed: int) -> list[tuple[str, Mutant]]:
    """Mutants by turns from each package, drawn by the seed."""
    random = Random(seed)
    drawn: list[tuple[str, Mutant]] = []
    for number, package in enumerate(PACKAGES):
        files = sorted((ROOT / "src" / "openfelt" / package).rglob("*.py"))
        mutants = [mutant for file in files for mutant in mutants_of(file)]
        share = count // len(PACKAGES) + (number < count % len(PACKAGES))
        drawn += [(package, mutant) for mutant in random.sample(mutants, share)]
    random.shuffle(drawn)
    return drawn


def _noticed(package: str, mutant: Mutant, folder: Path) -> bool:
    """Whether a test fails, or does not end, with this mistake in the source."""
    source = folder / "src"
    if not source.exists():
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    inside = mutant.path.relative_to(ROOT / "src")
    changed = source / inside
    changed.write_text(source_of(mutant), "utf-8")
    try:
        return any(_fails(tests, source) for tests in _tests(package, inside))
    finally:
        shutil.copy(mutant.path, changed)


def _tests(package: str, module: Path) -> list[list[str]]:
    """The tests of the module itself, and then those of its package."""
    own = Path("tests", *module.parts[1:-1], f"test_{module.stem}.py")
    first = [[str(own)]] if (ROOT / own).exists() else []
    return [*first, [path for path in PACKAGES[package] if (ROOT / path).exists()]]


def _fails(tests: list[str], source: Path) -> bool:
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "2", "-p", "no:cacheprovider"]
    environment = dict(os.environ) | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            [*command, *tests],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return True
    return run.returncode != 0


def _words(mutant: Mutant) -> str:
    return f"  {mutant.path.relative_to(ROOT)}:{mutant.line}: {mutant.what}"


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[killed]} killed, {task.fields[survived]} survived"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )


if __name__ == "__main__":
    main()
