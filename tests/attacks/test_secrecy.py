"""A viewer reads the wire for a card that lies hidden: the dealer's, another's, the next one.

Whole rounds of every house are played, with viewers of every kind at every table. Which cards each
of them may know at each version is worked out from the stored events, without the code that makes
the views. Everything that was sent is read: frames, lobby, histories, replays, proofs, metrics and
the server's log.
"""

import asyncio
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest

from openfelt.catalog import load_catalog
from openfelt.protocol.api_prefix import API
from tests.kit.attacks.server_under_attack import ServerUnderAttack, get, post
from tests.kit.fuzz.findings import Findings, Participant
from tests.kit.fuzz.messages import CARDS
from tests.kit.fuzz.people import FuzzedTerminal
from tests.kit.server.seen_cards import Frame, Moment, Seen, leaks, may_see, records

SHORT: Final = {"wager_seconds": 1, "decision_seconds": 1}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "secret-stadium": {"house": "stadium", "dealer_mode": "virtual", "clock": SHORT},
    "secret-washington": {
        "house": "washington",
        "dealer_mode": "virtual",
        "clock": SHORT,
        "link": "house-link",
    },
    "secret-california": {"house": "california", "dealer_mode": "virtual", "clock": SHORT},
    "secret-draw": {"house": "draw", "dealer_mode": "virtual", "clock": SHORT},
    "secret-live": {"house": "washington", "dealer_mode": "live"},
}
PLAYERS: Final = ("guest", "guest", "player")
WATCHERS: Final = ("anonymous", "guest", "auditor")
"""Those who look on and hold no cards; staff do so too."""
ENDING: Final = frozenset(
    ("leave_seat", "collect", "void_round", "close_table", "change_dealer", "correct_card")
)
ROUNDS: Final = 2
PATIENCE_SECONDS: Final = 240
_CARD: Final = re.compile(r"(?<![0-9A-Za-z.])[2-9TJQKA][cdhs](?![0-9A-Za-z])")


class SteadyTerminal(FuzzedTerminal):
    """A terminal that plays on: its owner neither leaves nor stops the table."""

    async def play(self) -> None:
        """Do something that the table offers."""
        may = self.view.private.get("may", [])
        self.view.private["may"] = [kind for kind in may if kind not in ENDING]
        await super().play()

    async def go_home(self) -> None:
        """Take the credit to the other tables: what lies at a table is not topped up."""
        if "leave_seat" in self.view.private.get("may", []):
            await self._ask({"kind": "leave_seat", "seat": self.view.private["seat"]})


@dataclass
class Evening:
    """What was played, who looked on, and everything that was sent."""

    findings: Findings
    players: dict[str, httpx.Client]
    """By the names under which they play."""
    staff: dict[str, httpx.Client]
    tables: list[str]


@pytest.fixture(scope="module")
def evening(server: ServerUnderAttack) -> Evening:
    """Rounds at every table, with all participants looking on."""
    for table, form in TABLES.items():
        server.open_table(table, **form)
    players = {get(one, "/me")["player"]: one for one in map(server.person, PLAYERS)}
    owner = next(iter(players))
    private = post(players[owner], "/tables/private", {"house": "online"})["table"]
    staff = {role: server.person(role) for role in ("dealer", "supervisor", "auditor")}
    evening = Evening(Findings(), players, staff, [*TABLES, private])
    asyncio.run(asyncio.wait_for(play(server, evening, owner), PATIENCE_SECONDS))
    return evening


