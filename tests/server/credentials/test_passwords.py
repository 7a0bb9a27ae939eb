"""Passwords: hashed with salts, checked, renewed when parameters change."""

from argon2 import PasswordHasher, extract_parameters

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
