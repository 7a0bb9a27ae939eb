"""The whole application: its description, random requests against it, and its refusals."""

import contextlib
import re
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable

from openfelt.server.accounts.events import ACCOUNT_FORMS
from openfelt.server.limits.rates import Rate
from openfelt.server.settings import Limits
from tests.kit.cases import with_variants
from tests.kit.repository import ROOT
from tests.kit.server.api_description import api_description, described_operations
from tests.kit.server.open_house import SUPERVISOR, OpenHouse, open_house, settings_in
from tests.kit.server.real_server import served

PAGE = ROOT / "docs" / "reference" / "rest.md"
OFTEN = Rate(per_minute=60_000, burst=60_000)
LIMITS = Limits(requests=OFTEN, sign_ins=OFTEN, account_requests=OFTEN, heavy=OFTEN)


def test_the_description_lists_every_endpoint_of_the_contract() -> None:
    paths = api_description()["paths"]
    wanted = {
        "/api/v1/me": "get",
        "/api/v1/guest": "post",
        "/api/v1/sign-up": "post",
        "/api/v1/sign-in": "post",
        "/api/v1/sign-out": "post",
        "/api/v1/tables": "get",
        "/api/v1/tables/private": "post",
        "/api/v1/houses": "get",
        "/api/v1/houses/{house}": "get",
        "/api/v1/tables/{table}/rounds": "get",
        "/api/v1/tables/{table}/rounds/{number}": "get",
        "/api/v1/tables/{table}/rounds/{number}/proof": "get",
        "/api/v1/verify": "post",
        "/api/v1/wallet/top-up": "post",
        "/api/v1/links": "get",
        "/healthz": "get",
        "/metrics": "get",
    }
    for path, method in wanted.items():
        assert method in paths[path]
    assert not [path for path in paths if not path.startswith("/api/v1/") and path not in wanted]


def test_the_reference_lists_every_endpoint_once_and_no_other() -> None:
    written = re.findall(r"^\| `([A-Z]+ /[^`]*)`", PAGE.read_text(), flags=re.MULTILINE)
    paths = api_description()["paths"]
    assert sorted(written) == sorted(
        f"{method.upper()} {path}" for path, methods in paths.items() for method in methods
    )


def test_the_reference_lists_every_event_of_accounts() -> None:
    events = PAGE.read_text().partition("## Accounts in the record")[2]
    assert re.findall(r"^\| `(\w+)` ", events, flags=re.MULTILINE) == list(ACCOUNT_FORMS)


async def test_the_description_is_served(house: OpenHouse) -> None:
    client = await house.client()
    served_one = (await client.get("/api/v1/openapi.json")).json()
    assert served_one["paths"].keys() == api_description()["paths"].keys()
    for path in ("/docs", "/redoc"):
        assert "swagger" not in (await client.get(path)).text.lower()


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "not_found"),
        ("PUT", "/api/v1/me", 405, "method_not_allowed"),
        ("POST", "/api/v1/houses", 405, "method_not_allowed"),
        ("POST", "/api/v1/sign-in", 422, "malformed"),
        ("GET", "/api/v1/tables/NO/rounds", 422, "malformed"),
        ("GET", "/api/v1/tables/draw-1/rounds/0", 422, "malformed"),
    ],
)
async def test_every_refusal_has_a_code_and_a_sentence(
    house: OpenHouse, method: str, path: str, status: int, code: str
) -> None:
    guest = await house.guest()
    answer = await guest.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.json()["sentence"]


# Random requests -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("fuzzed")
    with served(settings_in(folder, port=0, limits=LIMITS)) as address:
        yield address


@pytest.fixture(scope="module")
def tokens(address: str) -> dict[bool, str]:
    """The token of a supervisor, for the endpoints of staff, and that of a guest for all others."""
    with httpx.Client(base_url=address) as client:
        guest = client.post("/api/v1/guest").cookies["openfelt_session"]
        signed_in = client.post("/api/v1/sign-in", json=SUPERVISOR)
        return {False: str(guest), True: str(signed_in.cookies["openfelt_session"])}


OPERATIONS = described_operations()


@cache
def operations() -> dict[str, Any]:
    """Every endpoint as Schemathesis knows it, which is imported where it is needed."""
    import schemathesis
    from schemathesis.core.result import Ok

    results = schemathesis.openapi.from_dict(api_description()).get_all_operations()
    known = {
        f"{result.ok().method.upper()} {result.ok().path}": result.ok()
        for result in results
        if isinstance(result, Ok)
    }
    assert known.keys() == set(OPERATIONS)
    return known


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("mode", with_variants(["positive", "negative"]))
def test_no_request_makes_an_endpoint_fail(
    name: str, mode: str, address: str, tokens: dict[bool, str]
) -> None:
    """Every response to a random request is one that the description allows."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.generation import GenerationMode
    from schemathesis.specs.openapi.checks import (
        content_type_conformance,
        response_schema_conformance,
    )

    checks = [not_a_server_error, response_schema_conformance, content_type_conformance]
    with httpx.Client(base_url=address) as client:
        # Signing up would end the guest's session as signing out does.
        if name not in ("POST /api/v1/sign-out", "POST /api/v1/sign-up"):
            staff = "/api/v1/accounts" in name or "/api/v1/terminals" in name
            staff = staff or name == "POST /api/v1/tables"
            client.headers["authorization"] = f"Bearer {tokens[staff]}"

        @settings(
            max_examples=15,
            derandomize=True,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operations()[name].as_strategy(generation_mode=GenerationMode(mode)))
        def ask(case: Any) -> None:
            answer = case.call(base_url=address, headers=dict(client.headers))
            case.validate_response(answer, checks=checks)

        # An endpoint without parameters has no invalid requests.
        with contextlib.suppress(Unsatisfiable):
            ask()


async def test_closing_ends_every_thread_that_was_started(tmp_path: Path) -> None:
    before = {thread.name for thread in threading.enumerate()}
    async with open_house(tmp_path):
        """Only opening and closing matter."""
    left = {thread.name for thread in threading.enumerate()} - before
    assert not [
        name for name in left if name.startswith(("openfelt", "passwords", "rounds", "returns"))
    ]
