"""The pages of fairness and of alerts: charts that a keyboard reads, and alerts with reasons."""

from playwright.sync_api import expect

from openfelt.client import Casino, Terminal
from openfelt.protocol.messages import Bet
from tests.browser.conftest import Entrance
from tests.browser.test_floor import enter, look
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop

TABLE = "mouse-stadium"
ROUNDS = 25


def _is_over(table: Terminal) -> bool:
    return table.public.round is not None and table.public.round.phase == "settled"


async def play_rounds(address: str) -> None:
    """Play rounds at a virtual table, with Trips, and raise every hand at once."""
    async with Casino(address) as casino:
        await casino.guest()
        async with casino.table(TABLE) as table:
            await table.sit(buy_in_cents=100_000)
            for _ in range(ROUNDS):
                await table.bet(ante=1000, trips=1000)
                await table.deal()
                await table.decide(Bet(multiple=4))
                await table.until(_is_over)
                if table.private.credit_cents < 7000:
                    break
            await table.leave()


def test_results_are_compared_with_theory_and_alerts_show_their_limits(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    scripts.do(play_rounds(house.address))
    sue = enter(entrance, house, scripts, "supervisor", "#/floor/fairness")
    expect(sue.page.get_by_role("heading", name="Is it fair?")).to_be_visible()
    chart = sue.page.get_by_role("img", name="The whole house · Ante, Blind and Play")
    expect(chart).to_be_visible()
    slider = sue.page.get_by_role("slider", name="Move along the rounds")
    slider.focus()
    sue.page.keyboard.press("Home")
    assert "After 1 round:" in (slider.get_attribute("aria-valuetext") or "")
    sue.page.keyboard.press("End")
    look(sue, "fairness")
    chart.scroll_into_view_if_needed()
    pictures.keep(sue.page, "floor-fairness")
    sue.press(sue.page.get_by_text("The chart as a table"))
    expect(sue.page.get_by_role("columnheader", name="Lower end")).to_be_visible()
    sue.page.get_by_label("Figures of").select_option("table")
    trips = sue.page.get_by_role("button", name=f"{TABLE} · Trips")
    sue.press(trips)
    expect(sue.page.get_by_role("img", name=f"{TABLE} · Trips")).to_be_visible()
    sue.press(sue.page.get_by_role("link", name="Alerts"))
    expect(sue.page.get_by_role("heading", name="Limits of the house")).to_be_visible()
    expect(sue.page.get_by_text("evidence_one_in")).to_be_visible()
    look(sue, "alerts")
    pictures.keep(sue.page, "floor-alerts")
