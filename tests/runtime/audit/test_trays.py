"""The audit of trays and slips: altered chips, counts, play and signatures are found."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from openfelt.ledger.trays import SlipKind, TrayMoment
from openfelt.rules.house import DealerMode
from tests.independent.record import Violation, check_record
from tests.kit import trays
from tests.kit.audit.audited_cages import Forgery, audited, check_found, each_forgery
from tests.kit.audit.audited_floors import change
from tests.kit.audit.forgeries import Connection, rewrite, version_of
from tests.kit.floors import Shift, steps_of_a_round

TRAY, SLIPS = "tray/table-1", "slips/house"


@pytest.fixture(scope="session")
def tray_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database of a table with a tray, after a shift and at the beginning of the next."""
    path = tmp_path_factory.mktemp("tray") / "floor.db"
    shift = Shift(path)
    desk = shift.open_table("washington", mode=DealerMode.LIVE)
    cage = trays.tray_cage(shift)
    trays.count(cage, TrayMoment.OPENING, trays.OPENING)
    desk.sit("ann", 1, 500)
    for command, who in steps_of_a_round(desk):
        desk.do(command, who)
    trays.bring(cage, SlipKind.FILL, {500: 40})
    trays.bring(cage, SlipKind.CREDIT, {10_000: 1})
    play, _ = cage.trays.play_since("table-1", cage.trays.get("table-1").mark)
    held = cage.trays.get("table-1").cents + play.tray_cents
    trays.count(cage, TrayMoment.CLOSING, {1: held - 500}, reason="a red chip is missing")
    trays.count(cage, TrayMoment.OPENING, {1: held - 500})
    cage.trays.request("table-1", SlipKind.FILL, {500: 1}, by=trays.SUE, id="waits")
    shift.close()
    assert audited(path).clean
    check_record(path)
    return path


@pytest.fixture
def tray_copy(tray_file: Path, tmp_path: Path) -> Path:
    """A copy of that database for one test."""
    return Path(shutil.copy(tray_file, tmp_path / "floor.db"))


def altered(
    name: str, change_body: Callable[[Any], object], *, stream: str = TRAY, nth: int = 1
) -> Callable[[Connection], object]:
    """A forgery of one event, by a thief of the house's key, who makes the chain whole again."""

    def changed(body: Any) -> None:
        change_body(body)

    return lambda db: rewrite(db, stream, version_of(db, stream, name, nth), changed)


FORGERIES: list[Forgery] = [
    (
        "a fill was smaller",
        altered("chips_requested", lambda body: body.update(count={"500": 30})),
        "Its transfer 1 is not the one that it causes.",
    ),
    (
        "a request was approved by its maker",
        altered("chips_given", lambda body: body.update(by="sue")),
        "Another person must give the chips, once",
    ),
    (
        "the giver received the chips",
        altered("chips_received", lambda body: body.update(by="cal")),
        "A third person must receive the chips, once",
    ),
    (
        "a fill has no slip",
        altered("chips_given", lambda body: body.pop("slip")),
        "It has no slip",
    ),
    (
        "two fills have the same slip",
        altered("chips_received", lambda body: body.update(slip=1), nth=2),
        "The house has not made slip 1 for it",
    ),
    (
        "a slip is left out of the row",
        altered("slip_made", lambda body: body.update(number=3), stream=SLIPS, nth=2),
        "It is slip 2 of the house",
    ),
    (
        "a slip was made for chips that never moved",
        altered("slip_made", lambda body: body.update(request=9), stream=SLIPS),
        "have moved by it",
    ),
    (
        "one person signed a count twice",
        altered("tray_closed", lambda body: body.update(supervisor="dan")),
        "one person signed twice",
    ),
    (
        "a count was signed that was not made",
        altered("tray_closed", lambda body: body.update(count={"1": 5})),
        "It is not the count that was made",
    ),
    (
        "a difference was hidden in what was played",
        altered(
            "tray_closed",
            lambda body: (
                body.update(difference_cents=0),
                body["play"].update(win_cents=body["play"].get("win_cents", 0) - 500),
            ),
        ),
        "What it says of the play is not what the table's record has.",
    ),
    (
        "a difference has no reason",
        altered("tray_closed", lambda body: body.pop("reason")),
        "The difference has no reason",
    ),
    (
        "a difference was made smaller",
        altered("tray_closed", lambda body: body.update(difference_cents=-400)),
        "The difference is -$5.00",
    ),
    (
        "a request was left out",
        altered("chips_requested", lambda body: body.update(number=4), nth=-1),
        "2 requests were made before it",
    ),
    (
        "a balance of a tray is changed",
        lambda db: db.execute("UPDATE balances SET cents = -1 WHERE account = 'tray:table-1'"),
        "is not the sum of its transfers",
    ),
    (
        "a snapshot of a tray is changed",
        lambda db: db.execute(
            "UPDATE snapshots SET body = replace(body, '\"requests\":2', '\"requests\":1') "
            "WHERE stream = 'tray/table-1'"
        ),
        "snapshot",
    ),
]


@each_forgery(FORGERIES)
def test_an_alteration_is_found(
    tray_copy: Path, forge: Callable[[Connection], object], sentence: str
) -> None:
    check_found(tray_copy, forge, sentence)


def test_the_independent_check_finds_a_difference_that_was_hidden_in_play(tray_copy: Path) -> None:
    forge = next(forge for name, forge, _ in FORGERIES if "hidden in what was played" in name)
    change(tray_copy, forge)
    with pytest.raises(Violation, match="of play that gave it"):
        check_record(tray_copy)
