"""Which passwords are accepted, and how many guesses they are thought to take."""

import pytest

from openfelt.server.credentials.password_guesses import guesses
from openfelt.server.credentials.password_rules import check_password
from openfelt.server.errors import Denied


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "bad_password"),
        ("x" * 129, "bad_password"),
        ("password", "easy_password"),
        ("12345678", "easy_password"),
        ("P@ssw0rd", "easy_password"),
        ("drowssap", "easy_password"),
        ("qwertzuiop", "easy_password"),
        ("1qaz2wsx3edc", "easy_password"),
        ("abcdefghijkl", "easy_password"),
        ("zzzzzzzzzzzz", "easy_password"),
        ("hallohallohallo", "easy_password"),
        ("24-12-1990", "easy_password"),
        ("summer2024", "easy_password"),
        ("annabella1", "easy_password"),
        ("openfelt!!", "easy_password"),
    ],
)
def test_refused_passwords(password: str, code: str) -> None:
    for staff in (False, True):
        with pytest.raises(Denied) as refused:
            check_password(password, name="annabella", staff=staff)
        assert refused.value.code in (code, "bad_password" if staff else code)


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "quite another one",
        "x7Kq-m2Vp-9TzR",
        "ñandú y 3 cóndores",
        "k7" * 2 + "wq-2mfz!Bv",
    ],
)
def test_accepted_passwords(password: str) -> None:
    check_password(password, name="ann", staff=True)


def test_staff_need_more() -> None:
    check_password("k7wq-2mfz", name="ann", staff=False)
    with pytest.raises(Denied, match="12 to 128"):
        check_password("k7wq-2mfz", name="ann", staff=True)


def test_a_hostile_text_is_estimated_too() -> None:
    """Texts that keep other estimates busy for seconds are counted in a few thousand steps."""
    for text in (
        "4@8({[<369&#!1/|0$5+7%2zxc" * 5,
        "a4@8({[<e3g69i1!l|o0s$5t+7x%z2" * 4,
        "\u0130" * 128,
    ):
        assert guesses(text[:128]) > 1
