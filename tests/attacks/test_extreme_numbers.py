"""A caller puts numbers at and beyond the edges of machines into every place that takes a number:
forms, addresses, commands, greetings and the command line.

Each is refused with a sentence, or is a number like any other. None of them stops a server, is an
error in its log, or makes a balance that is not a whole number of cents.
"""

import json
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

import httpx
import msgspec
import pytest
from typer.core import TyperGroup
from typer.main import get_command
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from openfelt.cli.app import app
from openfelt.protocol.api_prefix import API
from openfelt.protocol.messages import PROTOCOL, CommandAsked
from openfelt.runtime.audit import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import CageSettings, Limits
from openfelt.storage.addresses import open_store
from tests.kit.attacks.commands import SAMPLES
from tests.kit.attacks.extreme_numbers import EXTREME_TEXTS, EXTREMES, number_fields
from tests.kit.attacks.forms import FORMS, sender_of
from tests.kit.cli.commands import complaint
from tests.kit.postgres_server import PostgresServer
from tests.kit.server.api_description import FILE
from tests.kit.server.open_house import PASSWORD, settings_in
from tests.kit.server.real_server import served

DESCRIPTION: Final = json.loads(FILE.read_text(encoding="utf-8"))
PLACES: Final = {
    "table": "demo-1",
    "drawer": "window-1",
    "link": "house-link",
    "house": "washington",
    "name": "ann",
}
FLOAT: Final = [{"denomination_cents": 10_000, "pieces": 20}]
ROLES: Final = ("supervisor", "cashier", "player", "dealer", "auditor")
ENDPOINTS: Final = [
    f"{method.upper()} {path}"
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
    if operation.get("parameters")
]
COMMANDS: Final = msgspec.json.schema(CommandAsked)
OFTEN: Final = Rate(per_minute=600_000, burst=600_000)
LIMITS: Final = Limits(
    requests=OFTEN,
    account_requests=OFTEN,
    heavy=OFTEN,
    limit_changes=OFTEN,
    socket_openings=OFTEN,
    commands=OFTEN,
)
ONE_SOCKET: Final = 15
"""A socket is closed after twenty invalid messages."""
NEEDED: Final = {"simulate": ("washington", "--rounds=10"), "scan": ("demo-1", "--token=x")}
"""What some commands need before they look at their options."""
FAULTS: Final = ("failed", "stopped", "busy")
_IDS: Final = count(1)


@dataclass
class Floor:
    """A server, and a browser of each who may send numbers."""

    address: str
    people: dict[str, httpx.Client]
    every: int
    """Of the extreme numbers, one in so many is tried in a place, others in the next."""


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(("sqlite", 4), id="sqlite"),
        pytest.param(("postgres", 4), id="postgres", marks=pytest.mark.variant),
        pytest.param(("sqlite", 1), id="sqlite-all", marks=pytest.mark.sweep),
        pytest.param(("postgres", 1), id="postgres-all", marks=pytest.mark.sweep),
    ],
)
def floor(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Floor]:
    """A starter floor with an open drawer, on a database of each kind; its record is whole."""
    kind, every = request.param
    folder = tmp_path_factory.mktemp("extremes")
    database = str(folder / "felt.db")
    if kind == "postgres":
        server: PostgresServer = request.getfixturevalue("postgres")
        database = server.fresh_database()
    cage = CageSettings(vouchers=True)
    settings = settings_in(folder, port=0, database=database, cage=cage, limits=LIMITS)
    with served(settings) as address, ExitStack() as stack:
        yield Floor(address, browsers(address, stack), every)
    with closing(open_store(database)) as store:
        report = audit(store, others=ACCOUNT_AUDITS)
        assert report.clean, "\n".join(map(str, report.findings))
        balances = store.balances()
        assert sum(balances.values()) == 0
        assert all(type(cents) is int for cents in balances.values())


