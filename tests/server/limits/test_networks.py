"""Networks: which addresses may belong to one client."""

from openfelt.server.limits.networks import networks_of, site_of


def test_addresses_of_one_network_share_it() -> None:
    def finest(address: str) -> str:
        return networks_of(address)[0].name

    assert finest("10.0.0.1") != finest("10.0.0.2")
    assert finest("::ffff:10.0.0.1") == finest("10.0.0.1")
    assert finest("2001:db8:1:1::5") == finest("2001:db8:1:1:ffff::")
    assert finest("2001:db8:1:1::5") != finest("2001:db8:1:2::5")
    assert finest("fe80::1%eth0") == finest("fe80::2")
    assert finest("") == ""


def test_larger_networks_are_shared_by_more() -> None:
    near, far = networks_of("2001:db8:1:1::5"), networks_of("2001:db8:1:2::5")
    assert near[1:] == far[1:]
    assert site_of("2001:db8:1:1::5") == site_of("2001:db8:1:ffff::5")
    assert site_of("2001:db8:1::5") != site_of("2001:db8:2::5")
