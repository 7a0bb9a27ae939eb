"""The site of passkeys: only names and ports that the operator has configured."""

import pytest

from openfelt.server.http.passkey_site import passkey_site
from openfelt.server.settings import Settings

SETTINGS = Settings(database="felt.db", port=8080, hosts=frozenset({"felt.example", "10.0.0.7"}))


@pytest.mark.parametrize(
    ("host", "secure", "origin"),
    [
        ("felt.example", True, "https://felt.example"),
        ("FELT.example:443", True, "https://felt.example"),
        ("felt.example:8080", True, "https://felt.example:8080"),
        ("felt.example:8443", True, None),
        ("felt.example", False, None),
        ("www.felt.example", True, None),
        ("10.0.0.7", True, None),
        ("127.0.0.1:8080", False, None),
        ("[::1]:8080", False, None),
        ("localhost:8080", False, "http://localhost:8080"),
        ("localhost", False, "http://localhost"),
        ("localhost:9999", False, None),
        ("localhost:x", False, None),
        ("", False, None),
    ],
)
def test_sites(host: str, secure: bool, origin: str | None) -> None:
    site = passkey_site(host, SETTINGS, secure=secure)
    assert (site and site.origin) == origin
