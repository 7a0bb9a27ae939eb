"""Estimates of ``openfelt edge --seen-by`` from fewer deals than a caller may ask for."""

from typing import Any

import pytest

from openfelt.cli.figures import shared_hands_report
from openfelt.maths.holdem import shared_hands


def estimate_from_few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Price a hundredth of the deals that are asked for, since 1,000 take half a minute."""

    def estimate(*asked: Any, samples: int, **options: Any) -> shared_hands.SharedValue:
        return shared_hands.estimate_shared(*asked, samples=samples // 100, **options)

    monkeypatch.setattr(shared_hands, "SAMPLES_MIN", 10)
    monkeypatch.setattr(shared_hands_report, "estimate_shared", estimate)
