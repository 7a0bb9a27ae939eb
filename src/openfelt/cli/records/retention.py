"""``openfelt retention`` shows how a database grows, and drops what has been kept for its term."""

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.database import Database, open_database
from openfelt.cli.options import AsJson, KeepDecks, KeepProofs

if TYPE_CHECKING:
    from openfelt.storage.door import Store


def retention(
    database: Database = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Drop what has passed its term, and measure again.")
    ] = False,
    keep_decks: KeepDecks = 90,
    keep_proofs: KeepProofs = None,
    as_json: AsJson = False,
) -> None:
    """Show how many bytes a database uses per round, table by table.

    With --apply, drop what a running server drops every hour: decks and mucked cards after their
    term, accounts that hold nothing, and refusals that earlier versions stored.
    """
    with open_database(database) as store:
        rounds = _rounds(store)
        measured = {"before": store.sizes()}
        if apply:
            dropped = _drop(store, keep_decks, keep_proofs)
            store.scrub(thoroughly=True)
            measured["after"] = store.sizes()
    if as_json:
        facts = {"rounds": rounds, "bytes": measured}
        typer.echo(json.dumps(facts | ({"dropped": dropped} if apply else {}), indent=2))
        return
    if apply:
        typer.echo(
            f"Dropped: the decks of {dropped['rounds']:,} rounds, the proofs of "
            f"{dropped['proofs']:,} rounds, {dropped['balances']:,} accounts that hold nothing, "
            "and all refusals of earlier versions."
        )
    _print(rounds, measured)


def _rounds(store: "Store") -> int:
    """How many rounds the database holds, by the last round of each table."""
    from openfelt.runtime.rounds.record import RoundReader
    from openfelt.runtime.streams import StreamKind, names_in

    reader = RoundReader(store)
    last = (next(reader.ended(table), None) for table in names_in(store, StreamKind.TABLE))
    return sum(ended.opened.number for ended in last if ended is not None)


def _drop(store: "Store", keep_decks: int, keep_proofs: int | None) -> dict[str, int]:
    """Drop what is over its term; returns how many rounds, proofs and accounts."""
    from openfelt.runtime.clock import SystemClock
    from openfelt.runtime.rounds.purge import Purge
    from openfelt.runtime.rounds.record import RoundReader
    from openfelt.storage.event_forms import EventCodec
    from openfelt.storage.rulebook import Rulebook

    reader, codec = RoundReader(store), EventCodec(Rulebook(store).codec)
    purge, rounds, proofs = Purge(store, codec, reader, SystemClock()), 0, 0
    for table in purge.tables():
        while purged := purge.step(table, keep_days=keep_decks):
            rounds += purged
        while keep_proofs and (dropped := purge.drop_proofs(table, keep_days=keep_proofs)):
            proofs += dropped
    balances = 0
    while dropped := store.drop_zero_balances():
        balances += dropped
    answer: tuple[str, str, str] | None = ("", "", "")
    while answer is not None:
        answer = store.forget_old_refusals(answer)
    return {"rounds": rounds, "proofs": proofs, "balances": balances}


def _print(rounds: int, measured: Mapping[str, Mapping[str, int]]) -> None:
    """Print the sizes of all tables, in all and for each round."""
    typer.echo(f"{rounds:,} rounds.")
    for when, sizes in measured.items():
        typer.echo(f"{when.capitalize()}:" if len(measured) > 1 else "")
        total = sum(sizes.values())
        lines = sorted(sizes.items(), key=lambda size: -size[1])
        for name, size in (*lines, ("in all", total)):
            per_round = f"{size / rounds:12,.0f} bytes a round" if rounds else ""
            typer.echo(f"  {name:<16} {size:16,} bytes {per_round}".rstrip())
