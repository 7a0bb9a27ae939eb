"""``openfelt keys`` shows, rotates and applies the keys that encrypt secret cards."""

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import Database, open_database, usual_address
from openfelt.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from openfelt.runtime.notary.checkpoints import NamedHead
    from openfelt.storage.door import Store


class KeyTask(StrEnum):
    """The task of a key command."""

    SHOW = "show"
    ROTATE = "rotate"
    REENCRYPT = "reencrypt"
    LOST = "lost"


def keys(
    task: Annotated[
        KeyTask,
        typer.Argument(
            help="show: list the ids of all keys, and of those that the database needs. "
            "rotate: add a key, which encrypts from now on. "
            "reencrypt: encrypt all secrets of a database with the newest key. "
            "lost: record that a key is lost permanently, and void the rounds that need it."
        ),
    ] = KeyTask.SHOW,
    database: Database = None,
    key: Annotated[
        str | None, typer.Option(metavar="ID", help="The id of the key that is lost.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before declaring a key lost.")
    ] = False,
) -> None:
    """Show, rotate or apply the keys that encrypt secret cards, or declare one lost."""
    from openfelt.storage.door import KeyFailure
    from openfelt.storage.keyring import Keyring

    keyring = Keyring.of(os.environ)
    try:
        if task is KeyTask.ROTATE:
            typer.echo(f"The key {keyring.rotate()} in {keyring.where} encrypts from now on.")
            typer.echo("Copy the file to a safe place, apart from the copies of the database.")
            typer.echo("A running server uses it after its next start.")
        elif task is KeyTask.REENCRYPT:
            _reencrypt(database)
        elif task is KeyTask.LOST:
            _give_up(database, key, ask=not yes)
        else:
            _show(database, keyring.ids, keyring.where)
    except KeyFailure as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error


def _show(database: str | None, ids: tuple[str, ...], where: str) -> None:
    typer.echo(f"Keys in {where}: {', '.join(ids) or 'none yet'}.")
    with open_database(database) as store:
        used, missing = store.encryption_keys(), store.missing_keys()
    typer.echo(f"Keys that the database needs: {', '.join(used) or 'none yet'}.")
    if missing:
        typer.echo(f"Missing keys: {', '.join(missing)}.")
        raise typer.Exit(ExitCode.FINDINGS)


def _reencrypt(database: str | None) -> None:
    from openfelt.runtime.streams import StreamKind

    done = 0
    with open_database(database) as store:
        # Only tables have plain secrets that are to be encrypted; hashes of passwords stay.
        for prefix, plain in ((StreamKind.TABLE.prefix, True), ("", False)):
            while reencrypted := store.reencrypt(prefix, plain=plain):
                done += reencrypted
                typer.echo(f"{done:,} secrets encrypted with the newest key.")
        store.renew_codes()
        store.scrub(thoroughly=True)
        used = {*store.encryption_keys(), *store.keys_of_events(), *store.append_key_ids()}
        needed = used - {"", *store.lost_keys()}
    typer.echo("All decks, keys of rounds, proofs and codes are encrypted with the newest key.")
    typer.echo(f"Keys that the database needs: {', '.join(sorted(needed)) or 'none'}.")
    typer.echo("Other keys are needed only for older backups. Stop the server to remove one.")


def _give_up(database: str | None, key: str | None, *, ask: bool) -> None:
    from openfelt.runtime.causes import operator
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.rounds.lost_key import declare_lost, loss_of
    from openfelt.runtime.shuffle.entropy import SystemEntropy
    from openfelt.runtime.shuffle.shuffler import Shuffler
    from openfelt.runtime.tables.worker_services import WorkerServices

    if key is None:
        raise Complaint("Name the key that is lost with --key.", ExitCode.WRONG_INPUT)
    with open_database(database) as store:
        worker_services = WorkerServices.of(store, Shuffler(SystemEntropy()), SystemClock())
        signed = _signed(database or usual_address(os.environ), store)
        loss = loss_of(worker_services, key, signed)
        typer.echo(
            f"With the key {key}, {loss.decks:,} decks, the hidden cards of {loss.round_keys:,} "
            f"rounds, {loss.proofs:,} kept proofs and {loss.codes:,} secrets of one-time codes "
            "stay unreadable. Rounds that need them are void, and their stakes are returned."
        )
        if loss.unsigned:
            typer.echo(
                f"{len(loss.unsigned):,} records have events after the notary's last signature. "
                "Nothing can prove any longer that these are authentic; they are accepted as "
                "they are, and the record names them."
            )
        if ask:
            typer.confirm("The record will say so permanently. Is the key lost?", abort=True)
        for voided in declare_lost(worker_services, key, cause=operator(), signed=signed):
            when = "in progress" if voided.in_progress else "that had been committed to"
            typer.echo(f"Round {voided.table}/{voided.number} {when} is void.")
    typer.echo(f"The key {key} is declared lost. The server can start.")
    if loss.codes:
        typer.echo(
            "Staff with one-time codes sign in with recovery codes, or after "
            "openfelt serve --reset-second-factor NAME."
        )


def _signed(address: str, store: "Store") -> "dict[str, NamedHead]":
    """The heads that the notary of a database has signed, by its public key beside it."""
    from openfelt.cli.notary_files import notary_files
    from openfelt.runtime.notary.checkpoints import CheckpointError
    from openfelt.runtime.notary.keys import KeyFileError
    from openfelt.runtime.notary.own_stream import signed_heads

    files = notary_files(address, store)
    try:
        return signed_heads(store, files.published, files.public_keys())
    except (CheckpointError, KeyFileError) as error:
        raise Complaint(str(error)) from error
