"""Networks: the groups of addresses that one client may have at its disposal.

With IPv6 a customer gets at least a /64, often a /56, and a site a /48; with IPv4 one address,
while its /24 may be one provider's or one hall's. Limits count the requests of each of these
networks.
"""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final, NamedTuple

_ADDRESS_LENGTH_MAX: Final = 64
"""No address is longer than this, including its zone."""
_LEVELS_4: Final = ((32, 1), (24, 64))
_LEVELS_6: Final = ((64, 1), (56, 2), (48, 4))
"""Prefix lengths, and how many times the limit of a single address such a network has."""


class Network(NamedTuple):
    """A network, and its share of a limit."""

    name: str
    share: int
    """How many times the limit of a single address the network has."""


def networks_of(address: str) -> tuple[Network, ...]:
    """The networks of an address, from the smallest to the largest.

    >>> [network.name for network in networks_of("203.0.113.9")]
    ['203.0.113.9/32', '203.0.113.0/24']
    >>> [network.name for network in networks_of("2001:db8:1:2ff::9")]
    ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']
    >>> networks_of("::ffff:203.0.113.9") == networks_of("203.0.113.9")
    True
    """
    if len(address) > _ADDRESS_LENGTH_MAX:
        # A proxy may forward a text that is not an address.
        return (Network(address[:_ADDRESS_LENGTH_MAX], 1),)
    return _networks(address)


@lru_cache(maxsize=4096)
def _networks(address: str) -> tuple[Network, ...]:
    """Cached, because every request asks several times."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return (Network(address, 1),)
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return tuple(_network(parsed, *level) for level in _LEVELS_6)
    if isinstance(parsed, IPv6Address):
        parsed = IPv4Address(int(parsed) & 0xFFFF_FFFF)
    return tuple(_network(parsed, *level) for level in _LEVELS_4)


def site_of(address: str) -> str:
    """The largest network that is likely to be one client's: an IPv4 address, or an IPv6 /48.

    >>> site_of("203.0.113.9"), site_of("2001:db8:1:2ff::9")
    ('203.0.113.9/32', '2001:db8:1::/48')
    """
    networks = networks_of(address)
    return (networks[-1] if ":" in networks[0].name else networks[0]).name


def _network(address: IPv4Address | IPv6Address, prefix: int, share: int) -> Network:
    cut = address.max_prefixlen - prefix
    return Network(f"{type(address)(int(address) >> cut << cut)}/{prefix}", share)
