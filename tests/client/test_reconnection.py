"""When a lost connection is made again, and when it is given up."""

from itertools import pairwise

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidMessage, InvalidStatus
from websockets.http11 import Response

from openfelt.client.reconnection import PAUSE_SECONDS_MAX, Reconnection


def answered(status: int) -> InvalidStatus:
    return InvalidStatus(Response(status, "", Headers()))


def pauses(reconnection: Reconnection, count: int) -> list[float]:
    given = [reconnection.pause() for _ in range(count)]
    assert None not in given
    return [pause for pause in given if pause is not None]


def test_pauses_grow_to_a_limit_and_differ_by_chance() -> None:
    reconnection = Reconnection(60)
    waited = pauses(reconnection, 60)
    assert all(later > earlier / 2 for earlier, later in pairwise(waited[:6]))
    assert max(waited) <= PAUSE_SECONDS_MAX
    assert len(set(waited[-20:])) == 20


def test_pauses_begin_anew_after_each_connection_however_many_there_were() -> None:
    reconnection = Reconnection(60)
    first = max(pauses(reconnection, 1))
    for _ in range(100):
        pauses(reconnection, 8)
        reconnection.connected()
        assert max(pauses(reconnection, 1)) <= 2 * first


def test_a_server_that_stays_away_for_too_long_is_given_up() -> None:
    assert Reconnection(0).pause() is None


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504])
def test_a_server_that_is_busy_or_starting_passes(status: int) -> None:
    assert Reconnection(60).passes(answered(status))
    assert Reconnection(60).passes(InvalidMessage("no HTTP"))
    assert Reconnection(60).passes(ConnectionRefusedError())


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_a_wrong_address_does_not_pass(status: int) -> None:
    assert not Reconnection(60).passes(answered(status))


def test_an_address_that_was_right_may_be_without_its_server_for_a_while() -> None:
    reconnection = Reconnection(60)
    reconnection.connected()
    assert reconnection.passes(answered(404))
    assert not reconnection.passes(answered(403))