def browsers(address: str, stack: ExitStack) -> dict[str, httpx.Client]:
    """A signed-in browser for each role."""
    people = {role: stack.enter_context(browser_at(address)) for role in ROLES}
    account = {"password": PASSWORD}
    post(people["player"], "/sign-up", account | {"name": PLACES["name"]})
    post(people["supervisor"], "/sign-in", account | {"name": "supervisor"})
    for role in ("cashier", "dealer", "auditor"):
        named = account | {"name": f"the-{role}"}
        post(people["supervisor"], "/accounts", named | {"role": role, "temporary": False})
        post(people[role], "/sign-in", named)
    post(people["cashier"], "/cage/drawers/window-1/open", {"id": "1", "count": FLOAT})
    return people


def browser_at(address: str) -> httpx.Client:
    """A browser in which no account is signed in."""
    headers = {"Origin": address, "Content-Type": "application/json"}
    return httpx.Client(base_url=f"{address}{API}", headers=headers, timeout=60, verify=False)


def post(browser: httpx.Client, path: str, form: dict[str, Any]) -> None:
    """Post a form that is accepted."""
    answer = browser.post(path, json=form)
    assert answer.status_code == 200, (path, answer.text)


def some(extremes: tuple[str, ...], floor: Floor, number: int) -> tuple[str, ...]:
    """The numbers that are tried in the place of this number."""
    return extremes[number % floor.every :: floor.every]


