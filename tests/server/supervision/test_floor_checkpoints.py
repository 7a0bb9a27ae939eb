"""Checkpoints of the floor keep its figures as they were."""

from openfelt.runtime.audit import audit
from openfelt.server.supervision.floor_overview import TRUSTED_MS
from tests.kit.server.open_house import OpenHouse, name_of

PATH = "/api/v1/floor/checkpoints"


async def test_a_checkpoint_keeps_the_figures_that_were_on_the_page(house: OpenHouse) -> None:
    supervisor = await house.supervisor()
    ann = await name_of(await house.guest())
    await house.sit("stadium-1", ann, 5)
    await house.bet("stadium-1", 5)
    await house.play("stadium-1")
    kept = (await supervisor.post(PATH, json={"note": "Before the break"})).json()
    house.clock.pass_ms(TRUSTED_MS)
    floor = (await supervisor.get("/api/v1/floor")).json()
    line = next(one for one in floor["tables"] if one["table"] == "stadium-1")
    frozen = kept["tables"]["stadium-1"]
    names = ("rounds", "stakes_cents", "win_cents")
    assert {name: frozen[name] for name in names} == {name: line["figures"][name] for name in names}
    assert (kept["number"], kept["by"], kept["day"]) == (1, "supervisor", floor["day"])
    await house.bet("stadium-1", 5)
    await house.play("stadium-1")
    again = (await supervisor.post(PATH, json={"note": "After it"})).json()
    assert again["tables"]["stadium-1"]["rounds"] == 2
    listed = (await supervisor.get(PATH)).json()
    assert [one["note"] for one in listed] == ["After it", "Before the break"]
    assert listed[1] == kept
    assert audit(house.services.store).clean
