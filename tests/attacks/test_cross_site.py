"""A page of another site uses the cookies of a player who looks at it: it posts, opens a socket,
reads answers, frames the terminal, or reaches a local server under a name of its own."""

from collections.abc import Iterator

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from openfelt.protocol.api_prefix import API
from openfelt.table.role_permissions import PERMISSIONS
from tests.kit.attacks.server_under_attack import ServerUnderAttack, get


def foreign_origins(server: ServerUnderAttack) -> list[str]:
    """Origins that are not the server's, some of which look like it."""
    host, port = "127.0.0.1", server.port
    return [
        *("null", "https://evil.example", "http://evil.example", "file://", "about:blank", ""),
        *(f"http://{host}:{port}.evil.example", f"http://{host}:{port}@evil.example"),
        *(f"http://{host}:{port + 1}", f"http://{host}", f"ftp://{host}:{port}"),
        *(f"http://evil.example/{host}:{port}", f"http://evil.example#{host}:{port}"),
        *(f"http://{host}.:{port}", f"http://x{host}:{port}", f"http://localhost:{port}"),
        *(f"http://[::1]:{port}", f"http://2130706433:{port}", "chrome-extension://abcdef"),
    ]


def unsafe_endpoints() -> Iterator[tuple[str, str]]:
    """Every endpoint that changes something."""
    for endpoint in PERMISSIONS:
        method, path = endpoint.split(" ", 1)
        if method not in ("GET", "WEBSOCKET"):
            yield method, path.replace("{name}", "x").replace("{terminal}", "0" * 64)


@pytest.fixture(scope="module")
def player(shared_server: ServerUnderAttack) -> httpx.Client:
    """A player who has signed in, and looks at a page of the attacker's."""
    return shared_server.person("player")


def test_no_page_of_another_site_changes_anything(
    shared_server: ServerUnderAttack, player: httpx.Client
) -> None:
    before = get(player, "/me")
    supervisor = shared_server.supervisor()
    for method, path in unsafe_endpoints():
        for origin in foreign_origins(shared_server):
            for victim in (player, supervisor):
                answer = victim.request(method, path, json={}, headers={"Origin": origin})
                assert answer.status_code == 403, (method, path, origin, answer.text)
                assert answer.json()["code"] == "wrong_origin"
                assert "set-cookie" not in answer.headers
    assert get(player, "/me") == before


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_request_without_an_origin_from_a_browser_elsewhere_is_refused(
    shared_server: ServerUnderAttack, player: httpx.Client, site: str
) -> None:
    with httpx.Client(base_url=shared_server.address, cookies=player.cookies) as browser:
        answer = browser.post(f"{API}/sign-out", headers={"Sec-Fetch-Site": site})
        assert answer.json()["code"] == "wrong_origin"
    assert get(player, "/me")["name"] is not None


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""],
)
def test_a_form_of_another_site_is_refused_whatever_it_is_sent_as(
    shared_server: ServerUnderAttack, player: httpx.Client, kind: str
) -> None:
    body = b'{"id": "forged", "x": "="}'
    headers = {"Origin": "https://evil.example", "Content-Type": kind}
    answer = player.post(f"{API}/wallet/top-up", content=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")


async def test_no_page_of_another_site_opens_a_socket(
    shared_server: ServerUnderAttack, player: httpx.Client
) -> None:
    for origin in foreign_origins(shared_server):
        with pytest.raises(InvalidStatus) as refused:
            async with shared_server.bare_socket(player, "stadium-1", origin=origin):
                pass
        assert refused.value.response.status_code == 403, origin


def test_no_page_of_another_site_reads_an_answer_or_frames_a_page(
    shared_server: ServerUnderAttack, player: httpx.Client
) -> None:
    for path in ("/", f"{API}/me", f"{API}/tables", "/healthz", "/nothing.js"):
        for method in ("GET", "OPTIONS"):
            answer = player.request(
                method,
                path,
                headers={
                    "Origin": "https://evil.example",
                    "Access-Control-Request-Method": "POST",
                },
            )
            assert not [name for name in answer.headers if name.startswith("access-control")]
            assert answer.headers["x-frame-options"] == "DENY"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["cross-origin-resource-policy"] == "same-origin"
            policy = answer.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in policy
            assert "default-src 'none'" in policy
            assert "unsafe-eval" not in policy


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "0.0.0.0", "", "[::2]"]
)
def test_a_local_server_answers_to_its_own_names_only(
    shared_server: ServerUnderAttack, player: httpx.Client, host: str
) -> None:
    headers = {"Host": host, "Origin": f"http://{host}"}
    for path in ("/", f"{API}/me", "/healthz"):
        assert player.get(path, headers=headers).status_code in (400, 421)
