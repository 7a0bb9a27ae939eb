import pytest

from openfelt.maths.simulation.intervals import normal_interval, wilson_interval


def test_the_normal_interval_shrinks_with_the_root_of_the_count() -> None:
    low, high = normal_interval(1.0, 2.0, 100, 0.95)
    assert (low, high) == pytest.approx((1 - 0.391993, 1 + 0.391993), abs=1e-6)
    low, high = normal_interval(1.0, 2.0, 10_000, 0.99)
    assert high - 1 == pytest.approx(0.0515166, abs=1e-6)


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [
        (0, 10, 0.0, 0.277533),
        (10, 10, 0.722467, 1.0),
        (5, 10, 0.236593, 0.763407),
        (15, 200, 0.045975, 0.120044),
    ],
)
def test_wilsons_interval(hits: int, count: int, low: float, high: float) -> None:
    assert wilson_interval(hits, count, 0.95) == pytest.approx((low, high), abs=1e-5)


@pytest.mark.parametrize(("hits", "count"), [(-1, 5), (6, 5), (0, 0)])
def test_impossible_counts_are_refused(hits: int, count: int) -> None:
    with pytest.raises(ValueError, match="impossible"):
        wilson_interval(hits, count, 0.95)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_impossible_confidences_are_refused(confidence: float) -> None:
    with pytest.raises(ValueError, match="confidence"):
        normal_interval(0, 1, 10, confidence)
