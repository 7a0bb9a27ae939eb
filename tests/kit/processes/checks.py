"""Invariants of a database after any kill: compared with the answers to callers.

The database is checked twice: with the program's own audit, and by the independent checker, which
imports nothing of the program.
"""

from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass

from openfelt.ledger import Account, AccountKind
from openfelt.rules.round_events import RoundOpened, RoundSettled
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import SystemClock
from openfelt.runtime.requests import Answer
from openfelt.runtime.shuffle.entropy import SystemEntropy
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind, name_of, table_stream
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.addresses import open_store
from openfelt.storage.door import Head, Store
from openfelt.table.commands import SYSTEM
from openfelt.table.events import DeckCommitted
from tests.independent.record import Look, check_record
from tests.kit.processes.casino import DEPOSIT_CENTS, TRANSIENT, WITHDRAWN_CENTS
from tests.kit.processes.programs import Line

CASH = Account(AccountKind.CASH)
_LOOKS: dict[str, Look] = {}
"""What the independent checker has seen of each database so far."""


@dataclass(frozen=True)
class Waiting:
    """A round in progress, as it lies in the database between two processes."""

    table: str
    round: int
    head: Head
    commitments: dict[str, str]
    secrets: dict[str, str]


def check_database(database: str, lines: list[Line]) -> list[Waiting]:
    """Audit a database and compare it with every answer; give rounds in progress."""
    _LOOKS[database] = check_record(database, lines, before=_LOOKS.get(database))
    with closing(open_store(database)) as store:
        report = audit(store)
        assert report.clean, "\n".join(map(str, report.findings))
        check_answers(store, lines)
        check_money(store)
        return rounds_in_progress(store)


def check_answers(store: Store, lines: list[Line]) -> None:
    """Every accepted command that was answered is stored, with the content of its answer.

    A refusal changes nothing and is not kept; but no caller was told two different things.
    """
    told: dict[str, dict[tuple[str, str], set[tuple[int, str | None]]]] = defaultdict(
        lambda: defaultdict(set)
    )
    for line in lines:
        assert "wrong" not in line, line
        if line["refused"] not in TRANSIENT:
            key = line["actor"], line["id"]
            told[line["stream"]][key].add((line["version"], line["refused"]))
    for stream, answers in told.items():
        kept = store.answers(stream, list(answers))
        version = store.head(stream).version
        for key, heard in answers.items():
            if all(refused is not None for _, refused in heard):
                assert key not in kept, f"{stream} carried out {key}, which was refused: {heard}"
                continue
            assert key in kept, f"{stream} has lost its answer to {key}: {heard}"
            answer = Answer.from_json(kept[key].body)
            assert heard == {(answer.version, answer.refused)}, f"{stream} {key}"
            assert answer.version <= version, f"{stream} ends at {version}, before {heard}"


def check_money(store: Store) -> None:
    """No deposit is lost or doubled, all accounts together are zero, and no player owes."""
    deposited = withdrawn = 0
    for stream in store.streams(StreamKind.WALLET.prefix):
        names = [event.name for event in store.events(stream)]
        deposits = names.count("deposited")
        deposited += deposits
        withdrawn += names.count("withdrawn")
        ids = [(str(SYSTEM), f"deposit-{number}") for number in range(1, deposits + 2)]
        # One event for each id: a payment that was sent again is not booked again.
        assert store.answers(stream, ids).keys() == set(ids[:deposits]), stream
    balances = store.balances()
    assert sum(balances.values()) == 0
    assert -balances.get(CASH, 0) == deposited * DEPOSIT_CENTS - withdrawn * WITHDRAWN_CENTS
    assert not [one for one, cents in balances.items() if cents < 0 and not one.kind.may_owe]


def worker_services_of(store: Store) -> WorkerServices:
    """What reads a table's record."""
    return WorkerServices.of(store, Shuffler(SystemEntropy()), SystemClock())


def rounds_in_progress(store: Store) -> list[Waiting]:
    """The rounds that wait to be finished; each has the decks that it has committed to."""
    worker_services, found = worker_services_of(store), []
    for stream in store.streams(StreamKind.TABLE.prefix):
        recovered = recover(store, worker_services.codec, name_of(stream))
        assert recovered is not None
        table = recovered.table
        if table.playing is None:
            continue
        roots = {name: deck.root for name, deck in recovered.decks.items()}
        assert roots == table.commitments, stream
        secrets = store.secrets(stream, f"{table.rounds}/")
        found.append(Waiting(table.id, table.rounds, recovered.head, roots, secrets))
    return found


def check_finished(database: str, waiting: list[Waiting]) -> None:
    """Rounds that waited went on from where they were, with the same cards, to their end."""
    with closing(open_store(database)) as store:
        codec = worker_services_of(store).codec
        for one in waiting:
            stream = table_stream(one.table)
            last, *rest = store.events(stream, after=one.head.version - 1)
            assert last.hash == one.head.hash, f"{stream} has been rewritten"
            assert store.secrets(stream, f"{one.round}/").items() >= one.secrets.items()
            for event in map(codec.decode, rest):
                assert not isinstance(event, RoundOpened), f"{stream}: round {one.round} is lost"
                if isinstance(event, DeckCommitted):
                    assert event.deck not in one.commitments, f"{stream}: {event.deck} again"
                if isinstance(event, RoundSettled):
                    break
            else:
                raise AssertionError(f"{stream}: round {one.round} has not been finished")
