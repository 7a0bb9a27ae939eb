"""``openfelt serve`` runs a server for browsers and programs."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import VARIABLE, check_folder, usual_address
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import DOLLARS_MAX, HousesFolder, KeepDecks, KeepProofs

if TYPE_CHECKING:
    from openfelt.server.settings import ClusterSettings, Settings


DatabaseAddress = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        envvar=VARIABLE,
        help="The database: sqlite:///file.db or postgresql://host/name. "
        "The default is a file in your data folder.",
    ),
]
Host = Annotated[str, typer.Option(envvar="OPENFELT_HOST", help="The address to listen on.")]
Port = Annotated[
    int, typer.Option(min=1, max=65535, envvar="OPENFELT_PORT", help="The port to listen on.")
]
Starter = Annotated[
    bool,
    typer.Option(
        "--starter/--no-starter", help="Whether to set up sample tables in an empty database."
    ),
]
PlayMoney = Annotated[
    bool | None,
    typer.Option(
        "--play-money/--no-play-money",
        help="Admit guests, with play money. The default follows --starter.",
    ),
]
HostNames = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        envvar="OPENFELT_ALLOW_HOST",
        help="A host name under which browsers reach the server; may be repeated.",
    ),
]
LogForm = Annotated[
    str | None,
    typer.Option(help="The log format, json or plain. The default is plain on a terminal."),
]
AccountName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Ask for a new password for this account, set it, and exit. If there is no "
        "supervisor yet, the account becomes one.",
    ),
]
FactorName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="Remove the codes and passkeys of this account, whose owner has lost them, and exit.",
    ),
]
SecondFactor = Annotated[
    bool | None,
    typer.Option(
        "--second-factor/--no-second-factor",
        help="Whether staff need a second factor, one-time codes or a passkey. The default is yes, "
        "except for a server that only this machine reaches.",
    ),
]
CompileAhead = Annotated[
    bool,
    typer.Option(
        "--compile/--no-compile",
        envvar="OPENFELT_COMPILE",
        help="Compile the mathematics in the background at the first start on this machine.",
    ),
]


Vouchers = Annotated[
    bool,
    typer.Option(
        "--vouchers/--no-vouchers",
        envvar="OPENFELT_VOUCHERS",
        help="Whether terminals of the house issue and accept vouchers.",
    ),
]
VoucherDays = Annotated[
    int, typer.Option(min=1, max=3650, metavar="DAYS", help="How long a voucher is valid.")
]
PayoutLimit = Annotated[
    int,
    typer.Option(
        min=0,
        max=DOLLARS_MAX,
        metavar="DOLLARS",
        help="A payout in cash above this amount needs a supervisor.",
    ),
]


ApprovedSoftware = Annotated[
    str | None,
    typer.Option(
        "--software",
        metavar="FINGERPRINT",
        envvar="OPENFELT_SOFTWARE",
        help="Deal only if the program has this fingerprint, which openfelt software prints.",
    ),
]


VerifyHours = Annotated[
    int,
    typer.Option(
        "--verify-hours",
        min=0,
        max=8760,
        metavar="HOURS",
        envvar="OPENFELT_VERIFY_HOURS",
        help="How often the server verifies what is new in its record, 0 for never.",
    ),
]


CodeTable = Annotated[
    Path | None,
    typer.Option(
        "--card-codes",
        metavar="FILE",
        envvar="OPENFELT_CARD_CODES",
        help="A TOML file with the codes that barcode and RFID shoes send for cards.",
    ),
]


ArchivesFolder = Annotated[
    Path | None,
    typer.Option(
        "--archives",
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="The folder of archives whose rounds auditors can recall on their page.",
    ),
]
AlertsFile = Annotated[
    Path | None,
    typer.Option(
        "--alerts",
        metavar="FILE",
        envvar="OPENFELT_ALERTS",
        help="A TOML file with the limits at which alerts are raised.",
    ),
]


RoleOption = Annotated[
    str,
    typer.Option(
        "--role",
        metavar="ROLE",
        envvar="OPENFELT_ROLE",
        help="What this process does if several share the database: gateway (serves clients), "
        "tables (runs tables) or both.",
    ),
]
BusAddress = Annotated[
    str | None,
    typer.Option(
        "--bus",
        metavar="URL",
        envvar="OPENFELT_BUS",
        help="The bus of several processes on one database: nats://host:4222 or tls://host:4222.",
    ),
]
ProcessName = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="NAME",
        envvar="OPENFELT_NAME",
        help="The name of this process among those that share the database. Use the same name "
        "after a restart.",
    ),
]
LeaseSeconds = Annotated[
    int | None,
    typer.Option(
        "--lease",
        # It is renewed three times in that time. A terminal tries for 30 seconds to connect.
        min=2,
        max=30,
        metavar="SECONDS",
        envvar="OPENFELT_LEASE",
        help="After how many seconds of silence other processes take over this one's tables; by "
        "default 5 on PostgreSQL.",
    ),
]


def serve(
    database: DatabaseAddress = None,
    houses: HousesFolder = None,
    card_codes: CodeTable = None,
    alerts: AlertsFile = None,
    archives: ArchivesFolder = None,
    host: Host = "127.0.0.1",
    port: Port = 8080,
    starter: Starter = True,
    play_money: PlayMoney = None,
    allow_host: HostNames = None,
    second_factor: SecondFactor = None,
    keep_decks: KeepDecks = 90,
    keep_proofs: KeepProofs = None,
    vouchers: Vouchers = False,
    voucher_days: VoucherDays = 90,
    payout_limit: PayoutLimit = 3000,
    compile_ahead: CompileAhead = True,
    software: ApprovedSoftware = None,
    verify_hours: VerifyHours = 24,
    role: RoleOption = "both",
    bus: BusAddress = None,
    name: ProcessName = None,
    lease: LeaseSeconds = None,
    log: LogForm = None,
    set_password: AccountName = None,
    reset_second_factor: FactorName = None,
) -> None:
    """Serve a casino floor to browsers: tables, accounts, history and proofs."""
    from openfelt.cli.data_folder import data_folder
    from openfelt.server.monitoring.logs import configure_logging
    from openfelt.server.settings import CageSettings, Settings
    from openfelt.server.store.notary_task import key_file

    if log not in (None, "json", "plain"):
        raise typer.BadParameter("must be json or plain", param_hint="--log")
    url = database or _own_database()
    check_folder(url)
    settings = Settings(
        database=url,
        houses=houses,
        card_codes=card_codes,
        alerts=alerts,
        archives=archives,
        host=host,
        port=port,
        starter=starter,
        play_money=starter if play_money is None else play_money,
        hosts=frozenset(name.lower() for name in allow_host or ()),
        supervisor_password=os.environ.get("OPENFELT_SUPERVISOR_PASSWORD"),
        second_factor=second_factor,
        keep_decks_days=keep_decks,
        keep_proofs_days=keep_proofs,
        cage=CageSettings(
            vouchers=vouchers, voucher_days=voucher_days, payout_limit_cents=100 * payout_limit
        ),
        compile_ahead=compile_ahead,
        software=software,
        verify_hours=verify_hours,
        metrics_token=os.environ.get("OPENFELT_METRICS_TOKEN"),
        notary_key=key_file(url, data_folder(None, os.environ)),
        cluster=_cluster(role, bus, name, lease, folder=data_folder(None, os.environ)),
    )
    configure_logging(log or ("plain" if sys.stderr.isatty() else "json"))
    if set_password is not None:
        change_password(settings, set_password)
    elif reset_second_factor is not None:
        remove_second_factor(settings, reset_second_factor)
    else:
        run(settings)


def _cluster(
    role: str, bus: str | None, name: str | None, lease_seconds: int | None, *, folder: Path
) -> "ClusterSettings":
    """How this process works with others."""
    from openfelt.server.settings import ClusterSettings, ServerRole

    if role not in set(ServerRole):
        raise typer.BadParameter("must be both, gateway or tables", param_hint="--role")
    ca, certificate, key = (
        Path(file) if (file := os.environ.get(variable)) else None
        for variable in ("OPENFELT_BUS_CA", "OPENFELT_BUS_CERTIFICATE", "OPENFELT_BUS_KEY")
    )
    return ClusterSettings(
        role=ServerRole(role),
        bus=bus,
        name=name,
        folder=folder,
        lease_ms=None if lease_seconds is None else 1000 * lease_seconds,
        bus_ca=ca,
        bus_certificate=certificate,
        bus_key=key,
    )


def _own_database() -> str:
    """The address of the default database; the user's data folder is made if it is missing."""
    address = usual_address(os.environ)
    folder = Path(address).parent
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Complaint(f"{folder} cannot be made: {error.strerror}.") from error
    return address


