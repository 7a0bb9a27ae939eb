"""The menu of houses."""

from pathlib import Path

import pytest

from tests.kit.cli.scripted_game import play


def test_enter_takes_the_usual_table() -> None:
    script = play("")
    assert "OPENFELT · choose a table" in script.text
    assert script.prompts[0] == "Which table? 1 to 5, Enter for 5> "
    assert "press Enter for this one" in script.text
    assert "ULTIMATE TEXAS HOLD'EM, WASHINGTON" in script.text


@pytest.mark.parametrize("typed", ["2", "draw", "DRAW "])
def test_a_table_is_chosen_by_number_or_name(typed: str) -> None:
    assert "ULTIMATE DRAW POKER" in play(typed).text


@pytest.mark.parametrize("typed", ["0", "6", "-1", "foo", "99999999999", "²"])
def test_another_answer_is_asked_again(typed: str) -> None:
    script = play(typed, "quit")
    assert "There is no table" in script.text
    assert len(script.prompts) == 2
    assert "Goodbye." in script.text


def test_the_last_table_is_the_next_default_and_a_waiting_round_is_marked(tmp_path: Path) -> None:
    play("stadium", "10", "deal", data=tmp_path)
    script = play(data=tmp_path)
    assert script.prompts[0] == "Which table? 1 to 5, Enter for 4> "
    assert "a round waits for you" in script.text
