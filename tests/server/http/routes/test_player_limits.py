"""Limits and exclusion over REST: by the player, by a supervisor, and lifted by none."""

from typing import Any

from httpx import AsyncClient

from openfelt.runtime.clock import DAY_MS
from tests.kit.server.open_house import PASSWORD, OpenHouse

ANN = {"name": "ann", "password": PASSWORD}
LIMITS = "/api/v1/limits"
HOUSE_LIMITS = "/api/v1/accounts/ann/limits"


def line(view: dict[str, Any], kind: str, period: str = "day") -> dict[str, Any]:
    """One line of the limits."""
    (found,) = [one for one in view["lines"] if (one["kind"], one["period"]) == (kind, period)]
    assert isinstance(found, dict)
    return found


async def set_limit(client: AsyncClient, id: str, most: int | None, **more: Any) -> dict[str, Any]:  # noqa: A002
    """Set the player's own limit on the losses of a day."""
    form = {"id": id, "kind": "loss", "period": "day", "most": most, **more}
    answer = await client.post(LIMITS if "reason" not in more else HOUSE_LIMITS, json=form)
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert isinstance(view, dict)
    return view


async def test_a_player_sets_limits_and_a_supervisor_others(house: OpenHouse) -> None:
    ann, eve = await house.client(), await house.supervisor()
    await ann.post("/api/v1/sign-up", json=ANN)
    assert line(await set_limit(ann, "1", 5_000), "loss")["most"] == 5_000
    looser = line(await set_limit(ann, "2", 9_000), "loss")
    assert (looser["most"], looser["own"]["next_most"]) == (5_000, 9_000)
    seen = (await eve.get(HOUSE_LIMITS)).json()
    assert line(seen, "loss") == looser
    # The house sets a limit of its own beside it, and does not touch the player's.
    both = line(await set_limit(eve, "3", 4_000, reason="asked for"), "loss")
    assert (both["most"], both["own"], both["house"]["most"]) == (4_000, looser["own"], 4_000)
    bare = {"id": "4", "kind": "loss", "period": "day", "most": None}
    assert (await eve.post(HOUSE_LIMITS, json=bare)).status_code == 422
    house.clock.pass_ms(DAY_MS)
    eve = await house.supervisor()
    assert line((await eve.get(HOUSE_LIMITS)).json(), "loss")["own"]["most"] == 9_000
    missing = await eve.get("/api/v1/accounts/nobody/limits")
    assert missing.status_code == 404


async def test_a_limit_on_deposits_stops_play_money_too(house: OpenHouse) -> None:
    ann = await house.client()
    await ann.post("/api/v1/sign-up", json=ANN)
    view = (await ann.get(LIMITS)).json()
    used_cents = line(view, "deposit")["used"]
    assert used_cents == (await ann.get("/api/v1/me")).json()["wallet_cents"] > 0
    form = {"id": "1", "kind": "deposit", "period": "month", "most": used_cents}
    assert (await ann.post(LIMITS, json=form)).status_code == 200
    floor = house.services.floor
    assert floor.cashier.withdraw("ann", 100, id="out").accepted
    answer = await ann.post("/api/v1/wallet/top-up", json={"id": "more"})
    assert (answer.status_code, answer.json()["code"]) == (409, "deposit_limit")


async def test_an_exclusion_ends_the_session_and_no_caller_lifts_it(house: OpenHouse) -> None:
    ann, eve = await house.client(), await house.supervisor()
    await ann.post("/api/v1/sign-up", json=ANN)
    view = (await ann.post("/api/v1/exclusion", json={"id": "x", "term": "week"})).json()
    assert view["excluded"] is True
    assert (await ann.get(LIMITS)).status_code == 401
    # She signs in to be paid, and may not play.
    assert (await ann.post("/api/v1/sign-in", json=ANN)).status_code == 200
    answer = await ann.post("/api/v1/wallet/top-up", json={"id": "more"})
    assert answer.json().get("code") in (None, "excluded")
    for deed in ("unlock", "admit", "sign-out"):
        await eve.post(f"/api/v1/accounts/ann/{deed}")
    for role in ("dealer", "player"):
        await eve.post("/api/v1/accounts/ann/role", json={"role": role})
    shorter = {"id": "s", "term": "day", "reason": "asked for"}
    answer = await eve.post("/api/v1/accounts/ann/exclusion", json=shorter)
    assert answer.json()["code"] == "excluded_longer"
    assert (await eve.delete("/api/v1/accounts/ann/exclusion")).status_code in (404, 405)
    house.clock.pass_ms(7 * DAY_MS - 1_000)
    eve = await house.supervisor()
    assert (await eve.get(HOUSE_LIMITS)).json()["excluded"] is True
    house.clock.pass_ms(1_000)
    assert (await eve.get(HOUSE_LIMITS)).json()["excluded"] is False


async def test_a_guest_who_signs_up_keeps_the_limits(house: OpenHouse) -> None:
    guest = await house.guest()
    await set_limit(guest, "1", 5_000)
    await guest.post("/api/v1/sign-up", json=ANN)
    assert line((await guest.get(LIMITS)).json(), "loss")["most"] == 5_000
    await guest.post("/api/v1/exclusion", json={"id": "x", "term": "for_good"})
    await guest.post("/api/v1/sign-in", json=ANN)
    view = (await guest.get(LIMITS)).json()
    assert (view["excluded"], view["excluded_until_ms"]) == (True, None)


async def test_a_guest_who_is_excluded_stays_signed_in_to_be_paid(house: OpenHouse) -> None:
    guest = await house.guest()
    assert (
        await guest.post("/api/v1/exclusion", json={"id": "x", "term": "day"})
    ).status_code == 200
    assert (await guest.get(LIMITS)).json()["excluded"] is True
