"""Codes of vouchers: mistakes are noticed, and the id tells nothing."""

import itertools

import pytest

from openfelt.runtime.cage.voucher_codes import (
    ALPHABET,
    LENGTH,
    new_code,
    read_code,
    shown_code,
    voucher_id,
)

KEY = bytes(range(32))
CODES = [new_code(KEY, "player:ann", str(number)) for number in range(20)]


@pytest.mark.parametrize("code", CODES)
def test_a_code_is_read_as_it_is_shown(code: str) -> None:
    shown = shown_code(code)
    assert len(shown) == LENGTH + 3
    for typed in (code, shown, shown.lower(), f" {shown.replace('-', ' ')}\n"):
        assert read_code(typed) == code
    assert read_code(code.replace("0", "O").replace("1", "l")) == code


def test_every_wrong_character_is_noticed() -> None:
    for code, place in itertools.product(CODES, range(LENGTH)):
        for wrong in set(ALPHABET) - {code[place]}:
            assert read_code(code[:place] + wrong + code[place + 1 :]) is None


def test_every_exchange_of_two_characters_is_noticed() -> None:
    for code in CODES:
        for first, second in itertools.combinations(range(LENGTH), 2):
            if code[first] != code[second]:
                typed = list(code)
                typed[first], typed[second] = typed[second], typed[first]
                assert read_code("".join(typed)) is None


@pytest.mark.parametrize("text", ["", "7", "U" * 16, "é" * 16, "0" * 15, "0" * 17, "0" * 10_000])
def test_other_text_is_no_code(text: str) -> None:
    assert read_code(text) is None


def test_a_command_has_one_code_and_another_command_another() -> None:
    again = [new_code(KEY, "player:ann", str(number)) for number in range(20)]
    assert again == CODES
    others = {
        new_code(KEY, "player:ann", "1"),
        new_code(KEY, "player:an", "n1"),
        new_code(KEY, "player:bob", "1"),
        new_code(bytes(32), "player:ann", "1"),
    }
    assert len(others) == 4


def test_the_id_depends_on_the_key() -> None:
    ids = {voucher_id(key, code) for key in (KEY, bytes(32)) for code in CODES}
    assert len(ids) == 2 * len(CODES)
    assert all(len(name) == 32 for name in ids)
