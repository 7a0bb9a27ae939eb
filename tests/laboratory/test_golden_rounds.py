"""The golden rounds, whose results were worked out by hand, settled by the laboratory as well."""

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.kit.playthroughs.driver import play
from tests.kit.playthroughs.parser import playthrough_files, read_playthrough
from tests.laboratory.felt_rounds import check_recorded, recorded_round
from tests.laboratory.product_houses import HOUSES
from tests.laboratory.referee_sheet import House

SETTINGS = {
    "bank.cover": "cover",
    "bank.folds_first": "folds_first",
    "limits.1.payout_aggregates": "payout_aggregates",
    "progressive.several_winners": "several_winners",
    "rounding_unit_cents": "rounding_unit_cents",
    "wagers.ultimate_pairs.paytable": "ultimate_pairs",
}
"""Changes to a house that the referee has to know. Others, such as limits, settle nothing."""


def house_of(text: str, name: str) -> House:
    """The laboratory's house of a golden round, with the changes that its file makes."""
    house = HOUSES[name]
    for line in text.splitlines():
        if line.startswith("set:"):
            key, _, value = line.removeprefix("set:").partition("=")
            if setting := SETTINGS.get(key.strip()):
                house = replace(house, **tomllib.loads(f"{setting} = {value}"))
    return house


@pytest.mark.parametrize(
    "file", playthrough_files(), ids=lambda file: f"{file.parent.name}/{file.stem}"
)
def test_a_golden_round_is_settled_alike(file: Path) -> None:
    playthrough = read_playthrough(file)
    name = playthrough.header("house")
    assert name is not None
    table = play(playthrough)
    events = [one.event for one in table.happenings if one.event is not None]
    recorded = recorded_round(name, [table.state.opened, *events])
    check_recorded(house_of(file.read_text(encoding="utf-8"), name), recorded)
