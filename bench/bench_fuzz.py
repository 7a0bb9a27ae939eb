"""A fuzzer of WebSocket frames and of HTTP bytes against a real server on the loopback address.

``OPENFELT_FUZZ_INPUTS`` sets the number of inputs, ``OPENFELT_FUZZ_SEED`` the seed. Printed are the
seed, what was sent and what came of it. The run fails if a request is answered with 500, the server
logs an error or ends, its memory grows beyond a bound, or a table no longer answers a terminal
that behaves.
"""

import asyncio
import os
import secrets
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.kit.attacks.server_under_attack import attacked_server
from tests.kit.fuzz.wire_fuzzer import FuzzReport, WireFuzzer

INPUTS = 100_000


def main() -> None:
    """Send the inputs, and print what came of them."""
    inputs = int(os.environ.get("OPENFELT_FUZZ_INPUTS", INPUTS))
    seed = int(os.environ.get("OPENFELT_FUZZ_SEED", secrets.randbelow(2**32)))
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            report = fuzz(Path(folder), seed, inputs)
        except AssertionError as error:
            sys.exit(f"The server did not end in good order (seed {seed}): {error}")
    seconds = time.perf_counter() - began
    print("\n".join(report.lines()))
    print(f"  {report.sent.total() / seconds:,.0f} inputs a second")
    if report.faults:
        sys.exit(f"Failed. OPENFELT_FUZZ_SEED={seed} repeats it.")
    print("The server went on.")


def fuzz(folder: Path, seed: int, inputs: int) -> FuzzReport:
    """One run on its own server."""
    bar = Progress(
        TextColumn("inputs"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    with attacked_server(folder, must_be_clean=False) as server, bar:
        task = bar.add_task("inputs", total=inputs)
        fuzzer = WireFuzzer(server, seed=seed, inputs=inputs)
        return asyncio.run(fuzzer.run(lambda count: bar.advance(task, count)))


if __name__ == "__main__":
    main()
