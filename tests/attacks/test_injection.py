"""A caller puts SQL, HTML, control characters, directions of writing, Unicode digits, huge numbers,
NaN and deep JSON into every field of every form and of every command.

Each is refused in good order, or kept as the plain text that it is. Nothing that turns a line
around or clears a screen gets into the record, and no line of the log is forged.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Final

import httpx
import pytest

from openfelt.protocol.api_prefix import API
from openfelt.runtime.audit import audit
from openfelt.table.role_permissions import PERMISSIONS
from tests.kit.attacks.commands import SAMPLES, sample
from tests.kit.attacks.forms import FORMS, sender_of
from tests.kit.attacks.hostile_values import HOSTILE_TEXTS, with_every_field_spoilt
from tests.kit.attacks.server_under_attack import ServerUnderAttack, receive

HASHED: Final = ("sign-up", "sign-in", "password", "accounts", "second-factor", "remove")
"""Forms with a password, whose valid variations cost a hash each."""
WITHOUT_FORM: Final = {
    *(
        f"POST {API}/{page}"
        for page in (
            "guest",
            "practice-dealer",
            "sign-out",
            "verify",
            "passkeys/challenge",
            "software/checks",
            "floor/alerts/{alert}/seen",
        )
    ),
    *(f"POST {API}/accounts/{{name}}/{page}" for page in ("unlock", "admit", "sign-out")),
}


def test_every_form_is_tried() -> None:
    posted = {endpoint for endpoint in PERMISSIONS if endpoint.startswith("POST")}
    assert posted - WITHOUT_FORM == FORMS.keys()


@pytest.fixture(scope="module")
def attackers(server: ServerUnderAttack) -> dict[str, httpx.Client]:
    """Those who may send most: a supervisor, and others for what supervisors may not."""
    return {role: server.person(role) for role in ("supervisor", "cashier", "player")}


@pytest.mark.parametrize("endpoint", FORMS)
def test_hostile_values_in_a_form(
    server: ServerUnderAttack, attackers: dict[str, httpx.Client], endpoint: str
) -> None:
    method, path = endpoint.split(" ", 1)
    person = attackers[sender_of(path)]
    page = path.rpartition("/")[2]
    cookies = "; ".join(f"{name}={value}" for name, value in person.cookies.items())
    # Passkeys need a name in the address.
    named = {"Host": f"localhost:{server.port}", "Origin": f"http://localhost:{server.port}"}
    browser = server.browser(**named, **{"Content-Type": "application/json", "Cookie": cookies})
    bodies = list(with_every_field_spoilt(FORMS[endpoint]))
    for body in bodies[:: 4 if page in HASHED else 1]:
        # The answer may sign another account in.
        browser.cookies.clear()
        text = body.encode("utf-8", "surrogatepass")
        url = re.sub(r"\{\w+\}", "nobody", path.replace("{number}", "1"))
        answer = browser.request(method, url, content=text)
        assert answer.status_code in (200, 400, 401, 403, 404, 409, 422, 429), (body, answer.text)
        assert answer.headers["content-type"] == "application/json", body
        json.loads(answer.text)
    assert server.faults_logged() == []


@pytest.mark.parametrize("kind", SAMPLES)
async def test_hostile_values_in_a_command(
    server: ServerUnderAttack, attackers: dict[str, httpx.Client], kind: str
) -> None:
    """Every command is answered, or said to be malformed, and the socket goes on."""
    person = attackers["supervisor"]
    texts = list(with_every_field_spoilt(sample(kind)))
    for start in range(0, len(texts), 15):
        # A socket is closed after twenty invalid messages.
        async with server.socket(person, "draw-1") as socket:
            await receive(socket, "welcome")
            for number, text in enumerate(texts[start : start + 15]):
                wrapped = f'{{"type":"command","id":"{kind} {start + number}","command":{text}}}'
                await socket.send(wrapped)
            for _ in texts[start : start + 15]:
                message = {"type": "change"}
                while message["type"] not in ("answer", "problem"):
                    message = json.loads(await socket.recv())
                assert message.get("refused") not in ("failed", "stopped", "busy"), message
    assert server.healthy()


def test_hostile_values_in_paths_queries_and_headers(
    server: ServerUnderAttack, attackers: dict[str, httpx.Client]
) -> None:
    person = attackers["supervisor"]
    for text in HOSTILE_TEXTS:
        encoded = httpx.QueryParams({"x": text})
        part = str(encoded).partition("=")[2].replace("+", "%20")
        for path in (
            f"/tables/{part}/rounds",
            f"/tables/stadium-1/rounds/{part}",
            f"/tables/stadium-1/rounds?before={part}&limit={part}",
            f"/houses/{part}",
            f"/houses/online?fingerprint={part}",
        ):
            answer = person.get(f"{API}{path}")
            assert answer.status_code in (200, 404, 422, 429), (path, answer.text)
            assert answer.headers["content-type"].startswith(("application/json", "text/html"))
        if text.isprintable() and text.isascii():
            headers = {"Idempotency-Key": text or " ", "User-Agent": text, "X-Request-Id": text}
            try:
                answer = attackers["player"].post(f"{API}/wallet/top-up", headers=headers)
            except httpx.LocalProtocolError:
                continue
            assert answer.status_code in (200, 422), answer.text


async def test_nothing_hostile_was_kept(server: ServerUnderAttack, tmp_path: Path) -> None:
    """The record is whole, its texts are printable lines, and the log has one line for an event."""
    async with server.terminal(server.person("guest"), "stadium-1") as terminal:
        await terminal.sit(buy_in_cents=1000)
    with server.store(tmp_path) as store:
        report = audit(store)
        assert report.clean, "\n".join(map(str, report.findings))
        for stream in store.streams(""):
            for event in store.events(stream):
                check_printable(json.loads(event.body), f"{stream} {event.version}")
    for line in server.log_lines():
        if line.startswith("{"):
            check_printable(line, "the log")
            json.loads(line)


def check_printable(value: object, where: str) -> None:
    """Refuse control characters and characters that turn the direction of a line around."""
    if isinstance(value, dict):
        for key, inner in value.items():
            check_printable(key, where)
            check_printable(inner, where)
    elif isinstance(value, list):
        for inner in value:
            check_printable(inner, where)
    elif isinstance(value, str):
        wrong = [c for c in value if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp")]
        assert not wrong, (where, value)
