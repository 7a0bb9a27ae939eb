"""Rate limits: a burst, then a rate per minute, in bounded memory."""

from openfelt.server.limits.rates import Buckets, Rate, address_key
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
    assert len(buckets._free_ms) == 100


def test_addresses_of_one_network_share_a_bucket() -> None:
    assert address_key("10.0.0.1") != address_key("10.0.0.2")
    assert address_key("::ffff:10.0.0.1") == address_key("10.0.0.1")
    assert address_key("2001:db8:1:1::5") == address_key("2001:db8:1:1:ffff::")
    assert address_key("2001:db8:1:1::5") != address_key("2001:db8:1:2::5")
    assert address_key("fe80::1%eth0") == address_key("fe80::2")
    assert address_key("") == ""
