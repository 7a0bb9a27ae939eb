"""Challenges for passkeys: one use, a few minutes, and no more than fit."""

import pytest

from openfelt.server.credentials import challenges as module
from openfelt.server.credentials.challenges import (
    CHALLENGE_MS,
    PER_ACCOUNT_MAX,
    ChallengeKey,
    Challenges,
    Purpose,
)
from tests.kit.floors import StandingClock

ANN = ChallengeKey(Purpose.SIGN_IN, "ann", "ticket")


async def test_a_challenge_is_used_once_and_only_for_its_key() -> None:
    challenges = Challenges(StandingClock())
    value = await challenges.new(ANN)
    others = [
        ChallengeKey(Purpose.OWNER, "ann", "ticket"),
        ChallengeKey(Purpose.SIGN_IN, "bob", "ticket"),
        ChallengeKey(Purpose.SIGN_IN, "ann", "another"),
    ]
    assert [await challenges.take(key) for key in others] == [None, None, None]
    assert await challenges.is_open(ANN)
    assert await challenges.take(ANN) == value
    assert await challenges.take(ANN) is None
    assert not await challenges.is_open(ANN)


async def test_a_challenge_ends_and_a_new_one_replaces_it() -> None:
    clock = StandingClock()
    challenges = Challenges(clock)
    first = await challenges.new(ANN)
    assert await challenges.new(ANN) != first
    clock.pass_ms(CHALLENGE_MS + 1)
    assert not await challenges.is_open(ANN)
    assert await challenges.take(ANN) is None


async def test_no_account_drives_out_the_challenges_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "ACCOUNTS_MAX", 3)
    challenges = Challenges(StandingClock())
    await challenges.new(ANN)
    tickets = [ChallengeKey(Purpose.SIGN_IN, "bob", str(number)) for number in range(100)]
    for ticket in tickets:
        await challenges.new(ticket)
    assert await challenges.is_open(ANN)
    assert sum([await challenges.is_open(ticket) for ticket in tickets]) == PER_ACCOUNT_MAX
    for name in ("cid", "dot", "eva"):
        await challenges.new(ChallengeKey(Purpose.SIGN_IN, name, "ticket"))
    assert not await challenges.is_open(ANN)
