"""A caller calls an endpoint, or gives a command, that is for another role.

Every kind of caller is tried on every endpoint and with every command of a real server. What is
expected comes from the server's own table, which docs/reference/permissions.md prints.
"""

import re
from typing import Any, Final

import httpx
import pytest

from openfelt.protocol.api_prefix import API
from openfelt.table.command_permissions import COMMAND_ROLES
from openfelt.table.commands import Role
from openfelt.table.role_permissions import (
    PAGES,
    PERMISSIONS,
    TABLE_ROLES,
    CallerKind,
)
from tests.kit.attacks.commands import SAMPLES, command_type, sample
from tests.kit.attacks.server_under_attack import ROLES, ServerUnderAttack, ask, get, post, receive
from tests.kit.fuzz.messages import KINDS

PARTS: Final = {
    "{name}": "nobody-at-all",
    "{terminal}": "0" * 64,
    "{table}": "stadium-1",
    "{house}": "online",
    "{drawer}": "window-1",
    "{number}": "1",
    "{dispute}": "1",
    "{link}": "house-link",
    "{alert}": "1",
    "{path:path}": "index.html",
}
"""What stands for the parts of a path."""
BY_ROLE: Final = re.compile(r"An? \w+ may not do that\.")
"""How the table of commands refuses; a condition of the table is refused in other words."""


@pytest.fixture(scope="module")
def people(server: ServerUnderAttack) -> dict[str, httpx.Client]:
    """One person of every kind."""
    return {role: server.person(role) for role in ROLES}


def test_the_kit_knows_every_kind_of_caller_and_of_command() -> None:
    assert set(ROLES) == set(CallerKind)
    assert SAMPLES.keys() == KINDS.keys()


# Endpoints -------------------------------------------------------------------------------


def test_every_endpoint_has_a_line_and_every_line_an_endpoint(server: ServerUnderAttack) -> None:
    paths = get(server.browser(), "/openapi.json")["paths"]
    described = {f"{method.upper()} {path}" for path in paths for method in paths[path]}
    rest = {
        "WEBSOCKET /ws/tables/{table}",
        "GET /{path:path}",
        f"GET {API}/openapi.json",
        f"GET {API}/asyncapi.json",
    }
    assert described | rest == PERMISSIONS.keys()


@pytest.mark.parametrize("role", ROLES)
def test_an_endpoint_answers_those_who_may_call_it_and_no_others(
    server: ServerUnderAttack, people: dict[str, httpx.Client], role: str
) -> None:
    wrong = []
    # A caller who signs out can call nothing afterwards.
    for endpoint in sorted(PERMISSIONS, key=lambda name: name.endswith(f"{API}/sign-out")):
        permission = PERMISSIONS[endpoint]
        answer = call(server, people[role], endpoint)
        if answer is None:
            continue
        admitted = answer.status_code not in (401, 403)
        expected = CallerKind(role) in permission.callers or permission.this_machine
        if admitted != expected or answer.status_code >= 500:
            wrong.append((endpoint, answer.status_code, answer.text[:100]))
        if not admitted:
            code = "signed_out" if role == "anonymous" else "not_allowed"
            assert answer.json()["code"] == code, (endpoint, answer.text)
    assert wrong == []
    post(people[role], "/sign-out")
    if role not in ("anonymous", "guest"):
        assert get(people[role], "/me")["name"] is None
    people[role] = server.person(role)


def call(server: ServerUnderAttack, person: httpx.Client, endpoint: str) -> httpx.Response | None:
    """Call an endpoint as this person, whose browser keeps its cookies; None for sockets."""
    method, path = endpoint.split(" ", 1)
    if method == "WEBSOCKET":
        return None
    for part, value in PARTS.items():
        path = path.replace(part, value)
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in person.cookies.jar)
    headers = {"Origin": server.address} | ({"Cookie": cookies} if cookies else {})
    body: Any = None if method in ("GET", "DELETE") else {}
    return httpx.request(
        method, f"{server.address}{path}", headers=headers, json=body, verify=False, timeout=60
    )


def test_a_refusal_does_not_tell_who_has_an_account(
    server: ServerUnderAttack, people: dict[str, httpx.Client]
) -> None:
    for page in ("unlock", "admit", "sign-out"):
        answers = {
            people["player"].post(f"{API}/accounts/{name}/{page}").text
            for name in ("supervisor", "nobody-at-all", "system", "x" * 60)
        }
        assert len(answers) == 1


