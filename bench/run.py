"""Runs every benchmark in this folder, one after another.

A benchmark is a module called ``bench_<name>.py`` with a function ``main()`` that prints its
measurements. Names on the command line select some of them: ``python bench/run.py evaluator``.
"""

import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
PREFIX = "bench_"


def benchmark_names() -> list[str]:
    """The names of all benchmarks in the order in which they run."""
    return sorted(path.stem.removeprefix(PREFIX) for path in FOLDER.glob(f"{PREFIX}*.py"))


def load_main(name: str) -> Callable[[], object]:
    """The ``main`` function of the benchmark called ``name``."""
    path = FOLDER / f"{PREFIX}{name}.py"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path.name} cannot be loaded.")
    module = importlib.util.module_from_spec(spec)
    # Worker processes find a benchmark's functions by the name of its module.
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    main: Callable[[], object] = module.main
    return main


def run(wanted: Sequence[str]) -> int:
    """Runs the ``wanted`` benchmarks, or all of them, and returns the exit code."""
    names = benchmark_names()
    unknown = sorted(set(wanted) - set(names))
    if unknown:
        print(f"No benchmark is called {', '.join(unknown)}.", file=sys.stderr)
        print(f"There are: {', '.join(names) or 'none'}.", file=sys.stderr)
        return 2
    if not names:
        print("There are no benchmarks yet.")
    for name in wanted or names:
        title = name.replace("_", " ")
        print(f"\n{title}\n{'-' * len(title)}", flush=True)
        load_main(name)()
    from bench import aims  # the root of the repository is on the path by now

    if rows := aims.table():
        print(f"\n{rows}")
    return 0


if __name__ == "__main__":
    # Benchmarks run from the root of the repository, as they would by hand.
    sys.path.insert(0, str(FOLDER.parent))
    sys.exit(run(sys.argv[1:]))
