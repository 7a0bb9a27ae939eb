"""The drawing of the building: the way of a bet is one that the program takes."""

import re
from itertools import pairwise

import grimp
import pytest

import openfelt
from tests.kit.repository import ROOT
from tools.building import ROOM_HEIGHT, ROOM_WIDTH, WAY_OF_A_BET, building_svg, floors, placed

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("openfelt")


@pytest.mark.parametrize("step", WAY_OF_A_BET[1:], ids=lambda step: step.module)
def test_a_step_is_joined_to_an_earlier_one_by_an_import(
    step: tuple[str, str, str], graph: grimp.ImportGraph
) -> None:
    module, _, after = step
    earlier = [other.module for other in WAY_OF_A_BET[: WAY_OF_A_BET.index(step)]]
    assert after in earlier
    ends = f"openfelt.{after}", f"openfelt.{module}"
    assert any(
        graph.direct_import_exists(importer=importer, imported=imported)
        for importer, imported in (ends, ends[::-1])
    )


def test_the_way_crosses_no_room() -> None:
    _, rooms = placed()
    paths = re.findall(r'd="(M[\d HV]+)"', building_svg())
    assert len(paths) == len(WAY_OF_A_BET) - 1
    for path in paths:
        for (x, y), (to_x, to_y) in pairwise(_corners(path)):
            for room in rooms.values():
                inside = (
                    max(x, to_x) > room.x
                    and min(x, to_x) < room.x + ROOM_WIDTH
                    and max(y, to_y) > room.y
                    and min(y, to_y) < room.y + ROOM_HEIGHT
                )
                assert not inside, f"{path} crosses {room.name}"


def _corners(path: str) -> list[tuple[int, int]]:
    """The corners of a path that consists of horizontal and vertical lines."""
    start, *moves = re.findall(r"M\d+ \d+|[HV]\d+", path)
    x, y = map(int, start[1:].split())
    corners = [(x, y)]
    for move in moves:
        x, y = (int(move[1:]), y) if move[0] == "H" else (x, int(move[1:]))
        corners.append((x, y))
    return corners


def test_contributing_shows_the_layers_that_are_checked() -> None:
    block = re.search(r"^## The layers$.*?^```\n(.*?)^```$", CONTRIBUTING, re.MULTILINE | re.DOTALL)
    assert block
    shown = [[name.strip() for name in line.split("|")] for line in block[1].splitlines()]
    assert shown == floors()


def test_the_package_lists_the_layers_that_are_checked() -> None:
    lines = re.findall(r"^- ([\w |]+): (.+)$", openfelt.__doc__ or "", re.MULTILINE)
    assert [layers.split(" | ") for layers, _ in lines] == floors()
    assert all(layers.count("|") == words.count("|") for layers, words in lines)
