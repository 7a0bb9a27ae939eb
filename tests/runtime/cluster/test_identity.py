"""A process has a lasting name, and no other process of its folder has the same one."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from openfelt.runtime.cluster.identity import NAME, NameRefused, identity
from openfelt.storage.cluster.cluster_door import NewMember


def one(stack: ExitStack, folder: Path | None, name: str | None = None) -> NewMember:
    return stack.enter_context(identity(folder, name=name, role="both", version="1"))


def test_a_restarted_process_has_the_same_name_and_home_but_is_another_run(tmp_path: Path) -> None:
    with ExitStack() as stack:
        first = one(stack, tmp_path / "data")
    with ExitStack() as stack:
        again = one(stack, tmp_path / "data")
    assert (again.name, again.home) == (first.name, first.home)
    assert again.run != first.run
    assert NAME.fullmatch(first.name)


def test_processes_of_one_folder_have_names_of_their_own(tmp_path: Path) -> None:
    with ExitStack() as stack:
        members = [one(stack, tmp_path) for _ in range(3)]
        assert len({member.name for member in members}) == 3
        assert len({member.home for member in members}) == 3


def test_a_name_is_given_once(tmp_path: Path) -> None:
    with ExitStack() as stack:
        assert one(stack, tmp_path, "east").name == "east"
        with pytest.raises(NameRefused, match="already runs under the name east"):
            one(stack, tmp_path, "east")
        assert one(stack, tmp_path, "west").home != ""
    with ExitStack() as stack:
        one(stack, tmp_path, "east")


@pytest.mark.parametrize("name", ["", "?", "a b", "-a", "x" * 64, "ä"])
def test_a_name_that_is_none_is_refused(name: str, tmp_path: Path) -> None:
    with ExitStack() as stack, pytest.raises(NameRefused, match="letters, digits"):
        one(stack, tmp_path, name)


def test_without_a_folder_nothing_lasts() -> None:
    with ExitStack() as stack:
        assert one(stack, None).home != one(stack, None).home


def test_a_damaged_file_gets_a_new_home(tmp_path: Path) -> None:
    (tmp_path / "east.member").write_bytes(b"\xff" * 300)
    with ExitStack() as stack:
        home = one(stack, tmp_path, "east").home
    with ExitStack() as stack:
        assert one(stack, tmp_path, "east").home == home
