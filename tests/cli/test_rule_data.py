"""Loading rule data for a command."""

from pathlib import Path

import pytest

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.rule_data import document_title, find_clause, find_house, open_catalog


def test_a_missing_folder_is_a_complaint(tmp_path: Path) -> None:
    with pytest.raises(Complaint, match="is not a folder of houses") as refused:
        open_catalog(tmp_path / "nowhere")
    assert refused.value.exit_code is ExitCode.WRONG_INPUT


def test_a_house_is_found_in_any_case() -> None:
    assert find_house(open_catalog(None), " Online ").id == "online"
    with pytest.raises(Complaint):
        find_house(open_catalog(None), "nowhere")


def test_clauses_and_titles() -> None:
    assert find_clause("X.1") is None
    assert document_title("W.11a")
    assert document_title("house rule 3") == ""
