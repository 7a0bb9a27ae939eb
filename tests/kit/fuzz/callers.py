"""Who the fuzzer calls as: guests, a dealer, a dealer who has signed on by PIN, a supervisor and a
card reader, each with what proves it; and a live table for staff, at which they break nothing else.
"""

from dataclasses import dataclass, field
from typing import Final

import httpx

from tests.kit.attacks.server_under_attack import (
    PASSWORD,
    ServerUnderAttack,
    get,
    post,
    sign_in,
)

GUESTS: Final = 24
LIVE_TABLE: Final = "fuzz-1"
"""The live table of staff: a supervisor may close it, and no witness plays there."""
BADGE, PIN, OWN_PIN = "4711", "730184", "520937"
_TABLES: Final = ("stadium-1", "washington-1", "california-1")


@dataclass(frozen=True, slots=True)
class Caller:
    """A caller, by the headers of its requests."""

    headers: dict[str, str] = field(default_factory=dict)
    tables: tuple[str, ...] = _TABLES
    """The tables whose sockets it opens."""


def callers(server: ServerUnderAttack) -> list[Caller]:
    """All callers; about half of them are staff or their devices."""
    guests = [_of(server.person("guest"), (*_TABLES, LIVE_TABLE)) for _ in range(GUESTS)]
    staff = [_of(browser, (LIVE_TABLE,)) for browser in _staff(server)]
    return [*guests, *(staff * (GUESTS // len(staff))), Caller()]


def forms(server: ServerUnderAttack) -> dict[str, list[str]]:
    """The fields of every form by its endpoint, as the server itself describes them."""
    described = get(server.browser(), "/openapi.json")
    schemas, found = described["components"]["schemas"], {}
    for path, methods in described["paths"].items():
        for method, endpoint in methods.items():
            content = endpoint.get("requestBody", {}).get("content", {})
            schema = content.get("application/json", {}).get("schema", {})
            for named in (schema, *schema.get("anyOf", ())):
                form = schemas.get(named.get("$ref", "").rpartition("/")[2], {})
                if form.get("properties"):
                    found[f"{method.upper()} {path}"] = list(form["properties"])
    return found


def _staff(server: ServerUnderAttack) -> list[httpx.Client]:
    # The fuzzer's names of accounts include the first supervisor's, but not this one's.
    post(server.supervisor(), "/accounts", _account("fuzz-supervisor", "supervisor"))
    supervisor = server.browser()
    sign_in(supervisor, "fuzz-supervisor")
    post(supervisor, "/tables", {"table": LIVE_TABLE, "house": "washington", "dealer_mode": "live"})
    post(supervisor, "/accounts", _account("fuzz-dealer", "dealer"))
    post(supervisor, "/accounts/fuzz-dealer/badge", {"badge": BADGE, "pin": PIN})
    reader = server.browser()
    token = post(supervisor, "/readers", {"table": LIVE_TABLE, "label": "Fuzz"})["token"]
    reader.headers["Authorization"] = f"Bearer {token}"
    device = server.browser()
    device.cookies.update(supervisor.cookies)
    post(device, "/terminals", {"label": "Fuzz", "table": LIVE_TABLE})
    post(device, "/dealer/sign-on", {"badge": BADGE, "pin": PIN, "new_pin": OWN_PIN})
    return [supervisor, server.person("dealer"), device, reader]


def _account(name: str, role: str) -> dict[str, object]:
    return {"name": name, "password": PASSWORD, "role": role, "temporary": False}


def _of(browser: httpx.Client, tables: tuple[str, ...]) -> Caller:
    headers = {}
    if "Authorization" in browser.headers:
        headers["Authorization"] = browser.headers["Authorization"]
    if cookies := [f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar]:
        headers["Cookie"] = "; ".join(cookies)
    return Caller(headers, tables)
