"""Coming and going: saved credit, unfinished rounds, refunds, and the profile's file."""

import json
import re
from datetime import date, timedelta
from pathlib import Path

import msgspec
import pytest

from openfelt.catalog import load_catalog
from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.play.profile import Profile, encode
from openfelt.cli.play.session import Session
from openfelt.cli.play.start import Settings, run, today
from openfelt.cli.play.store import FILE_NAME, locked
from openfelt.money import parse_cents
from tests.kit.cli.scripted_game import CTRL_C, DAY, Script, play, saved_profile
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


def test_a_seeded_session_neither_reads_nor_writes_the_profile(tmp_path: Path) -> None:
    play("10", "deal", "4", house="online", data=tmp_path, deck=LOST)
    before = (tmp_path / FILE_NAME).read_bytes()
    settings = Settings(house="online", seed=3, data=tmp_path)
    script = play("10", "deal", "4", settings=settings)
    assert "it starts with $1,000.00; saved credit is neither read" in script.text
    assert "A seeded session is not saved." in script.text
    assert (tmp_path / FILE_NAME).read_bytes() == before


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
    left = play(*start, "10", "deal", *end, house=house, data=tmp_path, opponents=2, width=120)
    assert "Your round is kept as it is; its wagers stay on the table." in left.text
    assert f"openfelt play {house}" in left.text
    credit_cents = kept_credit(left.text)
    assert credit_cents < 100_000
    answers = ["1 2"] if house == "draw" else ["4"]
    back = play(*answers, house=house, data=tmp_path, width=120)
    assert "Your unfinished round goes on where you left it." in back.text
    # The very same table stands there: cards, wagers, other players and meters.
    name = load_catalog().house(house).name.upper()
    screen = left.text[left.text.rindex(name) :].partition(left.prompts[-1])[0]
    assert "GAME #1" in screen
    assert screen in back.text
    assert "Staked $" in back.text
    assert saved_profile(tmp_path).table(house).unfinished is None


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
        if (tmp_path / FILE_NAME).exists():
            profile = saved_profile(tmp_path)
            seen.append((profile.credit_cents, profile.table("online").unfinished is not None))
        return real(prompt, seconds)

    script.desk._read_line = read
    run(Settings(house="online", data=tmp_path), desk=script.desk, clock=lambda: DAY)
    assert seen == [
        (100_000, False),
        (100_000, False),
        (98_000, True),
        (98_000, True),
        (98_000, True),
        (98_000, False),
    ]


@pytest.mark.clause("O.unfinished")
@pytest.mark.parametrize(("days", "cancelled"), [(0, False), (30, False), (31, True), (400, True)])
def test_an_online_round_is_refunded_after_thirty_days(
    days: int, cancelled: bool, tmp_path: Path
) -> None:
    play("10", "trips 5", "deal", "check", house="online", data=tmp_path, day=DAY)
    later = DAY + timedelta(days=days)
    back = play(house="online", data=tmp_path, day=later, width=200)
    if cancelled:
        assert (
            "Game #1 at Ultimate Texas Hold'em, online was unfinished for more than 30 days. "
            "It is cancelled and $25.00 are refunded." in back.text
        )
        assert kept_credit(back.text) == 100_000
        assert "GAME #2" in back.text
    else:
        assert "goes on where you left it" in back.text
        assert kept_credit(back.text) == 97_500


@pytest.mark.clause("O.unfinished")
def test_a_stale_round_is_refunded_whatever_table_is_chosen(tmp_path: Path) -> None:
    play("10", "deal", house="online", data=tmp_path, day=DAY)
    back = play(house="draw", data=tmp_path, day=DAY + timedelta(days=31))
    assert "cancelled and $20.00 are refunded" in " ".join(back.text.split())


def test_other_houses_keep_a_round_for_as_long_as_it_takes(tmp_path: Path) -> None:
    play("10", "deal", house="washington", data=tmp_path, day=DAY)
    back = play("fold", house="washington", data=tmp_path, day=date(2036, 1, 1))
    assert "goes on where you left it" in back.text


