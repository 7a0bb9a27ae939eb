"""A live dealer as a program: signs on at a table of a running server and deals rounds there.

The cards come from a deck that the program shuffles. At a real table they come from a shuffler
with a card reader, and a person turns them over.

    openfelt serve                       and in another window
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
    """Give a command, and wait until the view shows what follows from it."""
    version = await terminal.ask(command)
    await terminal.until(lambda now: now.version >= version)


async def take_bets(terminal: Terminal) -> None:
    """Open bets, wait for the first one, give everybody some time, and close them."""
    await do(terminal, OpenBets())
    await terminal.until(lambda now: bool(now.public.round and now.public.round.hands_in_play))
    await asyncio.sleep(BETTING_SECONDS)
    await do(terminal, CloseBets())


async def deal_round(terminal: Terminal, cards: Iterator[str]) -> None:
    """Do what the table waits for, until the round is settled."""
    while (seen := terminal.public.round) is not None and seen.phase in ("playing", "ready"):
        match seen.step:
            case "card":
                await do(terminal, DealCard(card=next(cards)))
            case "turn":
                await do(terminal, TurnCards())
            case "confirm":
                await do(terminal, Confirm())
            case _:
                await terminal.until(lambda now: not players_decide(now))


def players_decide(terminal: Terminal) -> bool:
    """Whether the table waits for players, and the dealer with it."""
    return terminal.public.round is not None and terminal.public.round.step == "decisions"


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:5]))
