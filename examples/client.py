"""Plays one hand at a private table of a running server (``make run``)."""

import asyncio
import sys

from openfelt.client import Casino
from openfelt.protocol.messages import Bet


async def main(address: str) -> None:
    """Enter as a guest, play one hand, and print its net result."""
    async with Casino(address) as casino:
        await casino.guest()
        async with casino.table(await casino.private_table()) as table:
            await table.sit(buy_in_cents=50_000)
            await table.bet(ante=1000, trips=500)
            await table.deal()
            await table.decide(Bet(multiple=4))
            await table.until(lambda now: "set_wagers" in now.private.may)
            for line in table.private.hands["1.1"].lines:
                print(f"{line.wager:5} {line.result:8} {line.because}")
            print(f"Net result: {table.private.net_cents / 100:+.2f}.")
            await table.leave()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"))