async def play(server: ServerUnderAttack, evening: Evening, owner: str) -> None:
    """Let all participants come to every table, and play until each has had its rounds."""
    acting, watching = [], []
    private = evening.tables[-1]
    for number, (name, browser) in enumerate(evening.players.items()):
        who = Participant(name, "player", cookies(browser), [])
        tables = [*TABLES, private] if name == owner else list(TABLES)
        acting += [terminal(server, table, who, number, evening) for table in tables]
    dealer = evening.staff["dealer"]
    who = Participant(get(dealer, "/me")["name"], "dealer", cookies(dealer), [])
    acting.append(terminal(server, "secret-live", who, 99, evening))
    for role in (*WATCHERS, "dealer", "supervisor"):
        browser = evening.staff.get(role) or server.person(role)
        who = Participant(role, "watcher", cookies(browser), [])
        watching += [terminal(server, table, who, 0, evening) for table in TABLES]
    for one in (*acting, *watching):
        await one.come()
    await sign_on(acting[-1], who=get(dealer, "/me")["name"])
    looking = [*watching, private_one(acting, private)]
    turns = itertools.count()
    while playing := {one._table for one in looking if not done(one)}:
        if (turn := next(turns)) % 20 == 10:
            for browser in evening.players.values():
                await asyncio.to_thread(post, browser, "/wallet/top-up", {"id": f"{turn}"})
        for one in acting:
            if one._table in playing:
                await one.play()
            else:
                await one.go_home()
        await asyncio.sleep(0.05)
    for one in (*acting, *watching):
        await one.settle()
        await one.leave()


async def sign_on(dealer: FuzzedTerminal, *, who: str) -> None:
    """Let the dealer take over the live table."""
    await dealer._ask({"kind": "change_dealer", "dealer": who})
    await dealer.settle()


def private_one(acting: list[SteadyTerminal], private: str) -> SteadyTerminal:
    return next(one for one in acting if one._table == private)


def done(terminal: FuzzedTerminal) -> bool:
    """Whether a terminal has seen enough rounds come to their end."""
    state = terminal.view.public.get("round") or {}
    over = state.get("phase") in ("settled", "voided")
    return int(state.get("number", 0)) >= ROUNDS + (not over)


def terminal(
    server: ServerUnderAttack, table: str, who: Participant, seed: int, evening: Evening
) -> SteadyTerminal:
    return SteadyTerminal(server.address, table, who, Random(seed), evening.findings)


def cookies(browser: httpx.Client) -> str:
    return "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)


Ends = dict[tuple[str, int], int]
"""The version at which each round of each table came to its end."""


@pytest.fixture(scope="module")
def kept(
    server: ServerUnderAttack, evening: Evening, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Seen], Ends]:
    """What the store says, at one moment: tables go on by their clocks."""
    ends: Ends = {}
    with server.store(tmp_path_factory.mktemp("kept")) as store:
        for table in evening.tables:
            over = [
                event.version
                for event in store.events(f"table/{table}")
                if event.name in ("round_settled", "round_voided")
            ]
            ends |= {(table, number): version for number, version in enumerate(over, start=1)}
        return records(store), ends


@pytest.fixture(scope="module")
def seen(kept: tuple[dict[str, Seen], Ends]) -> dict[str, Seen]:
    """What each player was allowed to know at each version, by the stored events."""
    return kept[0]


@pytest.fixture(scope="module")
def ends(kept: tuple[dict[str, Seen], Ends]) -> Ends:
    """Where the rounds ended."""
    return kept[1]


def test_every_house_is_played(evening: Evening, seen: dict[str, Seen]) -> None:
    played = {form["house"] for form in TABLES.values()} | {"online"}
    assert played == load_catalog().houses.keys()
    for table in evening.tables:
        assert len(seen[table].rounds) >= ROUNDS, table
    assert evening.findings.faults == []