def faults(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the server has logged as an error of its own."""
    return [line.getMessage() for line in caplog.records if line.levelno >= logging.ERROR]


def at(path: str, **changed: str) -> str:
    """A path of the description at this floor."""
    return re.sub(
        r"\{(\w+)\}",
        lambda found: changed.get(found[1], PLACES.get(found[1], "1")),
        path.removeprefix(API),
    )


def body_schema(endpoint: str) -> dict[str, Any]:
    """The schema of what an endpoint takes."""
    method, path = endpoint.split(" ")
    content = DESCRIPTION["paths"][path][method.lower()]["requestBody"]["content"]
    schema: dict[str, Any] = next(iter(content.values()))["schema"]
    return schema


def test_every_number_of_a_form(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    tried = 0
    definitions = DESCRIPTION["components"]["schemas"]
    for endpoint, form in FORMS.items():
        method, path = endpoint.split(" ")
        browser = floor.people[sender_of(path)]
        for number, place in enumerate(number_fields(body_schema(endpoint), definitions)):
            for text in some(EXTREMES, floor, number):
                named = form | ({"id": f"extreme-{next(_IDS)}"} if "id" in form else {})
                body = place.put(named, text)
                answer = browser.request(method, at(path), content=body)
                check_refusal(answer, f"{endpoint} {place} {text[:40]}", may=place.takes(text))
                tried += 1
    assert tried > 300
    assert faults(caplog) == []


def check_refusal(answer: httpx.Response, where: str, *, may: bool) -> None:
    """An answer is a refusal with a sentence, unless the number may stand there."""
    allowed = (200, 400, 403, 404, 409, 422) if may else (400, 403, 404, 409, 422)
    assert answer.status_code in allowed, (where, answer.status_code, answer.text[:300])
    if answer.status_code != 200:
        told = answer.json()
        assert told["code"], (where, told)
        assert told["sentence"], (where, told)


def test_every_number_of_an_address(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    """Numbers in paths, and all that a query may say: a position in a list is a text."""
    tried = 0
    for number, endpoint in enumerate(ENDPOINTS):
        method, path = endpoint.split(" ")
        form = FORMS.get(endpoint)
        browser = floor.people[reader_of(path)]
        parameters = DESCRIPTION["paths"][path][method.lower()]["parameters"]
        required = {
            one["name"]: one["schema"].get("enum", ["1"])[0]
            for one in parameters
            if one["in"] == "query" and one.get("required")
        }
        for place in parameters:
            if place["in"] == "path" and place["name"] in PLACES:
                continue
            for text in some(EXTREME_TEXTS, floor, number):
                name = place["name"]
                url = at(path, **({name: text} if place["in"] == "path" else {}))
                query = required | ({name: text} if place["in"] == "query" else {})
                answer = browser.request(method, url, params=query, json=form)
                check_refusal(answer, f"{endpoint} {name} {text[:40]}", may=True)
                tried += 1
    assert tried > 300
    assert faults(caplog) == []


def reader_of(path: str) -> str:
    """Who may call an endpoint."""
    if "/audit" in path:
        return "auditor"
    return sender_of(path)


async def test_every_number_of_a_command(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    """Each is refused, or is a command like any other; the table goes on."""
    tried = 0
    for role, table in (("player", "washington-1"), ("supervisor", "demo-1")):
        texts = []
        for kind, reference in COMMANDS["discriminator"]["mapping"].items():
            places = number_fields({"$ref": reference}, COMMANDS["$defs"])
            for number, place in enumerate(places):
                form = {"kind": kind} | SAMPLES[kind]
                texts += [place.put(form, text) for text in some(EXTREMES, floor, number)]
        for start in range(0, len(texts), ONE_SOCKET):
            async with socket_of(floor, role, table) as socket:
                for text in texts[start : start + ONE_SOCKET]:
                    message = await answer_to(socket, f"extreme-{next(_IDS)}", text)
                    assert message.get("refused") not in FAULTS, (text[:200], message)
                    assert message.get("accepted") or message["sentence"], message
                    tried += 1
    assert tried > 300
    assert faults(caplog) == []


async def test_every_number_of_a_greeting(floor: Floor, caplog: pytest.LogCaptureFixture) -> None:
    for key in ("seen", "protocol"):
        for text in some(EXTREMES, floor, 0):
            hello = json.dumps({"type": "hello", "protocol": PROTOCOL} | {key: "@number@"})
            async with open_socket(floor, "player", "washington-1") as socket:
                await socket.send(hello.replace('"@number@"', text))
                with suppress(ConnectionClosed):
                    await socket.send('{"type":"ping"}')
                    while json.loads(await socket.recv())["type"] != "pong":
                        pass
            assert socket.close_code not in (1006, 1011), text
    assert faults(caplog) == []


def open_socket(floor: Floor, role: str, table: str) -> connect:
    """A socket of one role, without a hello."""
    cookies = floor.people[role].cookies.jar
    return connect(
        f"ws{floor.address.removeprefix('http')}/ws/tables/{table}",
        origin=Origin(floor.address),
        additional_headers={"Cookie": "; ".join(f"{one.name}={one.value}" for one in cookies)},
        max_size=None,
    )


@asynccontextmanager
async def socket_of(floor: Floor, role: str, table: str) -> AsyncIterator[ClientConnection]:
    """A socket of one role, which has a seat if it is a player."""
    async with open_socket(floor, role, table) as socket:
        await socket.send(json.dumps({"type": "hello", "protocol": PROTOCOL}))
        if role == "player":
            await answer_to(socket, f"sit-{next(_IDS)}", '{"kind":"take_seat","seat":1}')
        yield socket


async def answer_to(socket: ClientConnection, name: str, command: str) -> dict[str, Any]:
    """What the server answers to a command as it is written."""
    await socket.send(f'{{"type":"command","id":"{name}","command":{command}}}')
    while True:
        message: dict[str, Any] = json.loads(await socket.recv())
        if message["type"] in ("answer", "problem"):
            return message


def test_every_number_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    """Each option has a largest value, beyond which the program says so and does nothing."""
    tried, group = 0, get_command(app)
    assert isinstance(group, TyperGroup)
    for name, command in group.commands.items():
        for option in command.params:
            if not re.search(r"class '(int|float)'", str(getattr(option, "type_descriptor", ""))):
                continue
            for text in ("1e400", "NaN", str(10**30), "9" * 5000, str(-(10**30))):
                words = [name, *NEEDED.get(name, ()), f"{option.opts[0]}={text}"]
                told, code = complaint(capsys, *words)
                assert code == 2, (words, told)
                assert option.opts[0] in told or "must be a whole number" in told, (words, told)
                tried += 1
    assert tried > 100
