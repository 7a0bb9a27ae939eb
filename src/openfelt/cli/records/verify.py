"""``openfelt verify`` checks that the cards of one round were dealt fairly."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.database import VARIABLE, open_database
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import COUNT_MAX, AsJson, HousesFolder

if TYPE_CHECKING:
    from rich.console import Console

    from openfelt.rules import House
    from openfelt.runtime.rounds.check import CheckResult
    from openfelt.runtime.rounds.proof import RoundProof
    from openfelt.storage.door import Store

_ROUND = re.compile(r"([a-z0-9][a-z0-9_.@-]{0,63})/([1-9][0-9]{0,17})")


def verify(
    proof: Annotated[
        str,
        typer.Argument(metavar="PROOF", help="A proof file, or TABLE/ROUND of a database."),
    ],
    database: Annotated[
        str | None,
        typer.Option(
            metavar="DATABASE", envvar=VARIABLE, help="Read the round from this database."
        ),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the proof of the database's round to a file."),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(min=1, max=COUNT_MAX, metavar="N", help="The proof for this seat's player."),
    ] = None,
    seeds: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The list of the round's seeds, if the proof does not contain it."
        ),
    ] = None,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Check the proof of one round: its commitments, and every card that was shown."""
    from openfelt.cli.terminal import make_console

    with ExitStack() as stack:
        round_proof, house = _proof_and_rules(_Source(proof, database, seat, folder), stack)
    if seeds is not None:
        round_proof = _with_seeds(round_proof, seeds)
    if export is not None:
        _write(export, round_proof)
    console = make_console()
    checked, reason = _check(round_proof, house)
    if as_json:
        facts = proof_facts(round_proof, checked, reason)
        console.file.write(json.dumps(facts, indent=2) + "\n")
    elif checked is not None:
        print_proof(console, round_proof, checked)
    if checked is None:
        if not as_json:
            raise Complaint(f"The proof does not hold. {reason}", ExitCode.FINDINGS)
        raise typer.Exit(ExitCode.FINDINGS)


@dataclass(frozen=True, slots=True)
class _Source:
    """Where the proof and the rules come from, as given on the command line."""

    proof: str
    database: str | None
    seat: int | None
    folder: Path | None


def _proof_and_rules(source: _Source, stack: ExitStack) -> tuple["RoundProof", "House"]:
    path = Path(source.proof)
    round_name = _ROUND.fullmatch(source.proof)
    if path.is_file() or round_name is None:
        proof = _read(path)
        store = None
        if source.database is not None:
            store = stack.enter_context(open_database(source.database))
    elif source.database is None:
        raise Complaint(
            f"There is no file {path}. For a round of a database, add --database DATABASE.",
            ExitCode.WRONG_INPUT,
        )
    else:
        store = stack.enter_context(open_database(source.database))
        table, number = round_name.groups()
        proof = _from_database(store, table, int(number), source.seat)
    return proof, _house(proof, source.folder, store)


# Where proofs and rules come from --------------------------------------------


def _read(path: Path) -> "RoundProof":
    from openfelt.runtime.rounds.proof_forms import read_proof

    return _read_as(path, read_proof)


def _with_seeds(proof: "RoundProof", path: Path) -> "RoundProof":
    """The proof with the list of seeds from a separate file."""
    from openfelt.runtime.rounds.proof_forms import read_seed_list

    return _read_as(path, lambda text: proof.with_seeds(read_seed_list(text)))


def _read_as(path: Path, read: Callable[[str], "RoundProof"]) -> "RoundProof":
    from openfelt.runtime.shuffle.merkle import JSON_LENGTH_MAX, ProofError

    try:
        with path.open("rb") as file:
            content = file.read(4 * JSON_LENGTH_MAX + 1)
        return read(content.decode())
    except OSError as error:
        raise Complaint(f"{path}: {error.strerror}.", ExitCode.WRONG_INPUT) from error
    except UnicodeDecodeError as error:
        raise Complaint(f"{path} is not a text file.", ExitCode.WRONG_INPUT) from error
    except ProofError as error:
        raise Complaint(f"{path}: {error}", ExitCode.WRONG_INPUT) from error


def _from_database(store: "Store", table: str, number: int, seat: int | None) -> "RoundProof":
    from openfelt.runtime.rounds.proof import Unprovable
    from openfelt.runtime.rounds.record import NoSuchRound, proof_of_round
    from openfelt.runtime.shuffle.merkle import ProofError
    from openfelt.storage.door import Damaged

    try:
        return proof_of_round(store, table, number, seat=seat)
    except NoSuchRound as error:
        raise Complaint(str(error), ExitCode.WRONG_INPUT) from error
    except Unprovable as error:
        raise Complaint(str(error)) from error
    except (ProofError, Damaged) as error:
        raise Complaint(f"There is no proof. {error}", ExitCode.FINDINGS) from error


def _house(proof: "RoundProof", folder: Path | None, store: "Store | None") -> "House":
    """The rules of the round, by fingerprint: from the catalog, the folder or the database."""
    from openfelt.cli.rule_data import open_catalog
    from openfelt.storage.rulebook import Rulebook

    for house in open_catalog(folder).houses.values():
        if house.fingerprint == proof.fingerprint:
            return house
    kept = Rulebook(store).house(proof.fingerprint) if store is not None else None
    if kept is None:
        raise Complaint(
            f"The rules of the round ({proof.house}, {proof.fingerprint[:12]}) are unknown here. "
            "Give the operator's houses with --houses DIR, or the database with --database.",
            ExitCode.WRONG_INPUT,
        )
    return kept


