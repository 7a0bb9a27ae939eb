"""The table of endpoints; tests/attacks/test_permissions.py tries it on a real server."""

from pathlib import Path

import pytest

from openfelt.server.app import make_app
from openfelt.table.role_permissions import PERMISSIONS
from tests.kit.server.open_house import settings_in


def test_an_endpoint_without_a_line_is_refused_at_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = {name: line for name, line in PERMISSIONS.items() if name != "GET /metrics"}
    monkeypatch.setattr("openfelt.server.app.PERMISSIONS", listed)
    with pytest.raises(RuntimeError, match="No permission is listed for GET /metrics"):
        make_app(settings_in(tmp_path))
