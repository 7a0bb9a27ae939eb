"""Who acts now."""

import asyncio

from openfelt.runtime.causes import SYSTEM_CAUSE, act_as, acting, acting_as, operator
from openfelt.storage.door import Cause

ANN, BOB = Cause(actor="player:ann"), Cause(actor="player:bob")


def test_openfelt_acts_unless_a_task_says_otherwise() -> None:
    assert acting() == SYSTEM_CAUSE
    with acting_as(ANN):
        assert acting() == ANN
        with acting_as(BOB):
            assert acting() == BOB
        assert acting() == ANN
    assert acting() == SYSTEM_CAUSE


async def test_tasks_do_not_act_for_each_other() -> None:
    async def request(cause: Cause) -> tuple[Cause, Cause]:
        act_as(cause)
        await asyncio.sleep(0)
        return acting(), await asyncio.to_thread(acting)

    both = await asyncio.gather(*(asyncio.create_task(request(cause)) for cause in (ANN, BOB)))
    assert both == [(ANN, ANN), (BOB, BOB)]
    assert acting() == SYSTEM_CAUSE


def test_the_command_line_names_the_user_of_the_machine() -> None:
    assert operator().actor.startswith("operator:")
    assert operator().terminal == "command line"