def test_no_frame_names_a_hidden_card(evening: Evening, seen: dict[str, Seen]) -> None:
    frames = evening.findings.frames
    assert list(leaks(frames, seen)) == []
    changes = [frame for frame in frames if "version" in frame.message and not frame.sent]
    telling = [frame for frame in changes if hides(frame, seen)]
    assert len(telling) > 200
    # The check itself is not blind: any other card in any of these frames would be found.
    for frame in telling[:: len(telling) // 20]:
        moment = seen[frame.table].moments[frame.message["version"]]
        hidden = [card for card in CARDS if card not in may_see(frame, moment)]
        spoilt = [replace(frame, text=f'{frame.text[:-1]},"x":"{card}"}}') for card in hidden]
        assert len(list(leaks(spoilt, seen))) == len(hidden) > 0


def hides(frame: Frame, seen: dict[str, Seen]) -> bool:
    return seen[frame.table].moments[frame.message["version"]].hidden > 0


def test_every_kind_of_viewer_was_sent_cards(evening: Evening) -> None:
    viewers = {frame.viewer for frame in evening.findings.frames if _CARD.search(frame.text)}
    assert viewers == {None, *evening.players}


# Rounds that are over ----------------------------------------------------------------------------


def own_rounds(evening: Evening) -> Iterator[tuple[str, httpx.Client, str, int]]:
    """Every finished round of every player."""
    for name, browser in evening.players.items():
        for table in evening.tables:
            answer = browser.get(f"{API}/tables/{table}/rounds")
            for line in answer.json() if answer.status_code == 200 else ():
                yield name, browser, table, line["number"]


def test_a_replay_and_a_proof_name_own_and_open_cards_alone(
    evening: Evening, seen: dict[str, Seen], ends: Ends
) -> None:
    looked = 0
    for name, browser, table, number in own_rounds(evening):
        if (table, number) not in ends:
            continue  # The clock has ended another round meanwhile.
        moment = seen[table].moments[ends[table, number]]
        allowed = moment.open_cards | moment.own_cards.get(name, frozenset())
        for page in ("", "/proof"):
            answer = browser.get(f"{API}/tables/{table}/rounds/{number}{page}")
            if answer.status_code == 409:
                continue  # Real cards have no proof.
            assert answer.status_code == 200, answer.text
            named = named_in(answer.text)
            assert named, (table, page)
            assert named <= allowed, (name, table, number, page, named - allowed)
            looked += 1
    assert looked > 20


def test_a_round_is_no_other_players_and_staff_see_turned_cards_alone(
    evening: Evening, seen: dict[str, Seen], ends: Ends
) -> None:
    stranger = next(iter(evening.players.values()))
    name = next(iter(evening.players))
    own = {(table, number) for who, _, table, number in own_rounds(evening) if who == name}
    for (table, number), version in ends.items():
        path = f"{API}/tables/{table}/rounds/{number}"
        if (table, number) not in own:
            assert stranger.get(path).status_code == 404
            assert stranger.get(f"{path}/proof").status_code == 404
        for role, browser in evening.staff.items():
            assert browser.get(path).status_code == 404, role
            answer = browser.get(f"{path}/proof")
            if role == "dealer":
                assert answer.status_code == 404
            elif answer.status_code == 200:
                assert named_in(answer.text) <= seen[table].moments[version].turned, role


def named_in(text: str) -> set[str]:
    """The cards that a text names."""
    return set(_CARD.findall(text))


def test_no_other_page_and_no_line_of_the_log_names_a_card(
    server: ServerUnderAttack, evening: Evening, tmp_path: Path
) -> None:
    supervisor = evening.staff["supervisor"]
    for path in (f"{API}/tables", f"{API}/links", "/healthz", "/metrics", f"{API}/me"):
        assert named_in(supervisor.get(path).text) == set(), path
    assert [line for line in server.log_lines() if named_in(line)] == []
    with server.store(tmp_path) as store:
        outside = [name for name in store.streams("") if not name.startswith("table/")]
        told = (event.body for name in outside for event in store.events(name))
        assert not any(named_in(body) for body in told)


def test_the_check_knows_that_a_moment_hides_something(seen: dict[str, Seen]) -> None:
    moments: list[Moment] = [moment for table in seen.values() for moment in table.moments.values()]
    assert sum(moment.hidden > 0 for moment in moments) > 50
