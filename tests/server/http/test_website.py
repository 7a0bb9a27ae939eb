"""The files of the web terminal, and the page that replaces it before it is built."""

from pathlib import Path

import pytest

from tests.kit.server.open_house import OpenHouse


async def test_without_a_build_the_page_says_what_to_do(house: OpenHouse) -> None:
    client = await house.client()
    for path in ("/", "/tables/draw-1"):
        answer = await client.get(path)
        assert answer.status_code == 200
        assert "has not been built" in answer.text
    assert (await client.get("/assets/index.js")).status_code == 404


@pytest.fixture
def site(tmp_path: Path) -> Path:
    site = tmp_path / "site"
    (site / "assets").mkdir(parents=True)
    (site / "index.html").write_text("<!doctype html><title>Felt</title>")
    (site / "assets" / "index-1234.js").write_text("console.log(1)")
    (tmp_path / "secret.txt").write_text("secret")
    return site


async def test_files_are_served_and_other_paths_get_the_page(house: OpenHouse, site: Path) -> None:
    client = await house.client()
    for path in ("/", "/tables/draw-1", "/history"):
        answer = await client.get(path)
        assert "<title>Felt</title>" in answer.text
        assert answer.headers["cache-control"] == "no-cache"
    script = await client.get("/assets/index-1234.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "immutable" in script.headers["cache-control"]
    assert (await client.get("/assets/missing.js")).status_code == 404
    for path in ("/api/v1/nothing", "/api/tables", "/ws/nothing"):
        answer = await client.get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt", "/%00"]
)
async def test_nothing_outside_the_site_is_served(house: OpenHouse, site: Path, path: str) -> None:
    answer = await (await house.client()).get(path)
    assert "secret" not in answer.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/" + "a" * 300 + ".js", 404),
        ("/" + "a" * 300, 200),
        ("/" + "a/" * 3000 + "a.js", 404),
        ("/assets/" + "%C3%A9" * 200 + ".js", 404),
        ("/%00.js", 404),
        ("/%ED%A0%80.js", 404),
        ("/assets/index-1234.js/more.js", 404),
    ],
)
async def test_a_path_that_no_file_can_have_is_not_found(
    house: OpenHouse, site: Path, path: str, status: int
) -> None:
    assert (await (await house.client()).get(path)).status_code == status