def test_a_refusal_does_not_tell_who_has_a_private_table(
    server: ServerUnderAttack, people: dict[str, httpx.Client]
) -> None:
    ann = server.person("player")
    secret = post(ann, "/tables/private", {"house": "online"})["table"]
    # The same table is looked for of a player who has none.
    invented = secret.replace(get(ann, "/me")["player"], "nobody-at-all")
    for role in ("anonymous", "guest", "player", "dealer"):
        told = [
            [answer.status_code, answer.json()["code"]]
            for table in (secret, invented)
            for answer in (
                people[role].post(
                    f"{API}/dealer/approvals", json={"act": "void_round", "table": table}
                ),
                people[role].get(f"{API}/tables/{table}/card-codes"),
                people[role].get(f"{API}/tables/{table}/cards"),
                people[role].get(f"{API}/tables/{table}/rounds"),
                people[role].get(f"{API}/tables/{table}/visit"),
                people[role].get(f"{API}/tables/{table}/rounds/1/proof"),
                people[role].get(f"{API}/tables/{table}/rounds/1/coach"),
            )
        ]
        assert told[: len(told) // 2] == told[len(told) // 2 :], role


QUESTIONS = {
    "POST /api/v1/software/checks",
    "POST /api/v1/audit/recalls",
    "POST /api/v1/audit/verifications",
    "POST /api/v1/audit/exports",
    "POST /api/v1/drafts/figures",
    "POST /api/v1/drafts/files",
}
"""What an auditor asks by POST. That the program or the record was checked or read is recorded;
figures of terms that are tried out change nothing."""


def test_an_auditor_reads_what_a_supervisor_reads_and_changes_only_the_own_account() -> None:
    of_staff = {
        endpoint: permission.callers
        for endpoint, permission in PERMISSIONS.items()
        if CallerKind.SUPERVISOR in permission.callers
    }
    reads = {endpoint for endpoint in of_staff if endpoint.startswith(("GET ", "WEBSOCKET "))}
    assert {endpoint for endpoint in reads if CallerKind.AUDITOR not in of_staff[endpoint]} == set()
    beyond_players = {
        endpoint
        for endpoint, permission in PERMISSIONS.items()
        if CallerKind.AUDITOR in permission.callers and CallerKind.PLAYER not in permission.callers
    }
    assert beyond_players - reads == QUESTIONS


@pytest.mark.parametrize("role", ROLES)
def test_a_caller_is_told_the_pages_that_the_table_says(
    people: dict[str, httpx.Client], role: str
) -> None:
    expected = [name for name, page in PAGES.items() if CallerKind(role) in page.callers]
    assert get(people[role], "/me")["pages"] == expected


# Commands --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def tables(server: ServerUnderAttack) -> dict[str, bool]:
    """A live table and a virtual one, and whether each is virtual."""
    live = server.open_table("matrix-live", "washington", dealer_mode="live")
    virtual = server.open_table("matrix-virtual", "washington", dealer_mode="virtual")
    return {live: False, virtual: True}


@pytest.mark.parametrize("role", ROLES)
async def test_a_command_is_decided_for_those_who_may_give_it_and_no_others(
    server: ServerUnderAttack, people: dict[str, httpx.Client], tables: dict[str, bool], role: str
) -> None:
    for table, virtual in tables.items():
        async with server.socket(people[role], table) as socket:
            answer = await receive(socket, "welcome")
            for kind in SAMPLES:
                before, answer = answer, await ask(socket, kind, sample(kind))
                if may_give(role, kind, virtual=virtual):
                    assert not BY_ROLE.fullmatch(answer["sentence"] or ""), (kind, answer)
                    continue
                code = "not_allowed" if role in TABLE_ROLES else "signed_out"
                assert answer["refused"] == code, (table, kind, answer)
                assert answer["version"] == before["version"], (table, kind, answer)
            if may_give(role, "reopen_table", virtual=virtual):
                await ask(socket, "open again", sample("reopen_table"))


def may_give(role: str, kind: str, *, virtual: bool) -> bool:
    """Whether a caller may ever give a command of this kind at a table."""
    roles = COMMAND_ROLES[command_type(kind)]
    allowed = roles.roles - {Role.DEALER} if roles.dealer_only_live and virtual else roles.roles
    return TABLE_ROLES.get(CallerKind(role)) in allowed


async def test_a_private_table_is_there_for_its_player_and_for_control_alone(
    server: ServerUnderAttack, people: dict[str, httpx.Client]
) -> None:
    owner = server.person("guest")
    table = post(owner, "/tables/private", {"house": "online"})["table"]
    for role, person in {**people, "owner": owner}.items():
        async with server.bare_socket(person, table) as socket:
            if role in ("owner", "supervisor", "auditor"):
                continue
            await socket.wait_closed()
            assert (role, socket.close_code) == (role, 4004)
        listed = {line["table"] for line in get(person, "/tables")}
        assert table not in listed, role
        if role != "anonymous":
            assert person.get(f"{API}/tables/{table}/rounds").status_code == 404, role
            assert person.get(f"{API}/tables/{table}/rounds/1/proof").status_code == 404, role