def _check(proof: "RoundProof", house: "House") -> tuple["CheckResult | None", str]:
    """The scope of the check, or None and the reason why the proof does not hold."""
    from openfelt.runtime.rounds.check import check_round_proof
    from openfelt.runtime.rounds.seed_check import SeedListMissing
    from openfelt.runtime.shuffle.merkle import ProofError

    try:
        return check_round_proof(proof, house), ""
    except SeedListMissing as error:
        raise Complaint(f"{error} Give it with --seeds FILE.", ExitCode.WRONG_INPUT) from error
    except ProofError as error:
        return None, str(error)


def _write(path: Path, proof: "RoundProof") -> None:
    from openfelt.runtime.rounds.proof_forms import proof_json

    try:
        path.write_text(proof_json(proof) + "\n", encoding="utf-8")
    except OSError as error:
        raise Complaint(f"{path} cannot be written: {error.strerror}.") from error


# What is printed -------------------------------------------------------------


def proof_facts(proof: "RoundProof", checked: "CheckResult | None", reason: str) -> dict[str, Any]:
    """A checked proof as JSON for programs."""
    return {
        "holds": checked is not None,
        "reason": reason,
        "round": proof.round_id,
        "house": proof.house,
        "fingerprint": proof.fingerprint,
        "ended": proof.ended.value,
        "dealer": proof.dealer.value,
        "commitments": {commitment.deck: commitment.root for commitment in proof.commitments},
        "cards": [
            {
                "place": str(dealt.place),
                "card": None if dealt.card is None else str(dealt.card),
                "deck": dealt.deck,
                "index": dealt.index,
            }
            for dealt in proof.cards
        ],
        "scanned": [
            {"place": str(scan.place), "card": None if scan.card is None else str(scan.card)}
            for scan in proof.scanned
        ],
        "seeds": {seed.seat: seed.seed for seed in proof.seeds.seeds or ()}
        if proof.seeds
        else None,
        "cards_proved": checked.cards if checked else 0,
        "cards_never_shown": checked.cards_never_shown if checked else 0,
    }


def print_proof(console: "Console", proof: "RoundProof", checked: "CheckResult") -> None:
    """Print a proof that holds."""
    from rich.table import Table

    console.print(f"Round {proof.round_id}, {proof.ended}", style="bold")
    console.print(f"Rules: {proof.house}, {proof.fingerprint}", soft_wrap=True)
    closed = f"bets closed with event {proof.bets_closed_version}"
    when = f"the first wager; {closed}" if proof.seeds else closed
    console.print(f"Commitments, published before {when}:")
    for commitment in proof.commitments:
        before = f", first wager event {commitment.wager_version}" if proof.seeds else ""
        console.print(
            f"  {commitment.deck}  {commitment.root}  (event {commitment.version}{before})",
            soft_wrap=True,
        )
    _print_seeds(console, proof)
    _print_scanned(console, proof)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for row in _card_rows(console, proof):
        table.add_row(*row)
    console.print("Cards, in the order in which they were dealt:")
    console.print(table)
    decks = f"{checked.decks} deck{'s' if checked.decks > 1 else ''}"
    console.print(
        f"The proof holds: {checked.cards} cards shown from {decks}, each where its commitment "
        f"has it; {checked.cards_never_shown} dealt and never shown.",
        style="bold green",
        soft_wrap=True,
    )


def _print_seeds(console: "Console", proof: "RoundProof") -> None:
    """Print the players' seeds, or that the round is of a time before them."""
    if proof.seeds is None:
        console.print("Seeds: none; the decks were dealt as they were committed to.")
        return
    if not proof.seeds.seeds:
        console.print("Seeds: no player gave one; the decks were dealt as they were committed to.")
        return
    console.print("Seeds, committed to before bets closed and revealed after:")
    for seed in proof.seeds.seeds:
        console.print(f"  seat {seed.seat}  {seed.seed or 'withheld'}", soft_wrap=True)


def _print_scanned(console: "Console", proof: "RoundProof") -> None:
    """Print the cards of a live dealer, which the terminals' decks pass over."""
    if not proof.scanned:
        return
    console.print("Scanned by the dealer from a real deck, which no proof covers:")
    for scan in proof.scanned:
        card = "never shown" if scan.card is None else scan.card.symbol
        corrected = f", later corrected to {scan.corrected.symbol}" if scan.corrected else ""
        console.print(f"  {scan.place}  {card}{corrected}  (event {scan.version})")


def _card_rows(console: "Console", proof: "RoundProof") -> Iterator[tuple[str, str, str, str]]:
    from openfelt.cli.terminal import shows_signs

    mark = "✓" if shows_signs(console.encoding) else "ok"
    for dealt in proof.cards:
        shown = dealt.card is not None
        yield (
            mark if shown else "",
            str(dealt.place),
            dealt.card.symbol if dealt.card is not None else "never shown",
            f"card {dealt.index + 1} of the deck {dealt.deck}",
        )
