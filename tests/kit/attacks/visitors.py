"""Visitors of a server behind a proxy, each at its own address.

The proxy is played by the tests: it is on the same machine, and so it is trusted to say whose
request it forwards.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx

from openfelt.protocol.api_prefix import API
from openfelt.server.credentials.passwords import Passwords
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import served

NAME = "felt.example"
OFTEN = Rate(per_minute=60_000, burst=60_000)


class Visitor:
    """A browser behind the proxy."""

    def __init__(self, server: str, address: str, *, scheme: str = "http") -> None:
        self.server = server
        self.headers = {
            "host": NAME,
            "x-forwarded-for": address,
            "x-forwarded-proto": scheme,
            "origin": f"{scheme}://{NAME}",
        }
        self.cookies: dict[str, str] = {}

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Send a request, and keep the cookies of its answer."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = httpx.request(
            method,
            f"{self.server}{API}{path}",
            json=body,
            headers=self.headers | ({"cookie": cookie} if cookie else {}),
            timeout=60,
            # Loading the system's certificates would take longer than the request.
            verify=False,
        )
        for line in answer.headers.get_list("set-cookie"):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def post(self, path: str, body: Any = None) -> httpx.Response:
        """Post a request."""
        return self.ask("POST", path, body)

    def sign_in(self, password: str, *, name: str = "supervisor", **more: str) -> tuple[int, str]:
        """Try to sign in; gives the status and the code of a refusal."""
        answer = self.post("/sign-in", {"name": name, "password": password} | more)
        return answer.status_code, answer.json().get("code", "in")


@contextmanager
def behind_a_proxy(
    folder: Path,
    *,
    passwords: Passwords | None = None,
    second_factor: bool | None = False,
    **limits: Any,
) -> Iterator[str]:
    """A server that a proxy on the same machine makes public; without rate limits of sign-ins."""
    given = Limits(**{"sign_ins": OFTEN, "requests": OFTEN} | limits)
    settings = settings_in(folder, port=0, limits=given, second_factor=second_factor)
    with served(replace(settings, hosts=frozenset({NAME})), passwords=passwords) as address:
        yield address
