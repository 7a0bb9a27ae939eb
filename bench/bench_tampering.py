"""A random tamperer over every table and column of a database, and what the audit finds of it.

``OPENFELT_TAMPER_EACH`` sets how often each column is altered, ``OPENFELT_TAMPER_SEED`` the seed.
Printed is what was found and what was not, by table and column. What was not found is explained in
docs/internals/durability.md; the run fails if anything is not found that is not explained there.
"""

import asyncio
import os
import secrets
import sys
import tempfile
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.kit.postgres_server import postgres_server

EACH = 6
DAMAGES = 40


def main() -> None:
    """Tamper with a SQLite and a PostgreSQL database, and with an old one."""
    # Databases of the benchmark are encrypted with a key of their own, which is thrown away.
    os.environ["OPENFELT_KEYS"] = f"{secrets.token_hex(4)}:{secrets.token_hex(32)}"
    from tests.kit.audit.tampered_houses import archived_house, old_house, played_house
    from tests.kit.audit.tampering_runs import Outcome, PostgresRun, SqliteRun, run_all
    from tests.kit.storage.store_places import Place

    each = int(os.environ.get("OPENFELT_TAMPER_EACH", EACH))
    seed = int(os.environ.get("OPENFELT_TAMPER_SEED", secrets.randbelow(2**32)))
    print(f"seed {seed}")
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    failed = False
    with tempfile.TemporaryDirectory() as name, postgres_server() as server, bar:
        folder = Path(name)
        sqlite_house = asyncio.run(played_house(folder, Place(folder / "felt.db")))
        postgres_folder, old_folder = folder / "postgres", folder / "old"
        archived_folder = folder / "archived"
        for made in (postgres_folder, old_folder, archived_folder):
            made.mkdir()
        postgres_house = asyncio.run(
            played_house(postgres_folder, Place(server.fresh_database(), server))
        )
        old = asyncio.run(old_house(old_folder))
        runs: dict[str, SqliteRun | PostgresRun] = {
            "SQLite": SqliteRun(sqlite_house, folder, seed=seed),
            "SQLite, of version 0.1": SqliteRun(old, old_folder, seed=seed),
            "SQLite, with an archive": SqliteRun(
                archived_house(archived_folder), archived_folder, seed=seed
            ),
            "PostgreSQL": PostgresRun(postgres_house, server, seed=seed),
        }
        for title, run in runs.items():
            outcome = Outcome()
            total = sum(1 for _ in run.tamperer.alterations(each))
            damages = DAMAGES if isinstance(run, SqliteRun) else 0
            task = bar.add_task(title, total=total + damages)
            run_all(run, outcome, each=each, done=partial(bar.advance, task))
            for _ in range(damages):
                if isinstance(run, SqliteRun):
                    run.damage(outcome)
                bar.advance(task)
            print(f"\n{title}\n" + "\n".join(outcome.lines()))
            failed = failed or bool(outcome.unexplained)
            for alteration in outcome.unexplained:
                print(f"NOT FOUND: {alteration.kind}: {alteration.statement[:200]}")
    if failed:
        sys.exit(f"Failed. OPENFELT_TAMPER_SEED={seed} repeats it.")


if __name__ == "__main__":
    main()
