"""Accounts, opened and used in a browser."""

from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import messages

PASSWORD = "correct horse battery"


def write(guest: Guest, name: str, password: str, language: str = "en") -> None:
    """Write into the two fields of the form."""
    texts = messages(language)
    guest.page.get_by_label(texts["welcome.name"], exact=True).fill(name)
    guest.page.get_by_label(texts["welcome.password"], exact=True).fill(password)


def sign_in(guest: Guest, name: str, password: str = PASSWORD) -> None:
    """Sign in, wherever the form is."""
    write(guest, name, password)
    guest.press(guest.button("Sign in"))


def sign_in_without_form(guest: Guest, name: str, password: str = PASSWORD) -> None:
    """Sign the guest's browser in before it opens its first page."""
    answer = guest.context.request.post(
        "/api/v1/sign-in",
        headers={"Origin": guest.house.address},
        data={"name": name, "password": password},
    )
    assert answer.ok, answer.text()
