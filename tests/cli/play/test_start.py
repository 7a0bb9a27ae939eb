"""Coming and going: saved credit, unfinished rounds, refunds, and the database of saved games."""

import json
import re
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import pytest

from openfelt.catalog import load_catalog
from openfelt.cli.complaint import Complaint
from openfelt.cli.data_folder import locked
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.play.start import FILE_NAME, run
from openfelt.cli.play.table_visit import TableVisit
from openfelt.cli.play.visit import PlayOptions
from openfelt.money import parse_cents
from openfelt.storage import migrations
from openfelt.storage.door import Unavailable
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.banking import BankTurn
from tests.kit.cli.scripted_game import (
    CTRL_C,
    DAY,
    Script,
    clock_on,
    play,
    round_waits,
    saved_credit,
    saved_game,
    saved_table,
)
from tests.kit.own_houses import house_document

LOST = "9s 8d Ah Ad As Kc 2c 5h 7d"


def kept_credit(text: str) -> int:
    """The credit that the farewell names."""
    found = re.search(r"Your credit of (\S+) is kept", text)
    assert found
    return parse_cents(found[1])


def test_a_new_profile_starts_with_the_standard_credit_or_the_one_asked_for(tmp_path: Path) -> None:
    assert "You start with $1,000.00" in play(house="online", data=tmp_path / "a").text
    script = play("1", "deal", "4", house="online", data=tmp_path / "b", credit="250")
    assert "You start with $250.00" in script.text
    again = play(house="online", data=tmp_path / "b", credit="9999")
    assert f"Your credit is {format_like(kept_credit(script.text))}" in again.text


