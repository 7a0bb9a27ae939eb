"""``openfelt houses``."""

import json

import pytest

from openfelt.catalog import load_catalog
from tests.kit.cli.commands import output


def test_every_house_is_listed_with_name_game_and_source(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = " ".join(output(capsys, "houses").split())
    for house in load_catalog().houses.values():
        assert f"{house.id} {house.name} Game: " in shown
        assert house.source in shown


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(output(capsys, "houses", "--json"))
    assert [one["id"] for one in listed] == list(load_catalog().houses)
    assert listed[0]["fingerprint"] == load_catalog().houses[listed[0]["id"]].fingerprint
    assert {"name", "game", "source", "seats", "wagers", "notices"} <= set(listed[0])