def test_a_round_is_refunded_when_the_rules_of_its_house_changed(tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "houses"
    folder.mkdir()

    def write_house(**changes: object) -> None:
        document = house_document("online", {"id": "mine", **changes})
        (folder / "mine.toml").write_text(as_toml(document), encoding="utf-8")
        load_catalog.cache_clear()

    write_house()
    settings = Settings(house="mine", houses_folder=folder)
    play("10", "deal", "4", "", settings=settings, data=data, deck=LOST)
    write_house(version=2)
    back = play(settings=settings, data=data, width=200)
    assert "The rules of Ultimate Texas Hold'em, online have changed since game #2" in back.text
    assert "$20.00 are refunded" in back.text
    assert kept_credit(back.text) == 94_000
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


def test_the_progressive_meter_lives_in_the_profile(tmp_path: Path) -> None:
    first = play("10", "prog", "deal", "4", house="washington", data=tmp_path, opponents=3)
    shown = re.findall(r"PROGRESSIVE (\$\S+)", first.text)[-1]
    assert shown != "$10,000.00"
    again = play(house="washington", data=tmp_path, opponents=3)
    assert re.findall(r"PROGRESSIVE (\$\S+)", again.text)[-1] == shown


def test_tips_history_and_the_last_wagers_are_remembered(tmp_path: Path) -> None:
    options = {"house": "stadium", "data": tmp_path}
    deck, own = "2c 7d Qh Jh Th 3s 4d", "Ah Kh"
    play("10", "dealer trips 5", "deal", "4", deck=deck, own_deck=own, **options)  # type: ignore[arg-type]
    again = play("history", "rebet", **options)  # type: ignore[arg-type]
    assert "TIPS $250" in again.text
    assert "#1" in again.text
    assert "Ante $10, Blind $10, Trips $5 for the dealer" in again.text


def test_collect_ends_the_session_and_the_next_one_buys_in_again(tmp_path: Path) -> None:
    play("collect", house="online", data=tmp_path)
    assert saved_profile(tmp_path).credit_cents == 0
    again = play(house="online", data=tmp_path, credit="300")
    assert "You buy in again for $300.00 of play money." in again.text


def test_credit_that_was_bought_is_kept(tmp_path: Path) -> None:
    script = play("buy 500", "10", house="online", data=tmp_path)
    assert kept_credit(script.text) == 150_000
    assert saved_profile(tmp_path).credit_cents == 150_000


def test_ctrl_c_in_the_middle_of_a_step_keeps_what_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Session) -> None:
        raise KeyboardInterrupt

    play("10", "deal", house="online", data=tmp_path)
    before = (tmp_path / FILE_NAME).read_bytes()
    monkeypatch.setattr(Session, "draw", interrupted)
    assert "Your round is kept as it is" in play(house="online", data=tmp_path, width=120).text
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_a_damaged_profile_is_set_aside_and_never_overwritten(tmp_path: Path) -> None:
    for number, text in enumerate(
        (b"{", b"[]", b"\xff\xfe", b"null", b'{"credit_cents": -5}', b'{"credit_cents": 1.5}'), 1
    ):
        (tmp_path / FILE_NAME).write_bytes(text)
        script = play(house="online", data=tmp_path, width=200)
        assert "Your saved profile is damaged" in script.text
        assert f"set aside as {FILE_NAME}.damaged-{number}" in script.text
        assert (tmp_path / f"{FILE_NAME}.damaged-{number}").read_bytes() == text
        assert "You start with $1,000.00" in script.text


def test_a_saved_round_that_makes_no_sense_is_refunded(tmp_path: Path) -> None:
    play("10", "deal", house="online", data=tmp_path)
    profile = saved_profile(tmp_path)
    unfinished = profile.table("online").unfinished
    assert unfinished is not None
    for broken in (
        msgspec.structs.replace(unfinished, cards="As"),
        msgspec.structs.replace(unfinished, cards="not cards"),
    ):
        profile.table("online").unfinished = broken
        (tmp_path / FILE_NAME).write_bytes(encode(profile))
        script = play(house="online", data=tmp_path, width=200)
        assert "cannot be read back" in script.text
        assert "$20.00 are refunded" in script.text
        assert kept_credit(script.text) == 100_000


def test_a_profile_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    text = encode(Profile(version=99))
    (tmp_path / FILE_NAME).write_bytes(text)
    with pytest.raises(Complaint, match="newer version"):
        play(house="online", data=tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == text


def test_only_one_game_at_a_time_has_the_profile(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(Complaint, match="Another game is open") as refused:
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
    assert "room for 5 computer players" in play(house="washington", opponents=9).text
    assert "This table has one seat, so nobody else sits down." in (
        play(house="online", opponents=1).text
    )


def test_a_table_that_its_players_bank_has_at_least_one_other_player() -> None:
    script = play("pass", house="california", opponents=0)
    assert "one computer player sits down" in script.text


@pytest.mark.clause("C.20", "R.19")
@pytest.mark.parametrize("end", [[], [CTRL_C], ["quit"]])
def test_quitting_before_the_deal_uses_no_turn_of_the_bank(end: list[str], tmp_path: Path) -> None:
    for _ in range(3):
        script = play("200", *end, house="california", data=tmp_path)
        assert "PLAYER/DEALER: you, seat 1 · bank wager $200" in script.text
        assert saved_profile(tmp_path).table("california").bank_seat is None
    play("200", "", house="california", data=tmp_path)
    record = saved_profile(tmp_path).table("california")
    assert (record.bank_seat, record.bank_rounds) == (1, 1)


def test_shuffles_without_a_seed_differ(tmp_path: Path) -> None:
    screens = {play("10", "deal", house="online", data=tmp_path / str(n)).text for n in range(4)}
    assert len(screens) > 1


def test_today_is_a_day() -> None:
    assert isinstance(today(), date)
