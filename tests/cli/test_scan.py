"""``openfelt scan``: a simulated shuffler at a live table of a real server."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from openfelt.cli.exit_codes import ExitCode
from openfelt.client import Casino, Terminal
from openfelt.protocol import messages
from tests.kit.cli.commands import complaint, output
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, settings_in
from tests.kit.server.real_server import served

TABLE = "pit-3"
_Given = TypeVar("_Given")


class Pit:
    """A live table, and the token of its card reader."""

    def __init__(self, address: str, token: str) -> None:
        self.address = address
        self.token = token

    def words(self, *more: str) -> tuple[str, ...]:
        """The command line of a scan at this table, without a pause between cards."""
        where = ("--server", self.address, "--token", self.token, "--pace", "0")
        return ("scan", TABLE, *where, *more)


async def _opened(address: str) -> Pit:
    async with Casino(address) as supervisor:
        await supervisor.sign_in(**SUPERVISOR)
        live = {"table": TABLE, "house": "washington", "dealer_mode": "live"}
        await supervisor.post("/api/v1/tables", live)
        dealer = {"name": "dora", "password": PASSWORD, "role": "dealer", "temporary": False}
        await supervisor.post("/api/v1/accounts", dealer)
        issued = await supervisor.post("/api/v1/readers", {"table": TABLE, "label": "Shuffler"})
        return Pit(address, issued["token"])


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    with served(settings_in(tmp_path, port=0)) as address:
        yield asyncio.run(_opened(address))


async def _round(pit: Pit, act: Callable[[Terminal, Terminal], Any]) -> Any:
    """Open a round with one hand, close the bets, and act with the dealer and the player."""
    async with Casino(pit.address) as staff, Casino(pit.address) as guest:
        await staff.sign_in("dora", PASSWORD)
        await guest.guest()
        async with staff.table(TABLE) as dealer, guest.table(TABLE) as player:
            await player.sit(buy_in_cents=50_000)
            await dealer.ask(messages.ChangeDealer(dealer="dora"))
            await dealer.ask(messages.OpenBets())
            await player.until(lambda now: "set_wagers" in now.private.may)
            await player.bet(ante=1000)
            await dealer.ask(messages.CloseBets())
            return await act(dealer, player)


def step_of(terminal: Terminal) -> str | None:
    """What the table waits for."""
    return terminal.public.round.step if terminal.public.round else None


def street_of(terminal: Terminal) -> str | None:
    """The street of the round."""
    return terminal.public.round.street if terminal.public.round else None


def _past(step: str, street: str | None) -> Callable[[Terminal], bool]:
    return lambda now: (step_of(now), street_of(now)) != (step, street)


async def _play_to_confirmation(dealer: Terminal, player: Terminal) -> list[str]:
    """Check to the river and fold or call there, turn what is due; gives the common cards."""
    while True:
        await dealer.until(lambda now: step_of(now) != "card")
        step = step_of(dealer)
        if step == "decisions":
            await player.until(lambda now: "decide" in now.private.may)
            street = street_of(player)
            choice = messages.Bet(multiple=1) if street == "on_river" else messages.Check()
            await player.ask(messages.Decide(spot="1.1", decision=choice))
            # The player may be answered before the dealer's terminal has read of it.
            await dealer.until(_past("decisions", street))
        elif step == "turn":
            await dealer.ask(messages.TurnCards())
        else:
            assert dealer.public.round is not None
            common = [str(card) for card in dealer.public.round.common]
            await dealer.ask(messages.Confirm())
            return common


def beside(play: Callable[[], _Given], run: Callable[[], str]) -> tuple[_Given, str]:
    """Let the table play in a thread of its own while the command runs here."""
    played: list[_Given] = []
    thread = threading.Thread(target=lambda: played.append(play()))
    thread.start()
    shown = run()
    thread.join(60)
    return played[0], shown


def test_a_whole_round_with_bounces_and_wrong_cards(
    pit: Pit, capsys: pytest.CaptureFixture[str]
) -> None:
    words = pit.words("--seed", "7", "--rounds", "1", "--bounce", "--wrong")
    common, shown = beside(
        lambda: asyncio.run(_round(pit, _play_to_confirmation)), lambda: output(capsys, *words)
    )
    taken = [line.split() for line in shown.splitlines() if " card " in line]
    dealt = [words[-1] for words in taken if words[0] in ("hand", "dealer", "common")]
    assert len(dealt) == len(set(dealt)) == 9
    assert [words[-1] for words in taken if words[0] == "common"] == common
    assert "has already been dealt" in shown


def test_given_cards_are_sent_in_order(pit: Pit, capsys: pytest.CaptureFixture[str]) -> None:
    async def wait(dealer: Terminal, _: Terminal) -> str | None:
        await dealer.until(lambda now: step_of(now) == "decisions")
        return step_of(dealer)

    words = pit.words("--cards", "As Kd 2c 7h")
    step, shown = beside(lambda: asyncio.run(_round(pit, wait)), lambda: output(capsys, *words))
    assert step == "decisions"
    dealt = [line.split()[-1] for line in shown.splitlines() if " card " in line]
    assert dealt == ["As", "Kd", "2c", "7h"]


def test_what_is_wrong_is_said(pit: Pit, capsys: pytest.CaptureFixture[str]) -> None:
    text, code = complaint(capsys, "scan", TABLE, "--server", pit.address, "--token", "reader.x")
    assert f"The token is not that of a card reader of {TABLE}" in text
    assert code == ExitCode.FAILED
    text, code = complaint(capsys, *pit.words("--cards", "As Zz"))
    assert "Zz" in text
    assert code == ExitCode.WRONG_INPUT
    text, code = complaint(capsys, *pit.words("--cards", " "))
    assert "--cards names no card." in text
    assert code == ExitCode.WRONG_INPUT
    text, _ = complaint(capsys, "scan", TABLE)
    assert "--token" in text