def format_like(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def test_the_credit_is_the_same_after_coming_back(tmp_path: Path) -> None:
    first = play("10", "deal", "4", house="online", data=tmp_path, deck=LOST)
    assert kept_credit(first.text) == 94_000
    second = play("10", "deal", "4", house="draw", data=tmp_path, deck=LOST)
    assert "Welcome back. Your credit is $940.00." in second.text


def test_a_seeded_game_neither_reads_nor_writes_the_saved_game(tmp_path: Path) -> None:
    play("10", "deal", "4", house="online", data=tmp_path, deck=LOST)
    before = heads(tmp_path)
    options = PlayOptions(house="online", seed=3, data=tmp_path)
    script = play("10", "deal", "4", options=options)
    assert "it starts with $1,000.00; saved credit is neither read" in script.text
    assert "A seeded game is not saved." in script.text
    assert heads(tmp_path) == before


def heads(folder: Path) -> dict[str, tuple[int, str]]:
    """The version and the hash with which every record of a saved game ends."""
    with saved_game(folder) as saved:
        return {name: (head.version, head.hash) for name, head in saved.store.heads().items()}


def test_undealt_wagers_go_back_to_the_credit(tmp_path: Path) -> None:
    script = play("10", "trips 5", house="online", data=tmp_path)
    assert kept_credit(script.text) == 100_000
    assert "kept as it is" not in script.text


@pytest.mark.parametrize("end", [[], [CTRL_C], ["quit"]])
@pytest.mark.parametrize("house", sorted(load_catalog().houses))
def test_an_unfinished_round_goes_on_with_the_same_cards(
    house: str, end: list[str], tmp_path: Path
) -> None:
    start = ["pass"] if house == "california" else []
    left = play(
        *start, "10", "deal", *end, house=house, data=tmp_path, computer_players=2, width=120
    )
    assert "Your round is kept as it is; its wagers stay on the table." in left.text
    assert f"openfelt play {house}" in left.text
    credit_cents = kept_credit(left.text)
    assert credit_cents < 100_000
    answers = ["1 2"] if house == "draw" else ["4"]
    back = play(*answers, house=house, data=tmp_path, width=120)
    assert "Your unfinished round continues where you left it." in back.text
    # The very same table stands there: cards, wagers, other players and meters.
    name = load_catalog().house(house).name.upper()
    screen = left.text[left.text.rindex(name) :].partition(left.prompts[-1])[0]
    assert "GAME #1" in screen
    assert screen in back.text
    assert "Staked $" in back.text
    assert not round_waits(tmp_path, house)


def test_a_round_left_on_the_river_is_still_on_the_river(tmp_path: Path) -> None:
    play("10", "deal", "check", "check", house="online", data=tmp_path, deck=LOST)
    back = play("fold", house="online", data=tmp_path)
    assert back.prompts[0] == "fold / 1x $10> "
    assert "Staked $20.00, back $0.00: you lose $20.00. Credit $980.00." in back.text


def test_a_fold_cannot_be_undone_by_pulling_the_plug(tmp_path: Path) -> None:
    """What is on disk at every prompt is the round as it stands, before any farewell."""
    seen: list[tuple[int, bool]] = []
    script = Script(["10", "deal", "", "", "fold"])
    real = script.desk._read_line

    def read(prompt: str, seconds: float | None) -> str:
        seen.append((saved_credit(tmp_path), round_waits(tmp_path, "online")))
        return real(prompt, seconds)

    script.desk._read_line = read
    run(PlayOptions(house="online", data=tmp_path), desk=script.desk, clock=clock_on(DAY))
    assert seen == [
        (100_000, False),
        (98_000, True),
        (98_000, True),
        (98_000, True),
        (98_000, True),
        (98_000, False),
    ]


@pytest.mark.clause("O.unfinished")
@pytest.mark.parametrize(("days", "cancelled"), [(0, False), (29, False), (30, True), (400, True)])
def test_an_online_round_is_refunded_after_thirty_days(
    days: int, cancelled: bool, tmp_path: Path
) -> None:
    play("10", "trips 5", "deal", "check", house="online", data=tmp_path, day=DAY)
    later = DAY + timedelta(days=days)
    back = play(house="online", data=tmp_path, day=later, width=200)
    if cancelled:
        assert (
            "Game #1 at Ultimate Texas Hold'em, online was not finished within 30 days. "
            "It is cancelled and $25.00 are refunded." in back.text
        )
        assert kept_credit(back.text) == 100_000
        assert "GAME #2" in back.text
    else:
        assert "continues where you left it" in back.text
        assert kept_credit(back.text) == 97_500


@pytest.mark.clause("O.unfinished")
def test_a_stale_round_is_refunded_whatever_table_is_chosen(tmp_path: Path) -> None:
    play("10", "deal", house="online", data=tmp_path, day=DAY)
    back = play(house="draw", data=tmp_path, day=DAY + timedelta(days=31))
    assert "cancelled and $20.00 are refunded" in " ".join(back.text.split())


def test_other_houses_keep_a_round_for_as_long_as_it_takes(tmp_path: Path) -> None:
    play("10", "deal", house="washington", data=tmp_path, day=DAY)
    back = play("fold", house="washington", data=tmp_path, day=date(2036, 1, 1))
    assert "continues where you left it" in back.text


def test_a_round_goes_on_when_the_rules_of_its_house_changed(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "houses"
    folder.mkdir()

    def write_house(**changes: object) -> None:
        document = house_document("online", {"id": "mine", **changes})
        (folder / "mine.toml").write_text(as_toml(document), encoding="utf-8")
        load_catalog.cache_clear()

    write_house()
    options = PlayOptions(house="mine", houses_folder=folder)
    play("10", "deal", "4", "", options=options, data=data, deck=LOST)
    write_house(version=2, name="My new house")
    back = play("", "", "fold", "10", options=options, data=data, width=200)
    assert "Your unfinished round continues where you left it." in back.text
    assert "Staked $20.00, back $0.00: you lose $20.00. Credit $920.00." in back.text
    assert "MY NEW HOUSE" not in back.text.partition("Staked $20.00")[0]
    assert kept_credit(back.text) == 92_000
    assert saved_table(data, "mine").house.name == "My new house"
    load_catalog.cache_clear()


def as_toml(document: dict[str, object]) -> str:
    """A house file again; TOML takes JSON's plain values, and tables are written key by key."""
    lines = []

    def write(prefix: str, table: dict[str, object]) -> None:
        for key, value in table.items():
            name = f"{prefix}{key}"
            if isinstance(value, dict):
                write(f"{name}.", value)
            else:
                lines.append(f"{name} = {json.dumps(value)}")

    write("", document)
    return "\n".join(lines)


def test_the_progressive_meter_lives_in_the_saved_game(tmp_path: Path) -> None:
    first = play("10", "prog", "deal", "4", house="washington", data=tmp_path, computer_players=3)
    shown = re.findall(r"PROGRESSIVE (\$\S+)", first.text)[-1]
    assert shown != "$10,000.00"
    again = play(house="washington", data=tmp_path, computer_players=3)
    assert re.findall(r"PROGRESSIVE (\$\S+)", again.text)[-1] == shown


def test_tips_history_and_the_last_wagers_are_remembered(tmp_path: Path) -> None:
    options = {"house": "stadium", "data": tmp_path}
    deck, own = "2c 7d Qh Jh Th 3s 4d", "Ah Kh"
    play("10", "dealer trips 5", "deal", "4", deck=deck, own_deck=own, **options)  # type: ignore[arg-type]
    again = play("history", "rebet", **options)  # type: ignore[arg-type]
    assert "TIPS $250" in again.text
    assert "#1" in again.text
    assert "Ante $10, Blind $10, Trips $5 for the dealer" in again.text


def test_collect_ends_the_visit_and_the_next_one_buys_in_again(tmp_path: Path) -> None:
    play("collect", house="online", data=tmp_path)
    assert saved_credit(tmp_path) == 0
    again = play(house="online", data=tmp_path, credit="300")
    assert "You buy in again for $300.00 of play money." in again.text


def test_credit_that_was_bought_is_kept(tmp_path: Path) -> None:
    script = play("buy 500", "10", house="online", data=tmp_path)
    assert kept_credit(script.text) == 150_000
    assert saved_credit(tmp_path) == 150_000


def test_ctrl_c_in_the_middle_of_a_step_keeps_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: TableVisit) -> None:
        raise KeyboardInterrupt

    play("10", "deal", house="online", data=tmp_path)
    before = heads(tmp_path)
    monkeypatch.setattr(TableVisit, "draw", interrupted)
    assert "Your round is kept as it is" in play(house="online", data=tmp_path, width=120).text
    assert heads(tmp_path) == before


# The database ----------------------------------------------------------------


def test_a_saved_game_that_is_not_a_database_is_set_aside(tmp_path: Path) -> None:
    for number, text in enumerate((b"{", b"\xff\xfe", b"null and void"), 1):
        (tmp_path / FILE_NAME).write_bytes(text)
        script = play(house="online", data=tmp_path, width=200)
        assert "Your saved game is damaged" in script.text
        assert f"set aside as {FILE_NAME}.damaged-{number}" in script.text
        assert (tmp_path / f"{FILE_NAME}.damaged-{number}").read_bytes() == text
        assert "You start with $1,000.00" in script.text


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(Complaint, match=r"Use another folder with --data\.$"):
        play(house="online", data=tmp_path)


def test_a_saved_game_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    play(house="online", data=tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as newer:
        for version in range(migrations.KNOWN + 1, 100):
            newer.execute("INSERT INTO openfelt_schema (version) VALUES (?)", (version,))
        newer.commit()
    with pytest.raises(Complaint, match="newer Openfelt"):
        play(house="online", data=tmp_path)


def test_a_damaged_record_says_how_to_find_the_damage(tmp_path: Path) -> None:
    play("10", "deal", "4", house="online", data=tmp_path)
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as database:
        database.execute("UPDATE events SET body = '{}' WHERE name = 'round_opened'")
        database.commit()
    with pytest.raises(Complaint, match=r"damaged: .* run: openfelt audit "):
        play(house="online", data=tmp_path)


def test_a_full_disk_ends_the_game_with_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = Script(["10", "deal", "4"])
    real = script.desk._read_line

    def no_space(_store: SqliteStore, _connection: object) -> None:
        raise Unavailable("The disk is full.")

    def read(prompt: str, seconds: float | None) -> str:
        if prompt.startswith("check"):
            monkeypatch.setattr(SqliteStore, "_finish", no_space)
        return real(prompt, seconds)

    script.desk._read_line = read
    with pytest.raises(Complaint, match="This table has stopped: The disk is full"):
        run(PlayOptions(house="online", data=tmp_path), desk=script.desk, clock=clock_on(DAY))
    monkeypatch.undo()
    back = play(house="online", data=tmp_path)
    assert "Your unfinished round continues where you left it." in back.text
    assert back.prompts[0] == "check / 3x $30 / 4x $40> "


def test_a_table_that_a_server_runs_is_left_to_it(tmp_path: Path) -> None:
    play(house="online", data=tmp_path)
    with closing(SqliteStore(tmp_path / FILE_NAME)) as store:
        lease = store.take_lease("table/online-1", "server", ttl_ms=600_000)
        assert lease is not None
        with pytest.raises(Complaint, match="run by another program") as refused:
            play(house="online", data=tmp_path)
        assert refused.value.exit_code is ExitCode.IN_USE
        store.release_lease(lease)
    assert "Welcome back." in play("10", house="online", data=tmp_path).text


def test_only_one_game_at_a_time_has_the_saved_game(tmp_path: Path) -> None:
    with (
        locked(tmp_path),
        pytest.raises(Complaint, match="has this saved game open") as refused,
    ):
        play(house="online", data=tmp_path)
    assert refused.value.exit_code is ExitCode.IN_USE
    assert "Goodbye" in play(house="online", data=tmp_path).text


@pytest.mark.parametrize("credit", ["", "foo", "-5", "0", "1.234", "99999999999999999"])
def test_a_wrong_credit_is_a_complaint(credit: str) -> None:
    with pytest.raises(Complaint, match="--credit") as refused:
        play(house="online", credit=credit)
    assert refused.value.exit_code is ExitCode.WRONG_INPUT


def test_an_unknown_house_is_a_complaint_that_lists_those_there_are() -> None:
    with pytest.raises(Complaint, match="There are california, draw, online") as refused:
        play(house="nowhere")
    assert refused.value.exit_code is ExitCode.WRONG_INPUT


def test_more_hands_than_the_table_has_are_explained() -> None:
    assert "you can play one hand at once" in play(house="online", hands=3).text


def test_more_players_than_seats_are_explained() -> None:
    assert "room for 5 computer players" in play(house="washington", computer_players=9).text
    assert "This table has one seat, so no computer player sits down." in (
        play(house="online", computer_players=1).text
    )


def test_a_table_that_its_players_bank_has_at_least_one_other_player() -> None:
    script = play("pass", house="california", computer_players=0)
    assert "one computer player sits down" in script.text


@pytest.mark.clause("C.20", "R.19")
@pytest.mark.parametrize("end", [[], [CTRL_C], ["quit"]])
def test_quitting_before_the_deal_uses_no_second_turn_of_the_bank(
    end: list[str], tmp_path: Path
) -> None:
    for number in range(3):
        bank = ["200"] if number == 0 else []
        script = play(*bank, *end, house="california", data=tmp_path)
        assert "PLAYER/DEALER: you, seat 1 · bank wager $200" in script.text
        assert "Your round is kept as it is; its wagers stay on the table." in script.text
        assert kept_credit(script.text) == 80_000
    play("", house="california", data=tmp_path)
    assert saved_table(tmp_path, "california").turn == BankTurn(1, 1)


def test_shuffles_without_a_seed_differ(tmp_path: Path) -> None:
    screens = {play("10", "deal", house="online", data=tmp_path / str(n)).text for n in range(4)}
    assert len(screens) > 1
