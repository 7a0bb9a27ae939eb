"""``openfelt serve`` opens a casino floor for browsers."""

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import HousesFolder
from openfelt.cli.records.database import VARIABLE, usual_address

if TYPE_CHECKING:
    from openfelt.server.settings import Settings


DatabaseAddress = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar=VARIABLE,
        help="Where everything is kept: sqlite:///file.db or postgresql://host/name. "
        "Without it, a file in your data folder.",
    ),
]
Port = Annotated[int, typer.Option(min=1, max=65535, help="The port to listen on.")]
Starter = Annotated[
    bool,
    typer.Option("--starter/--no-starter", help="Put tables to try on an empty database, or none."),
]
PlayMoney = Annotated[
    bool | None,
    typer.Option(
        "--play-money/--no-play-money",
        help="Let guests in, with play money. Without a word, as the starter floor is.",
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME", help="A name by which browsers may reach the server; may be repeated."
    ),
]
LogForm = Annotated[
    str | None, typer.Option(help="json or plain; plain where somebody sits at the terminal.")
]
AccountName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ask for a new password of this account, set it, and leave. Where there is no "
        "supervisor yet, the account becomes one.",
    ),
]


def serve(
    database: DatabaseAddress = None,
    houses: HousesFolder = None,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Port = 8080,
    starter: Starter = True,
    play_money: PlayMoney = None,
    allow_host: HostNames = None,
    log: LogForm = None,
    set_password: AccountName = None,
) -> None:
    """Open a casino floor: tables, accounts, history and proofs, in the browser."""
    from openfelt.cli.data_folder import data_folder
    from openfelt.server.process.logs import begin_logging
    from openfelt.server.process.notary_task import key_file
    from openfelt.server.settings import Settings

    if log not in (None, "json", "plain"):
        raise typer.BadParameter("write json or plain", param_hint="--log")
    url = database or usual_address(os.environ)
    settings = Settings(
        database=url,
        houses=houses,
        host=host,
        port=port,
        starter=starter,
        play_money=starter if play_money is None else play_money,
        hosts=frozenset(name.lower() for name in allow_host or ()),
        supervisor_password=os.environ.get("OPENFELT_SUPERVISOR_PASSWORD"),
        notary_key=key_file(url, data_folder(None, os.environ)),
    )
    begin_logging(log or ("plain" if sys.stderr.isatty() else "json"))
    if set_password is not None:
        change_password(settings, set_password)
    else:
        run(settings)


def run(settings: "Settings") -> None:
    """Serve until somebody ends it."""
    from openfelt.catalog import CatalogError
    from openfelt.server.process.listener import CannotListen, bind, run_until_ended
    from openfelt.server.services import DefaultCredentials
    from openfelt.storage.door import StoreError

    try:
        bound = bind(settings.host, settings.port)
    except CannotListen as error:
        raise Complaint(str(error)) from error
    try:
        run_until_ended(settings, bound, lambda: say_what_to_try(settings))
    except (CatalogError, DefaultCredentials) as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    except StoreError as error:
        raise Complaint(str(error)) from error
    finally:
        bound.close()
    typer.echo("Closed. Rounds in progress go on when the server is started again.")


def say_what_to_try(settings: "Settings") -> None:
    """Print the address, and what to do first."""
    host = settings.host
    name = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    shown = f"[{name}]" if ":" in name else name
    lines = [f"Openfelt is open at http://{shown}:{settings.port}"]
    if settings.starter:
        lines += [
            "",
            "Things to try:",
            "  Sit down at a stadium table, put chips on Ante and Trips, and wait for the clock.",
            "  Play a private table of your own, without a clock.",
            "  Bet on the progressive at washington-1, which feeds the house's link.",
            "  Bank a round yourself at california-1, or draw against the house way at draw-1.",
            "  Look at a finished round in the history, and let its proof be verified.",
            "",
        ]
    if settings.play_money:
        lines.append("Guests get play money at once. Nothing here is worth anything.")
    lines.append(f"Everything is kept in {kept_in(settings.database)}. Ctrl+C closes the floor.")
    typer.echo("\n".join(lines))


def kept_in(database: str) -> str:
    """Where everything is kept, without the password that an address may hold.

    >>> kept_in("postgresql://ann:secret@db.example/felt")
    'a PostgreSQL database'
    """
    from openfelt.server.process.single_instance import sqlite_file

    file = sqlite_file(database)
    return "a PostgreSQL database" if file is None else str(file)


def change_password(settings: "Settings", name: str) -> None:
    """Ask for a password, twice at a terminal, and set it."""
    from openfelt.server.accounts.set_password import set_password
    from openfelt.server.http.errors import Denied
    from openfelt.storage.door import StoreError

    if sys.stdin.isatty():
        password = typer.prompt("New password", hide_input=True, confirmation_prompt=True)
    else:
        password = sys.stdin.readline().rstrip("\n")
    try:
        new = set_password(settings.database, name, password)
    except (Denied, LookupError) as error:
        raise Complaint(str(error.args[0]), ExitCode.WRONG_INPUT) from error
    except StoreError as error:
        raise Complaint(str(error)) from error
    said = f"{name} is the supervisor now" if new else f"The password of {name} is set"
    typer.echo(f"{said}. Whoever was signed in with it has to sign in again.")
