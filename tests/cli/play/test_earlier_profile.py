"""A saved game of an earlier version: its money is taken over, once."""

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.catalog import load_catalog
from openfelt.cli.complaint import Complaint
from openfelt.cli.play.earlier_profile import (
    FILE_NAME,
    DamagedProfileError,
    NewerProfileError,
    decode,
    take_over,
)
from tests.kit.cli.scripted_game import check_audit, play, saved_credit, saved_game
from tests.kit.repository import ROOT

SAVED = ROOT / "tests" / "cli" / "play" / "saved_games" / FILE_NAME
"""Written by the last version that kept a profile: all five houses, three rounds unfinished."""
REFUNDS = 2000 + 2100 + 2600
"""Online, Washington with the progressive, California with its collection."""
NO_NUMBER = b'{"tables": {"x": {"meter": {"amount": "1/0"}}}}'


def test_a_saved_game_is_taken_over_with_the_wagers_of_its_unfinished_rounds(
    tmp_path: Path,
) -> None:
    shutil.copy(SAVED, tmp_path)
    script = play("", house=None, data=tmp_path, width=200)
    for sentence in (
        "Your saved game is from an earlier version: its credit of $1,098.50 is taken over.",
        "Game #1 at Ultimate Texas Hold'em, online cannot be continued. $20.00 are refunded.",
        "Game #3 at Ultimate Texas Hold'em, Washington cannot be continued. $21.00 are refunded.",
        "Game #4 at Ultimate Texas Hold'em, California cannot be continued. $26.00 are refunded.",
        "The old file was set aside as profile.json.taken-over-1.",
        "Welcome back. Your credit is $1,165.50.",
    ):
        assert sentence in script.text
    assert saved_credit(tmp_path) == 109_850 + REFUNDS
    # The table that was played last is the menu's default.
    assert script.prompts[0] == "Which table? 1 to 5, Enter for 1> "
    assert script.prompts[1] == "Bank wager, such as 200, or pass> "
    assert (tmp_path / "profile.json.taken-over-1").read_bytes() == SAVED.read_bytes()
    check_audit(tmp_path)


def test_the_next_visit_takes_nothing_over_again(tmp_path: Path) -> None:
    shutil.copy(SAVED, tmp_path)
    play(house="draw", data=tmp_path)
    again = play(house="draw", data=tmp_path)
    assert "earlier version" not in again.text
    assert saved_credit(tmp_path) == 109_850 + REFUNDS


def test_a_profile_is_taken_over_once_though_the_program_was_killed_in_between(
    tmp_path: Path,
) -> None:
    shutil.copy(SAVED, tmp_path)
    play(house="draw", data=tmp_path)
    # The file is still there when the program is killed before it sets it aside.
    shutil.copy(SAVED, tmp_path)
    play(house="draw", data=tmp_path)
    assert saved_credit(tmp_path) == 109_850 + REFUNDS
    assert (tmp_path / "profile.json.taken-over-2").exists()


def test_the_meter_goes_on_where_it_was_until_it_is_won(tmp_path: Path) -> None:
    shutil.copy(SAVED, tmp_path)
    won = "Ah Kh 2c 7d Qh Jh Th 3s 4d"
    script = play(
        "10, prog", "deal", "4", house="washington", data=tmp_path, computer_players=0, deck=won
    )
    assert "PROGRESSIVE $10,001.50" in script.text
    assert "$10,001.75" in script.text
    # Then it begins again at the house's own seed.
    with saved_game(tmp_path) as saved:
        link = saved.link("washington-1")
        assert (link.meter.display_cents, link.rates.seed_cents) == (1_000_000, 1_000_000)
    check_audit(tmp_path)


def test_a_damaged_profile_is_set_aside_and_never_overwritten(tmp_path: Path) -> None:
    for number, text in enumerate(
        (b"{", b"[]", b"\xff\xfe", b"null", b'{"credit_cents": -5}', b'{"credit_cents": 1.5}'), 1
    ):
        (tmp_path / FILE_NAME).write_bytes(text)
        script = play(house="online", data=tmp_path, width=200)
        assert "Your saved profile is damaged" in script.text
        assert f"set aside as {FILE_NAME}.damaged-{number}" in script.text
        assert (tmp_path / f"{FILE_NAME}.damaged-{number}").read_bytes() == text
    assert saved_credit(tmp_path) == 100_000


def test_a_profile_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    text = json.dumps({"version": 99}).encode()
    (tmp_path / FILE_NAME).write_bytes(text)
    with pytest.raises(Complaint, match="newer version"):
        play(house="online", data=tmp_path)
    assert (tmp_path / FILE_NAME).read_bytes() == text


def test_a_profile_that_cannot_be_read_is_a_complaint(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    with pytest.raises(Complaint, match="cannot be read"):
        play(house="online", data=tmp_path)


def test_a_profile_without_credit_begins_anew(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b'{"credit_cents": 0}')
    play(house="online", data=tmp_path, credit="300")
    assert saved_credit(tmp_path) == 30_000


def test_a_house_that_is_gone_is_called_by_its_name(tmp_path: Path) -> None:
    unfinished = {"number": 7, "staked_cents": {"1": 500, "2": 900}}
    profile = {"credit_cents": 1, "tables": {"mine": {"unfinished": unfinished}}}
    (tmp_path / FILE_NAME).write_text(json.dumps(profile), encoding="utf-8")
    with saved_game(tmp_path) as saved:
        found = take_over(tmp_path, saved, load_catalog())
    assert "Game #7 at mine cannot be continued. $5.00 are refunded." in found.notes
    assert saved_credit(tmp_path) == 501


@given(st.binary())
def test_other_bytes_are_damaged(text: bytes) -> None:
    with pytest.raises((DamagedProfileError, NewerProfileError)):
        decode(text)


@pytest.mark.parametrize(
    "text",
    [b'{"version": 0}', b'{"version": "1"}', b'{"tables": {"x": {"unfinished": {}}}}', NO_NUMBER],
)
def test_what_makes_no_sense_is_damaged(text: bytes) -> None:
    with pytest.raises(DamagedProfileError):
        decode(text)
