"""A live dealer as a program: signs on at a table of a running server and deals rounds there.

The program shuffles the cards itself. At a real table they come from a shuffler with a card
reader, and a person turns them over.

    openfelt serve                       and, in another terminal
    python examples/dealer.py ADDRESS TABLE NAME PASSWORD
"""

import asyncio
import random
import sys
from collections.abc import Iterator

from openfelt.cards import FULL_DECK
from openfelt.client import Casino, Terminal
from openfelt.protocol.messages import (
    ChangeDealer,
    CloseBets,
    CommandAsked,
    Confirm,
    DealCard,
    OpenBets,
    TurnCards,
)

BETTING_SECONDS = 15


async def main(address: str, table: str, name: str, password: str) -> None:
    """Sign on, and deal one round after another."""
    async with Casino(address) as casino:
        await casino.sign_in(name, password)
        async with casino.table(table) as terminal:
            await do(terminal, ChangeDealer(dealer=name))
            while True:
                await take_bets(terminal)
                cards = [str(card) for card in FULL_DECK]
                random.shuffle(cards)
                await deal_round(terminal, iter(cards))


async def do(terminal: Terminal, command: CommandAsked) -> None:
    """Send a command, and wait until the view includes its result."""
    version = await terminal.ask(command)
    await terminal.until(lambda now: now.version >= version)


async def take_bets(terminal: Terminal) -> None:
    """Open bets, wait for the first bet, give the players some time, and close bets."""
    await do(terminal, OpenBets())
    await terminal.until(lambda now: bool(now.public.round and now.public.round.hands_in_play))
    await asyncio.sleep(BETTING_SECONDS)
    await do(terminal, CloseBets())


async def deal_round(terminal: Terminal, cards: Iterator[str]) -> None:
    """Perform each step that the table waits for, until the round is settled."""
    while (shown := terminal.public.round) is not None and shown.phase in ("playing", "ready"):
        match shown.step:
            case "card":
                await do(terminal, DealCard(card=next(cards)))
            case "turn":
                await do(terminal, TurnCards())
            case "confirm":
                await do(terminal, Confirm())
            case _:
                await terminal.until(lambda now: not players_decide(now))


def players_decide(terminal: Terminal) -> bool:
    """Whether the table is waiting for the players' decisions."""
    return terminal.public.round is not None and terminal.public.round.step == "decisions"


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5]))
