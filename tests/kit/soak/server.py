"""A server for a soak, as a program: a starter floor on loopback whose callers are all limited.

A local server spares this machine its rate limits. A soak is to show what they do to strangers, so
here they apply to every address; each caller comes from its own address below 127.0.0.0/8.
"""

import sys
from pathlib import Path

from openfelt.server.monitoring.logs import configure_logging
from openfelt.server.process.listener import bind, run_until_ended
from openfelt.server.settings import Limits, Settings


def main(folder: str, port: str) -> None:
    """Serve until a signal comes."""
    configure_logging("json")
    limits = Limits(spare_loopback=False)
    database = str(Path(folder) / "felt.db")
    settings = Settings(
        database=database,
        port=int(port),
        limits=limits,
        # As `openfelt serve` does by itself: the mathematics runs in processes beside the server.
        compile_ahead=True,
        supervisor_password="seven green felt tables",
    )
    run_until_ended(settings, bind(settings.host, settings.port), lambda _: None)


if __name__ == "__main__":
    main(*sys.argv[1:3])
