"""The OpenAPI description of the server, made once: that takes longer than most tests of it."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from openfelt.server.app import make_app
from tests.kit.repository import ROOT
from tests.kit.server.open_house import settings_in

FILE = ROOT / "docs" / "reference" / "openapi.json"


@cache
def api_description() -> dict[str, Any]:
    """The description as the server makes it."""
    return make_app(settings_in(Path("nowhere"))).openapi()


def described_operations() -> list[str]:
    """Every endpoint with its method, such as ``GET /api/v1/me``.

    They are read from the file, which is current: tests/test_generated.py compares it.
    """
    paths = json.loads(FILE.read_text(encoding="utf-8"))["paths"]
    return [f"{method.upper()} {path}" for path, methods in paths.items() for method in methods]
