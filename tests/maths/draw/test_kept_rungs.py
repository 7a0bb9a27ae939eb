"""The stored results by the dealer's rung: kept with a hash, and counted again by a tool."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from openfelt.maths.draw.kept_rungs import RUNGS_FILE, kept_rungs, read_rungs, write_rungs
from openfelt.maths.draw.qualifying_hands import Rungs
from openfelt.maths.draw.strategy_counts import usual_counts
from tools import draw_rungs


def test_what_is_written_is_read_again() -> None:
    kept = kept_rungs()
    assert read_rungs(write_rungs("What it is.", kept)) == kept
    assert set(kept) == set(usual_counts().strategies)


def test_an_altered_file_is_refused() -> None:
    whole = json.loads(write_rungs("What it is.", kept_rungs()))
    whole["counts"]["often"][0] = "1/4"
    with pytest.raises(ValueError, match="it was altered"):
        read_rungs(json.dumps(whole))


def test_what_was_counted_otherwise_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    counted: dict[str, Rungs] = dict(kept_rungs())
    monkeypatch.setattr(draw_rungs, "every_hold", dict)
    monkeypatch.setattr(draw_rungs, "count_all", lambda _: counted)
    assert draw_rungs.main([]) == 0
    assert capsys.readouterr().out == "all as kept\n"
    assert draw_rungs.main([str(tmp_path)]) == 0
    assert read_rungs((tmp_path / RUNGS_FILE).read_text(encoding="utf-8")) == counted
    first, *others = counted["basic"]
    counted["basic"] = (replace(first, win_less_lose=Fraction(0)), *others)
    assert draw_rungs.main([]) == 1
    assert capsys.readouterr().out == "different: basic\n"


@pytest.mark.sweep
def test_what_is_kept_is_counted_again(capsys: pytest.CaptureFixture[str]) -> None:
    """All deals of 52 cards, with nothing stored before."""
    assert draw_rungs.main([]) == 0
    assert capsys.readouterr().out.endswith("all as kept\n")
