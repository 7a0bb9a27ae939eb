"""A server that is killed in mid-round and started again goes on with the same cards by itself."""

import signal
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse, require_site
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.screens import check_money, check_screen
from tests.kit.server.real_server import free_port, server_process


def test_a_killed_server_goes_on(entrance: Entrance, tmp_path: Path, pictures: Pictures) -> None:
    require_site()
    port = free_port()
    with server_process(tmp_path, port) as server:
        guest = entrance(BrowserHouse(server.address, tmp_path / "felt.db"))
        expect(guest.page.get_by_role("link").filter(has_text="stadium-1")).to_be_visible()
        pictures.keep(guest.page, "lobby")
        guest.pick_table("stadium-1")
        guest.sit("$500")
        for hand in (1, 2):
            guest.place(hand, "Ante")
            guest.place(hand, "Trips")
        guest.settled_bets()
        guest.deal()
        guest.choose(1, "3x")
        before = guest.wire.hands
        guest.line_may_break = True
        server.end(signal.SIGKILL)
        lost = guest.page.get_by_role("alertdialog", name="Connection lost.")
        expect(lost).to_be_visible()
        sockets = guest.wire.sockets
    with server_process(tmp_path, port):
        expect(lost).to_have_count(0)
        guest.until(lambda: guest.wire.sockets > sockets)
        assert guest.wire.hands == before
        check_screen(guest)
        guest.play_out()
        check_screen(guest)
        check_money(guest)
