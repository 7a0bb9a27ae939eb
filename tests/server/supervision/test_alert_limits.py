"""The file of alert limits: defaults, tables with their own, and what is refused."""

from pathlib import Path

import pytest

from openfelt.server.settings import SettingsError
from openfelt.server.supervision.alert_limits import AlertLimits, HouseAlerts, load_alerts


def written(folder: Path, text: str) -> Path:
    path = folder / "alerts.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold() -> None:
    assert load_alerts(None) == HouseAlerts()
    assert load_alerts(None).at("pit-3") == AlertLimits(idle_minutes=15, voids=3, corrections=10)


def test_a_table_has_the_limits_of_the_house_but_for_its_own(tmp_path: Path) -> None:
    text = "voids = 5\n[tables.pit-3]\nidle_minutes = 0\n"
    alerts = load_alerts(written(tmp_path, text))
    assert alerts.at("pit-1") == AlertLimits(voids=5)
    assert alerts.at("pit-3") == AlertLimits(voids=5, idle_minutes=0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("idle = 5", "there is no alert 'idle'; the alerts are idle_minutes"),
        ("voids = -1", "a whole number from 0"),
        ("voids = 1.5", "a whole number from 0"),
        ("voids = true", "a whole number from 0"),
        ("tables = 3", r"write \[tables.NAME\]"),
        ("[tables]\npit-3 = 3", "write one line for each limit"),
        ("[tables.pit-3]\nvoids = 'many'", r"\[tables.pit-3\] of"),
        ("voids =", "not valid TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_what_is_wrong(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(SettingsError, match=why):
        load_alerts(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_alerts(tmp_path / "none.toml")
