"""What ``examples/verifier.py`` says of a proof: a verifier that uses nothing of Openfelt."""

import importlib.util
from types import ModuleType
from typing import Final

from tests.kit.repository import ROOT

FILE: Final = ROOT / "examples" / "verifier.py"


def _loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("strangers_verifier", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


STRANGER: Final = _loaded()


def strangers_verdict(text: str, seeds: str | None = None) -> bool:
    """Whether a proof holds for it."""
    try:
        STRANGER.verify(text, seeds)
    except (STRANGER.Wrong, KeyError, TypeError, ValueError, AttributeError):
        return False
    return True
