"""Sessions: the results of a round, convolved."""

from fractions import Fraction

import pytest

from openfelt.maths.wagers.session_results import session_results

ROUND = {Fraction(-2): 5, Fraction(-1, 2): 3, Fraction(0): 1, Fraction(7, 2): 2}


def convolved(rounds: int) -> dict[Fraction, Fraction]:
    """The same by adding every round to every result, in fractions."""
    total = sum(ROUND.values())
    chances = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        after: dict[Fraction, Fraction] = {}
        for result, chance in chances.items():
            for net, deals in ROUND.items():
                after[result + net] = after.get(result + net, Fraction(0)) + chance * deals / total
        chances = after
    return chances


@pytest.mark.parametrize("rounds", [1, 2, 7])
def test_a_session_is_the_round_added_to_itself(rounds: int) -> None:
    session, plain = session_results(ROUND, rounds), convolved(rounds)
    for result, chance in plain.items():
        assert session.chance_between(result, result) == pytest.approx(float(chance), abs=1e-13)
    ahead = sum(chance for result, chance in plain.items() if result > 0)
    assert session.chance_between(session.unit, None) == pytest.approx(float(ahead), abs=1e-12)
    assert session.chance_between(None, None) == pytest.approx(1)
    ordered = sorted(plain)
    below = Fraction(0)
    for result in ordered:
        below += plain[result]
        if below > Fraction(1, 2):
            assert session.quantile(0.5) == result
            break


def test_results_off_the_grid_of_the_lowest() -> None:
    # Steps of two from -3: zero is no result, and yet bounds are asked by it.
    session = session_results({Fraction(-1): 1, Fraction(1): 1}, 3)
    assert session.chance_between(Fraction(0), Fraction(0)) == 0
    assert session.chance_between(Fraction(1), None) == pytest.approx(0.5)


def test_sessions_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="one round or more"):
        session_results(ROUND, 0)
    with pytest.raises(ValueError, match="too many different results"):
        session_results({Fraction(0): 1, Fraction(1, 1000): 1, Fraction(500): 1}, 100)
