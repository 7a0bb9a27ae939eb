"""The close codes: documented, described, and the same in the browser."""

import re

from openfelt.protocol.asyncapi import asyncapi
from openfelt.protocol.close_codes import FINAL_CODES, CloseCode
from openfelt.protocol.typescript import messages_file
from tests.kit.repository import ROOT

ROW = re.compile(r"^\| (\d{4}) \| (.+) \| (yes|no) \|$", re.MULTILINE)


def test_the_reference_lists_every_code_and_whether_it_is_final() -> None:
    page = (ROOT / "docs" / "reference" / "socket.md").read_text("utf-8")
    told = {int(code): final == "yes" for code, _, final in ROW.findall(page)}
    assert told == {code.value: code in FINAL_CODES for code in CloseCode}


def test_the_description_of_the_socket_lists_them_too() -> None:
    described = asyncapi()["channels"]["table"]["x-close-codes"]
    assert {int(code): one["final"] for code, one in described.items()} == {
        code.value: code in FINAL_CODES for code in CloseCode
    }
    assert all(one["description"] for one in described.values())


def test_the_browser_has_the_same_codes() -> None:
    text = messages_file()
    for code in CloseCode:
        assert f"  {code.name.lower()}: {code.value}," in text
    assert f"FINAL_CODES: readonly number[] = {sorted(map(int, FINAL_CODES))};" in text
