"""The servers that share a database, as supervisors and auditors see them."""

from typing import Any

from tests.kit.floors import until
from tests.kit.server.open_house import OpenHouse


async def test_staff_see_who_runs_what(house: OpenHouse) -> None:
    client = await house.supervisor()

    async def answer() -> dict[str, Any]:
        response = await client.get("/api/v1/servers")
        assert response.status_code == 200
        body: dict[str, Any] = response.json()
        return body

    await until(lambda: bool(house.services.store.held_leases("duty/house")))
    seen = await answer()
    assert seen["waiting"] == []
    (server,) = seen["servers"]
    assert (server["name"], server["role"], server["state"]) == ("embedded", "both", "living")
    assert {table["table"] for table in server["tables"]} == set(house.services.floor.running)
    assert "house" in server["duties"]
    assert server["lag_ms"] == 0
    house.services.store.drain_member("embedded", drained=True)
    (server,) = (await answer())["servers"]
    assert server["state"] == "draining", "no other server takes its tables"
