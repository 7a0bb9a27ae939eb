"""Passwords: hashed with salts, checked, renewed when parameters change."""

import asyncio
import os
import signal
import sys

import pytest
from argon2 import PasswordHasher, extract_parameters

from openfelt.server.credentials.hash_process import HashProcess
from openfelt.server.credentials.passwords import Passwords
from tests.kit.server.open_house import quick_passwords


async def test_a_hash_is_salted_and_matches_its_password_alone() -> None:
    passwords = quick_passwords()
    first, other = await passwords.hash("a password"), await passwords.hash("a password")
    assert first != other
    assert "a password" not in first
    assert await passwords.matches(first, "a password")
    assert not await passwords.matches(first, "another password")
    assert not await passwords.matches(None, "a password")
    assert not await passwords.matches("no hash at all", "a password")
    passwords.close()


async def test_a_hash_of_weaker_parameters_is_outdated() -> None:
    weak, strong = quick_passwords(), Passwords(PasswordHasher(time_cost=2, memory_cost=64))
    kept = await weak.hash("a password")
    assert strong.outdated(kept)
    assert not weak.outdated(kept)
    for passwords in (weak, strong):
        passwords.close()


async def test_the_usual_parameters_are_not_weak_and_take_one_processor() -> None:
    passwords = Passwords()
    usual = extract_parameters(await passwords.hash("a password"))
    passwords.close()
    assert usual.memory_cost >= 19_456
    assert usual.type.name == "ID"
    assert usual.parallelism == 1


async def test_while_others_wait_passwords_are_checked_beside_the_server() -> None:
    passwords = Passwords()
    stored = await passwords.hash("a password")
    assert await passwords.matches(stored, "a password")
    assert not has_process(passwords), "no process for those who come one by one"
    tried = ["a password", "another", "a password", "another", "no \n line"]
    checks = (passwords.matches(stored, text, caller=f"{n}") for n, text in enumerate(tried))
    assert await asyncio.gather(*checks) == [True, False, True, False, False]
    assert has_process(passwords)
    passwords.close()


def has_process(passwords: Passwords) -> bool:
    return passwords._process is not None and passwords._process._process is not None


def test_a_process_that_was_killed_is_replaced() -> None:
    process = HashProcess()
    stored = PasswordHasher(time_cost=1, memory_cost=64).hash("a password")
    assert process.matches(stored, "a password") is True
    assert process._process is not None
    os.kill(process._process.pid, signal.SIGKILL)
    process._process.wait()
    assert process.matches(stored, "a password") is None
    assert process.matches(stored, "another password") is False
    assert process.matches("no hash at all", "a password") is False
    process.close()


@pytest.mark.skipif(sys.platform == "win32", reason="priorities are another thing there")
def test_the_process_gives_way_to_the_server() -> None:
    process = HashProcess()
    process.matches("no hash", "")
    assert process._process is not None
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert os.getpriority(os.PRIO_PROCESS, process._process.pid) > own
    process.close()
