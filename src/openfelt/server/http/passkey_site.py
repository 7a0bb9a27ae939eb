"""The site of passkeys: the name and origin under which a browser has reached the server.

Both must be configured. If the origin were taken from the request alone, a page at another port
of the same machine could pass on what a passkey signed for it.
"""

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from fastapi.requests import HTTPConnection

from openfelt.server.credentials.passkey_answers import Site
from openfelt.server.settings import Settings

LOCAL_NAME: Final = "localhost"
"""The one name at which browsers make passkeys without TLS."""


def site_of(connection: HTTPConnection, settings: Settings) -> Site | None:
    """The site of a request, None if browsers make no passkeys for its address."""
    host, scheme = connection.headers.get("host", ""), connection.url.scheme
    return passkey_site(host, settings, secure=scheme in ("https", "wss"))


def passkey_site(host: str, settings: Settings, *, secure: bool) -> Site | None:
    """The site of a Host header.

    >>> settings = Settings(database="felt.db", port=8080, hosts=frozenset({"felt.example"}))
    >>> passkey_site("felt.example", settings, secure=True).origin
    'https://felt.example'
    >>> passkey_site("localhost:8080", settings, secure=False).origin
    'http://localhost:8080'
    >>> passkey_site("localhost:9999", settings, secure=False) is None
    True
    """
    scheme, usual = ("https", 443) if secure else ("http", 80)
    try:
        parts = urlsplit(f"//{host}")
        name, port = parts.hostname or "", parts.port or usual
    except ValueError:
        return None
    if name not in settings.host_names or _is_address(name) or port not in (usual, settings.port):
        return None
    if not secure and name != LOCAL_NAME:
        return None
    return Site(name, f"{scheme}://{name}" + ("" if port == usual else f":{port}"))


def _is_address(name: str) -> bool:
    """Whether a host is a number: browsers make passkeys for names only."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
