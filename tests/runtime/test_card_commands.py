"""The cards of recent commands."""

from openfelt.runtime.card_commands import CardCommands

KEY = ("dealer:dan", "1")


def test_a_command_is_the_same_with_its_first_cards_or_unknown_ones() -> None:
    commands = CardCommands()
    assert commands.is_same("table/a", KEY, first=None, asked="8d")
    assert commands.is_same("table/a", KEY, first="8d", asked="8d")
    commands.add("table/a", KEY, "8d")
    assert commands.is_same("table/a", KEY, first=None, asked="8d")
    assert commands.is_same("table/b", KEY, first=None, asked="2s")


def test_an_id_that_came_with_another_card_does_not_tell_which_one_was_right() -> None:
    commands = CardCommands()
    commands.add("table/a", KEY, "8d")
    assert not commands.is_same("table/a", KEY, first="8d", asked="2s")
    assert not commands.is_same("table/a", KEY, first="8d", asked="8d")


def test_the_oldest_commands_are_forgotten() -> None:
    commands = CardCommands(commands_max=2)
    for name in ("1", "2", "1", "3"):
        commands.add("table/a", ("dealer:dan", name), "8d")
    same = [
        commands.is_same("table/a", ("dealer:dan", name), first=None, asked="2s")
        for name in ("2", "1", "3")
    ]
    assert same == [True, False, False]
