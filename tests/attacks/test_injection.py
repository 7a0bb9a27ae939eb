"""A caller puts SQL, HTML, control characters, directions of writing, Unicode digits, huge numbers,
NaN and deep JSON into every field of every form and of every command.

Each is refused in good order, or kept as the plain text that it is. Nothing that turns a line
around or clears a screen gets into the record, and no line of the log is forged.
"""

import json
import re
import unicodedata
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from openfelt.protocol.messages import API
from openfelt.runtime.audit import audit
from openfelt.table.role_permissions import PERMISSIONS
from tests.kit.attacks.commands import SAMPLES, sample
from tests.kit.attacks.hostile_values import HOSTILE_TEXTS, with_every_field_spoilt
from tests.kit.attacks.server_under_attack import PASSWORD, ServerUnderAttack, receive

PASSKEY: Final = {
    "id": "AAAA",
    "client_data": "e30",
    "authenticator_data": "AAAA",
    "signature": "AAAA",
}
DRAWER: Final = f"{API}/cage/drawers/{{drawer}}"
TRAY: Final = f"{API}/tables/{{table}}/tray"
VOUCHER: Final = "0000-0000-0000-0001"
COUNT: Final = [{"denomination_cents": 2000, "pieces": 5}]

_DRAFT: Final[dict[str, Any]] = {
    "house": "washington",
    "qualifying": {"hand": "pair", "at_least": None},
    "before_flop": [4, 3],
    "on_flop": [2],
    "on_river": [1],
    "wagers": [
        {
            "kind": "trips",
            "min_cents": 100,
            "max_cents": 10_000,
            "step_cents": 100,
            "paytable": "UTH-01",
            "rows": [{"pays": "50", "envy": 0}],
        }
    ],
}
FORMS: Final[dict[str, dict[str, Any]]] = {
    f"POST {API}/sign-up": {"name": "injected", "password": PASSWORD},
    f"POST {API}/sign-in": {"name": "nobody", "password": PASSWORD, "code": "123456"},
    f"POST {API}/second-factor": {"password": "a wrong passphrase"},
    f"POST {API}/second-factor/confirm": {"code": "123456"},
    f"POST {API}/second-factor/remove": {"code": "123456", "password": "a wrong passphrase"},
    f"POST {API}/passkeys": {"password": "a wrong passphrase"},
    f"POST {API}/passkeys/confirm": {
        "name": "Phone",
        "id": "AAAA",
        "client_data": "e30",
        "attestation": "oA",
    },
    f"POST {API}/passkeys/{{passkey}}/remove": {"password": "a wrong one", "passkey": PASSKEY},
    f"POST {API}/accounts/{{name}}/public-name": {"public_name": "Dora"},
    f"POST {API}/password": {"password": PASSWORD, "new_password": PASSWORD},
    f"POST {API}/wallet/top-up": {"id": "filled"},
    f"POST {API}/accounts": {"name": "opened", "password": PASSWORD, "role": "dealer"},
    f"POST {API}/accounts/{{name}}/role": {"role": "dealer"},
    f"POST {API}/accounts/{{name}}/bar": {"reason": "A reason."},
    f"POST {API}/terminals": {"label": "By the door"},
    f"POST {API}/tables": {
        "table": "made",
        "house": "online",
        "dealer_mode": "virtual",
        "clock": {"wager_seconds": 10, "decision_seconds": 10},
        "link": "house-link",
    },
    f"POST {API}/tables/private": {"house": "online"},
    f"POST {API}/accounts/{{name}}/badge": {"badge": "4711", "pin": "730184"},
    f"POST {API}/dealer/sign-on": {"badge": "4711", "pin": "730184", "new_pin": "918273"},
    f"POST {API}/dealer/handover": {"badge": "4711", "pin": "730184", "new_pin": "918273"},
    f"POST {API}/dealer/handover/confirm": {"approval": "ab" * 16},
    f"POST {API}/dealer/approvals": {
        "act": "void_round",
        "table": "pit-1",
        "badge": "4711",
        "pin": "730184",
    },
    f"POST {API}/floor/checkpoints": {"note": "Before the break."},
    f"POST {API}/floor/alerts/{{alert}}/close": {"reason": "The shoe was changed."},
    f"POST {API}/links": {
        "link": "made",
        "percent": "12.5",
        "seed_cents": 1000,
        "ceiling_cents": 5000,
        "reason": "A new hall.",
    },
    f"POST {API}/links/{{link}}/rates": {
        "percent": "12.5",
        "seed_cents": 1000,
        "ceiling_cents": 5000,
        "reason": "A slower meter.",
    },
    f"POST {API}/links/{{link}}/pause": {"reason": "The sign is dark."},
    f"POST {API}/links/{{link}}/resume": {"reason": "The sign is lit."},
    f"POST {API}/links/{{link}}/retire": {"reason": "The end.", "into": "house-link"},
    f"POST {API}/disputes": {"table": "pit-1", "round": 1, "note": "Why?", "seats": [1]},
    f"POST {API}/audit/recalls": {"table": "pit-1", "round": 1, "seats": [1]},
    f"POST {API}/audit/verifications": {"full": False},
    f"POST {API}/audit/exports": {
        "tables": ["rounds"],
        "format": "csv",
        "first": "2026-01-01",
        "last": "2026-01-31",
    },
    f"POST {API}/disputes/{{dispute}}/notes": {"note": "The video was seen."},
    f"POST {API}/disputes/{{dispute}}/outcome": {"outcome": "rejected", "note": "It was folded."},
    f"POST {API}/readers": {"table": "pit-1", "label": "Shoe"},
    f"POST {API}/tables/{{table}}/cards": {"id": "card-1", "card": "As"},
    f"POST {API}/tables/{{table}}/rules": {
        "id": "rules-1",
        "reason": "A quiet evening.",
        "house": "online",
        "wagers": [{"kind": "ante", "min_cents": 500, "max_cents": 5000, "paytable": "UTH-01"}],
    },
    f"POST {API}/tables/{{table}}/clock": {
        "id": "clock-1",
        "reason": "A quiet evening.",
        "clock": {"wager_seconds": 40, "decision_seconds": 20},
    },
    f"POST {API}/tables/{{table}}/link": {"id": "link-1", "reason": "New.", "link": "house-link"},
    f"POST {API}/terminals/{{terminal}}/label": {"label": "Bank 7"},
    f"POST {API}/terminals/{{terminal}}/state": {"state": "locked", "reason": "A spill."},
    f"POST {API}/limits": {"id": "limit-1", "kind": "loss", "period": "day", "most": 500_000},
    f"POST {API}/accounts/{{name}}/limits": {
        "id": "limit-2",
        "kind": "time",
        "period": "week",
        "most": 600,
        "reason": "Asked for.",
    },
    f"POST {API}/accounts/{{name}}/exclusion": {
        "id": "stop-2",
        "term": "half_year",
        "reason": "Asked for.",
    },
    f"POST {API}/vouchers": {"id": "order-1", "cents": 500},
    f"POST {API}/vouchers/redeem": {"id": "use-1", "code": VOUCHER},
    f"POST {API}/cage/vouchers/look-up": {"code": VOUCHER},
    f"POST {DRAWER}/open": {"id": "open-1", "count": COUNT},
    f"POST {DRAWER}/cash-in": {"id": "in-1", "player": "nobody", "cents": 500, "note": "Two."},
    f"POST {DRAWER}/cash-out": {"id": "out-1", "player": "nobody", "cents": 500, "note": "Two."},
    f"POST {DRAWER}/voucher-in": {"id": "take-1", "code": VOUCHER},
    f"POST {DRAWER}/voucher-out": {"id": "sell-1", "cents": 500},
    f"POST {DRAWER}/payouts": {
        "id": "ask-1",
        "player": "nobody",
        "cents": 400_000,
        "code": VOUCHER,
        "note": "A large win.",
    },
    f"POST {DRAWER}/payouts/{{number}}/approve": {"id": "yes-1"},
    f"POST {DRAWER}/payouts/{{number}}/reject": {"id": "no-1", "reason": "Not today."},
    f"POST {DRAWER}/payouts/{{number}}/pay": {"id": "pay-1"},
    f"POST {TRAY}/counts": {
        "id": "count-1",
        "moment": "opening",
        "count": COUNT,
        "reason": "One is missing.",
    },
    f"POST {TRAY}/counts/{{number}}/sign": {"id": "sign-1"},
    f"POST {TRAY}/counts/{{number}}/drop": {"id": "drop-1", "reason": "Count again."},
    f"POST {TRAY}/chips": {"id": "fill-1", "kind": "fill", "count": COUNT, "note": "Reds."},
    f"POST {TRAY}/chips/{{number}}/give": {"id": "give-1"},
    f"POST {TRAY}/chips/{{number}}/receive": {"id": "receive-1"},
    f"POST {TRAY}/chips/{{number}}/refuse": {"id": "refuse-1", "reason": "Not today."},
    f"POST {DRAWER}/close": {"id": "close-1", "count": COUNT, "reason": "It was dark."},
    # It is the last one, because it ends the player's session.
    f"POST {API}/exclusion": {"id": "stop-1", "term": "day"},
    f"POST {API}/software/houses": {"houses": ["riverside"], "reason": "It was approved."},
    f"POST {API}/drafts/figures": _DRAFT,
    f"POST {API}/drafts/files": _DRAFT
    | {"id": "own-felt", "name": "Own felt", "reason": "a better Blind"},
}
"""A valid form for every endpoint that takes one."""
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


def sender_of(path: str) -> str:
    """Who may send a form."""
    if re.search("/cage/", path) and not re.search("approve|reject", path):
        return "cashier"
    own = f"wallet|private|password|{API}/(vouchers|limits|exclusion)"
    return "player" if re.search(own, path) else "supervisor"


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
        # A socket is closed after twenty messages that are none.
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
