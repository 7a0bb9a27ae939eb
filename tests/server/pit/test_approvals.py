"""One-time approvals: one action, at one table and terminal, in one round, for two minutes."""

from dataclasses import replace

import pytest

from openfelt.protocol.messages import ApproveAdjustment, VoidRound
from openfelt.rules.refusal import Refusal
from openfelt.server.pit.approvals import (
    APPROVAL_MS,
    APPROVALS_MAX,
    Act,
    Approvals,
    content_of,
)
from openfelt.table.commands import Person, Role
from tests.kit.floors import StandingClock

EVE = Person(Role.FLOOR, "eve")
VOID = Act("void_round", "live-1", "device:1", 7)
A, B = ("dora", "a"), ("dora", "b")
"""Two commands of a dealer, by their ids."""


async def test_an_approval_is_used_by_one_command_which_may_come_again() -> None:
    approvals = Approvals(StandingClock())
    token = await approvals.give(VOID, EVE)
    assert await approvals.use(token, VOID, command=A) == EVE
    assert await approvals.use(token, VOID, command=A) == EVE
    with pytest.raises(Refusal, match="has been used"):
        await approvals.use(token, VOID, command=B)


@pytest.mark.parametrize(
    "other",
    [
        replace(VOID, kind="correct_card"),
        replace(VOID, table="live-2"),
        replace(VOID, terminal="device:2"),
        replace(VOID, round=8),
    ],
)
async def test_an_approval_is_for_one_act_only(other: Act) -> None:
    approvals = Approvals(StandingClock())
    token = await approvals.give(VOID, EVE)
    with pytest.raises(Refusal, match="for another action"):
        await approvals.use(token, other, command=A)
    assert await approvals.use(token, VOID, command=A) == EVE


async def test_an_approval_expires_and_an_invented_one_does_not_count() -> None:
    clock = StandingClock()
    approvals = Approvals(clock)
    token = await approvals.give(VOID, EVE)
    clock.pass_ms(APPROVAL_MS + 1)
    with pytest.raises(Refusal, match="has expired"):
        await approvals.use(token, VOID, command=A)
    with pytest.raises(Refusal, match="does not exist"):
        await approvals.use("invented", VOID, command=A)


async def test_a_refused_command_gives_its_approval_back() -> None:
    approvals = Approvals(StandingClock())
    token = await approvals.give(VOID, EVE)
    await approvals.use(token, VOID, command=A)
    await approvals.answered(token, command=B, accepted=False)
    with pytest.raises(Refusal):
        await approvals.use(token, VOID, command=B)
    await approvals.answered(token, command=A, accepted=False)
    assert await approvals.use(token, VOID, command=B) == EVE


async def test_what_was_carried_out_is_never_given_back() -> None:
    """The same id with other content is refused, and gives no second use."""
    approvals = Approvals(StandingClock())
    token = await approvals.give(VOID, EVE)
    await approvals.use(token, VOID, command=A)
    await approvals.answered(token, command=A, accepted=True)
    await approvals.use(token, VOID, command=A)
    await approvals.answered(token, command=A, accepted=False)
    with pytest.raises(Refusal, match="has been used"):
        await approvals.use(token, VOID, command=B)


async def test_a_used_approval_expires_too_and_is_no_other_dealers() -> None:
    clock = StandingClock()
    approvals = Approvals(clock)
    token = await approvals.give(VOID, EVE)
    await approvals.use(token, VOID, command=A)
    with pytest.raises(Refusal, match="has been used"):
        await approvals.use(token, VOID, command=("dan", "a"))
    clock.pass_ms(APPROVAL_MS + 1)
    with pytest.raises(Refusal, match="has expired"):
        await approvals.use(token, VOID, command=A)


async def test_the_content_of_a_command_is_approved() -> None:
    first, second = (ApproveAdjustment(number=number) for number in (1, 2))
    assert content_of(first) != content_of(second)
    assert content_of(VoidRound(reason="Misdeal.")) is None
    approvals = Approvals(StandingClock())
    act = Act("approve_adjustment", "live-1", "device:1", 7, content_of(first))
    token = await approvals.give(act, EVE)
    with pytest.raises(Refusal, match="for another action"):
        await approvals.use(token, replace(act, content=content_of(second)), command=A)


async def test_there_is_a_limit() -> None:
    approvals = Approvals(StandingClock())
    first = await approvals.give(VOID, EVE)
    for _ in range(APPROVALS_MAX):
        await approvals.give(VOID, EVE)
    with pytest.raises(Refusal):
        await approvals.use(first, VOID, command=A)
