"""Rate limits: a burst, then a rate per minute, in bounded memory."""

from openfelt.server.limits.rates import Buckets, NetworkBuckets, Rate
from tests.kit.floors import StandingClock


def test_a_burst_passes_and_then_one_request_at_a_time() -> None:
    clock = StandingClock()
    buckets = Buckets(Rate(per_minute=6, burst=3), clock)
    assert [buckets.take("ann") for _ in range(3)] == [0, 0, 0]
    assert buckets.take("ann") == 10_000
    clock.pass_ms(9_999)
    assert buckets.take("ann") == 1
    clock.pass_ms(1)
    assert buckets.take("ann") == 0
    assert buckets.take("ann") > 0


def test_a_refused_request_does_not_lengthen_the_wait() -> None:
    clock = StandingClock()
    buckets = Buckets(Rate(per_minute=60, burst=1), clock)
    assert buckets.take("ann") == 0
    for _ in range(100):
        assert buckets.take("ann") == 1000
    clock.pass_ms(1000)
    assert buckets.take("ann") == 0


def test_each_key_has_a_bucket_of_its_own_and_there_is_a_limit_of_buckets() -> None:
    buckets = Buckets(Rate(per_minute=1, burst=1), StandingClock(), keys_max=100)
    assert buckets.take("ann") == 0
    assert buckets.take("bob") == 0
    assert buckets.take("ann") > 0
    for number in range(1000):
        buckets.take(f"stranger {number}")
    assert len(buckets._full_ms) == 100


def test_a_site_with_many_networks_has_a_limit_too() -> None:
    buckets = NetworkBuckets(Rate(per_minute=1, burst=3), StandingClock())
    passed = [buckets.take(f"2001:db8:1:{number:x}::1") == 0 for number in range(0, 65_536, 64)]
    assert sum(passed) == 3 * 4
    assert buckets.take("2001:db8:2::1") == 0


def test_a_hall_of_ipv4_addresses_is_not_one_client() -> None:
    buckets = NetworkBuckets(Rate(per_minute=1, burst=3), StandingClock())
    assert all(buckets.take(f"10.0.0.{number}") == 0 for number in range(1, 190))