def run(settings: "Settings") -> None:
    """Serve until the process is interrupted."""
    from openfelt.catalog import CatalogError
    from openfelt.runtime.shuffle.entropy_health import EntropyFailure
    from openfelt.server.process.listener import CannotListen, bind, run_until_ended
    from openfelt.server.self_check.software_checks import SoftwareChanged
    from openfelt.server.settings import SettingsError
    from openfelt.storage.door import StoreError

    try:
        settings.check()
    except SettingsError as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    try:
        bound = bind(settings.host, settings.port)
    except CannotListen as error:
        raise Complaint(str(error)) from error
    try:
        run_until_ended(settings, bound, lambda password: print_welcome(settings, password))
    except (CatalogError, SettingsError) as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    except StoreError as error:
        raise Complaint(str(error)) from error
    except SoftwareChanged as error:
        raise Complaint(
            f"The server has closed, because the program's files have changed: {error} Rounds in "
            "progress continue once it is installed again. See: openfelt software",
            ExitCode.FINDINGS,
        ) from error
    except EntropyFailure as error:
        raise Complaint(
            "The server deals no cards: the random numbers of this machine have failed their "
            f"self-test. {error}"
        ) from error
    finally:
        bound.close()
    typer.echo("Closed. Rounds in progress continue when the server is started again.")


