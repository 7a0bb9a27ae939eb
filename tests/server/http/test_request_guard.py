"""The checks before every endpoint: hosts, origins, lengths, rates and headers."""

from pathlib import Path

import pytest
from starlette.datastructures import Headers

from openfelt.server.errors import Denied
from openfelt.server.http.request_guard import (
    SECURITY_HEADERS,
    check_origin,
    host_name,
    same_origin,
)
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house

FAR = "10.0.0.9"


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/tables", "/api/v1/me", "/api/v1/nothing", "/healthz"]
)
async def test_every_response_has_the_security_headers(house: OpenHouse, path: str) -> None:
    answer = await (await house.client()).get(path)
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert "strict-transport-security" not in answer.headers
    if path.startswith("/api/v1/"):
        assert answer.headers["cache-control"] == "no-store"
    assert "server" not in answer.headers
    secure = await (await house.client(base="https://localhost")).get(path)
    assert secure.headers["strict-transport-security"].startswith("max-age=")


async def test_a_response_after_a_failure_has_the_security_headers_too(
    house: OpenHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken() -> None:
        raise RuntimeError("the inside of the house")

    monkeypatch.setattr(house.services.lobby, "public_tables", broken)
    answer = await (await house.client(base="https://localhost")).get("/api/v1/tables")
    assert answer.status_code == 500
    for name, value in SECURITY_HEADERS.items():
        assert answer.headers[name] == value
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["strict-transport-security"].startswith("max-age=")


def test_no_script_and_no_style_may_stand_in_a_page() -> None:
    policy = dict(
        part.strip().split(" ", 1)
        for part in SECURITY_HEADERS["content-security-policy"].split(";")
    )
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'"


@pytest.mark.parametrize(
    ("origin", "asked", "same"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8081", False),
        ("http://localhost", "http://localhost:80", True),
        ("https://felt.example", "https://felt.example", True),
        ("https://FELT.example", "https://felt.EXAMPLE", True),
        ("http://felt.example", "https://felt.example:443", False),
        ("http://felt.example", "https://felt.example", False),
        ("https://felt.example", "http://felt.example", False),
        ("http://felt.example:443", "https://felt.example", False),
        ("https://felt.example.evil", "https://felt.example", False),
        ("https://evil/felt.example", "https://felt.example", False),
        ("https://felt.example@evil", "https://felt.example", False),
        ("http://[::1]:8080", "http://[::1]:8080", True),
        ("null", "http://null", False),
        ("", "http://", False),
        ("file://", "http://", False),
        ("http://[", "http://127.0.0.1", False),
        ("http://a:99999", "http://a", False),
    ],
)
def test_the_same_origin(origin: str, asked: str, *, same: bool) -> None:
    scheme, _, host = asked.partition("://")
    assert same_origin(origin, host, secure=scheme == "https") is same


@pytest.mark.parametrize(
    ("method", "headers", "through"),
    [
        ("GET", {"origin": "https://evil"}, True),
        ("POST", {}, True),
        ("POST", {"origin": "http://here"}, True),
        ("POST", {"origin": "https://evil"}, False),
        ("POST", {"origin": "null"}, False),
        ("POST", {"sec-fetch-site": "cross-site"}, False),
        ("POST", {"sec-fetch-site": "same-site"}, False),
        ("POST", {"sec-fetch-site": "same-origin"}, True),
        ("DELETE", {"origin": "https://evil"}, False),
    ],
)
def test_requests_from_another_site(method: str, headers: dict[str, str], *, through: bool) -> None:
    given = Headers({"host": "here", **headers})
    if through:
        check_origin(method, given, secure=False)
    else:
        with pytest.raises(Denied):
            check_origin(method, given, secure=False)


async def test_another_site_cannot_sign_a_visitor_in(house: OpenHouse) -> None:
    client = await house.client()
    answer = await client.post("/api/v1/guest", headers={"origin": "https://evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    assert "set-cookie" not in answer.headers
    own = await client.post("/api/v1/guest", headers={"origin": "http://127.0.0.1"})
    assert own.status_code == 200


async def test_a_local_server_has_fixed_names(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        for base in ("http://127.0.0.1", "http://localhost:8080", "http://[::1]"):
            assert (await (await house.client(base=base)).get("/healthz")).status_code == 200
        wrong = await (await house.client(base="http://evil.example")).get("/api/v1/tables")
        assert (wrong.status_code, wrong.json()["code"]) == (421, "wrong_host")
    hosts = frozenset({"felt.example"})
    async with open_house(tmp_path, hosts=hosts, supervisor_password=PASSWORD) as house:
        client = await house.client(base="http://felt.example")
        assert (await client.get("/healthz")).status_code == 200


def test_the_name_in_a_host_header() -> None:
    assert host_name("felt.example:8080") == "felt.example"
    assert host_name("[") == ""
    assert host_name("") == ""


async def test_a_body_that_is_too_long_is_refused_whatever_it_declares(house: OpenHouse) -> None:
    client = await house.client()

    async def endless() -> object:
        for _ in range(100):
            yield b"x" * 10_000

    declared = await client.post("/api/v1/sign-in", content=b"x" * 70_000)
    assert (declared.status_code, declared.json()["code"]) == (413, "too_long")
    silent = await client.post("/api/v1/sign-in", content=endless())  # type: ignore[arg-type]
    assert (silent.status_code, silent.json()["code"]) == (413, "too_long")
    proof = await client.post("/api/v1/verify", content=b"x" * 70_000)
    assert proof.status_code == 200


async def test_an_address_has_a_rate_limit(tmp_path: Path) -> None:
    limits = Limits(requests=Rate(per_minute=60, burst=5))

    async with open_house(tmp_path, limits=limits) as house:
        far = await house.client(address=FAR)
        assert [(await far.get("/api/v1/links")).status_code for _ in range(6)] == [200] * 5 + [429]
        other = await house.client(address="10.0.0.10")
        assert (await other.get("/api/v1/links")).status_code == 200
        near = await house.client()
        assert {(await near.get("/api/v1/links")).status_code for _ in range(20)} == {200}
        house.clock.pass_ms(1000)
        assert (await far.get("/api/v1/links")).status_code == 200


async def test_an_address_has_a_rate_limit_for_sign_ins(tmp_path: Path) -> None:
    limits = Limits(sign_ins=Rate(per_minute=6, burst=2))

    async with open_house(tmp_path, limits=limits) as house:
        far = await house.client(address=FAR)
        body = {"name": "nobody", "password": PASSWORD}
        assert (await far.post("/api/v1/guest")).status_code == 200
        assert (await far.post("/api/v1/sign-in", json=body)).status_code == 401
        refused = await far.post("/api/v1/guest")
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "10")
        assert (await far.get("/api/v1/me")).status_code == 200


async def test_an_account_has_a_rate_limit_over_all_its_addresses(tmp_path: Path) -> None:
    limits = Limits(account_requests=Rate(per_minute=60, burst=5))

    async with open_house(tmp_path, limits=limits) as house:
        guest = await house.guest()
        headers = {"authorization": f"Bearer {guest.cookies['openfelt_session']}"}
        seen = []
        for number in range(6):
            client = await house.client(address=f"10.0.1.{number}")
            seen.append((await client.get("/api/v1/me", headers=headers)).status_code)
        assert seen == [200] * 5 + [429]