def print_welcome(settings: "Settings", first_password: str | None = None) -> None:
    """Print the address, what to try first, and the supervisor's first password if it is new."""
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
            "  Deal a round yourself: the lobby opens the dealer's terminal of demo-1 in a window.",
            "  Look at a finished round in the history, and verify its proof.",
            "",
        ]
    if first_password is not None:
        lines += [
            "The supervisor's first password, which is shown only this once:",
            "",
            "  name      supervisor",
            f"  password  {first_password}",
            "",
            "Sign in with it, and choose your own. If it is lost before that:",
            "  openfelt serve --set-password supervisor",
            "",
        ]
    if settings.play_money:
        lines.append("Guests get play money, which is worth nothing.")
    lines.append(
        f"The database is {shown_database(settings.database)}. Press Ctrl+C to close the server."
    )
    typer.echo("\n".join(lines))


def shown_database(database: str) -> str:
    """A database as it is shown, without the password that an address may contain.

    >>> shown_database("postgresql://ann:secret@db.example/felt")
    'a PostgreSQL database'
    """
    from openfelt.server.store.single_instance import sqlite_file

    file = sqlite_file(database)
    return "a PostgreSQL database" if file is None else str(file)


def remove_second_factor(settings: "Settings", name: str) -> None:
    """Remove an account's second factor."""
    from openfelt.server.errors import Denied
    from openfelt.server.process.account_tools import reset_second_factor
    from openfelt.storage.door import StoreError

    try:
        reset_second_factor(settings.database, name)
    except Denied as error:
        raise Complaint(str(error.args[0]), ExitCode.WRONG_INPUT) from error
    except StoreError as error:
        raise Complaint(str(error)) from error
    typer.echo(
        f"The second factor of {name} is removed, and all sessions of this account have ended."
    )


def change_password(settings: "Settings", name: str) -> None:
    """Ask for a password, twice on a terminal, and set it."""
    from openfelt.server.errors import Denied
    from openfelt.server.process.account_tools import set_password
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
    done = f"{name} is the supervisor now" if new else f"The password of {name} is set"
    typer.echo(f"{done}. All sessions of this account have ended.")
