"""The offline verifier is one HTML file that says about a proof what ``openfelt verify`` says."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from openfelt.catalog import load_catalog
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import ProvedSeed
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof, seed_list_json
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.shuffle.merkle import ProofError
from tests.kit.audit.live_rounds import live_round
from tests.kit.audit.old_proofs import old_proof, rules_of
from tests.kit.audit.proved_rounds import dealt_round, prove, seeded_round
from tests.kit.audit.steered_rounds import ROUND, dealt_by, ground_seed, worst_deck
from tests.kit.browser.floor import BrowserHouse
from tests.kit.cases import with_variants
from tests.kit.floors import Shift
from tests.kit.repository import ROOT

FILE: Final = ROOT / "web" / "public" / "verifier.html"
HOUSES: Final = load_catalog().houses
Proof = dict[str, Any]
PASSED: Final[Proof] = {"deck": "table", "index": 0, "proof": None}
SCANNED: Final[Proof] = {
    "lies": "common", "position": 1, "version": 5050, "card": "2c", "corrected": None
}  # fmt: skip


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """The file as a player opens it from disk, in a browser that may not reach any network."""
    context = browser.new_context(offline=True, locale="en-GB")
    asked: list[str] = []
    opened = context.new_page()
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(FILE.as_uri())
    yield opened
    context.close()
    assert asked == [FILE.as_uri()]


def proofs_of(house: str) -> Iterator[str]:
    """Proofs of a house's rounds, of every version."""
    yield from (old_proof(house, version) for version in (1, 2))
    for seed in range(4):
        state, decks = dealt_round(HOUSES[house], Random(seed))
        yield proof_json(prove(state, decks))
        state, decks, seeds = seeded_round(HOUSES[house], Random(seed))
        yield proof_json(prove(state, decks, seeds))


def holds(text: str) -> bool:
    """What ``openfelt verify`` says."""
    try:
        proof = read_proof(text)
        check_round_proof(proof, rules_of(proof))
    except ProofError:
        return False
    return True


def verdict(page: Page, text: str, **noted: str) -> bool:
    """What the file says, in its own words."""
    page.fill("#proof", text)
    for name in ("root", "seed", "list"):
        page.locator(f"#{name}").evaluate(
            "(field, value) => { field.value = value }", noted.get(name, "")
        )
    page.click("#check")
    said = page.locator("#verdict").inner_text()
    assert said in ("The proof holds.", "The proof does not hold.")
    assert (page.locator("#checks li.bad").count() == 0) is (said == "The proof holds.")
    return said == "The proof holds."


@pytest.mark.parametrize(
    "rules",
    with_variants(
        ["washington", "stadium", *sorted({*HOUSES} - {"washington", "stadium"})], plain=2
    ),
)
def test_proofs_of_every_house_and_version_hold(page: Page, rules: str) -> None:
    for text in proofs_of(rules):
        assert holds(text)
        assert verdict(page, text), page.locator("#checks").inner_text()


def shown(proof: Proof, at: int = 0) -> Proof:
    """A card that was shown."""
    found: Proof = [card for card in proof["cards"] if card["proof"]][at]["proof"]
    return found


def bound(proof: Proof) -> Proof:
    """A seed that was revealed, in a proof of version 2."""
    found: Proof = next(entry for entry in proof["seeds"]["seeds"] if entry["seed"])
    return found


def first_seat(proof: Proof) -> str:
    """A seat whose seed was revealed, in a proof of version 3."""
    return str(next(iter(seeds(proof))))


def seeds(proof: Proof) -> dict[str, str]:
    """The seeds that were revealed, in a proof of version 3."""
    found: dict[str, str] = proof["seeds"]["list"]["revealed"]
    return found


def other_card(proof: Proof) -> None:
    card = shown(proof)
    card["card"] = "2c" if card["card"] != "2c" else "3c"


CHANGES: Final[dict[str, Callable[[Proof], object]]] = {
    "another card": other_card,
    "another salt": lambda p: shown(p).update(salt="00" * 32),
    "another leaf": lambda p: shown(p).update(index=(shown(p)["index"] + 1) % 52),
    "a shorter path": lambda p: shown(p)["path"].pop(),
    "a longer path": lambda p: shown(p)["path"].append("00" * 32),
    "another round": lambda p: p.update(number=p["number"] + 1),
    "another table": lambda p: p.update(table="other"),
    "another root": lambda p: p["commitments"][0].update(root="00" * 32),
    "no commitment": lambda p: p.update(commitments=[]),
    "two commitments": lambda p: p["commitments"].append(p["commitments"][0]),
    "a late commitment": lambda p: p["commitments"][0].update(version=p["bets_closed_version"]),
    "a card left out": lambda p: p["cards"].pop(),
    "cards in another order": lambda p: p["cards"].reverse(),
    "another position": lambda p: p["cards"][0].update(index=p["cards"][0]["index"] + 1),
    "another procedure": lambda p: p.update(procedure="draw"),
    "an unknown format": lambda p: p.update(format="openfelt.round_proof/4"),
    "an unknown key": lambda p: p.update(more=1),
    "a missing key": lambda p: p.pop("spots"),
    "a number that is none": lambda p: p.update(number=1.5),
    "hands in another order": lambda p: p["spots"].append("1.1"),
}  # fmt: skip
SEEDS_2: Final[dict[str, Callable[[Proof], object]]] = {
    "another seed": lambda p: bound(p).update(seed="00" * 32),
    "a seed left out": lambda p: bound(p).update(seed=None),
    "a seat left out": lambda p: p["seeds"]["seeds"].pop(),
    "another commitment": lambda p: bound(p).update(commitment="00" * 32),
    "a seed bound too late": lambda p: bound(p).update(version=10**6),
}  # fmt: skip
SEEDS_3: Final[dict[str, Callable[[Proof], object]]] = {
    "another seed": lambda p: seeds(p).update({first_seat(p): "00" * 32}),
    "a seat left out": lambda p: seeds(p).pop(first_seat(p)),
    "a seat that is none": lambda p: seeds(p).update({"01": "00" * 32}),
    "a seat twice": lambda p: p["seeds"]["list"]["withheld"].update({first_seat(p): "00" * 32}),
    "another commitment": lambda p: p["seeds"]["list"].update(withheld={"9": "00" * 32}),
    "another mixture": lambda p: p["seeds"].update(mixed="00" * 32),
    "no mixture": lambda p: p["seeds"].update(mixed=None),
    "no list": lambda p: p["seeds"].update(list=None),
    "a seed bound too late": lambda p: p["seeds"].update(bound_version=10**6),
    "a scanned card": lambda p: p["scanned"].append(SCANNED),
    "a live dealer": lambda p: p.update(dealer="live"),
}  # fmt: skip
LIVE: Final[dict[str, Callable[[Proof], object]]] = {
    "a card scanned too late": lambda p: p["scanned"][0].update(version=10**6),
    "a card scanned too early": lambda p: p["scanned"][0].update(version=1),
    "a scanned card left out": lambda p: p["scanned"].pop(),
    "another order of scans": lambda p: p["scanned"].reverse(),
    "a card scanned twice": lambda p: p["scanned"][0].update(card=p["scanned"][1]["card"]),
    "a hidden card of the board": lambda p: p["scanned"][0].update(card=None),
    "a card of a hand": lambda p: p["scanned"][0].update(card=shown(p)["card"]),
    "a correction to a hand's": lambda p: p["scanned"][0].update(corrected=shown(p)["card"]),
    "a virtual dealer": lambda p: p.update(dealer="virtual"),
}  # fmt: skip
WITH_SEEDS: Final[dict[str, Callable[[Proof], object]]] = {
    "another digest": lambda p: p["seeds"].update(digest="00" * 32),
    "no call": lambda p: p["seeds"].update(digest=None, called_version=None),
    "an early call": lambda p: p["seeds"].update(called_version=1),
    "cards before the seeds": lambda p: p["seeds"].update(fixed_version=None),
    "an early end of the call": lambda p: p["seeds"].update(fixed_version=2),
    "a commitment after the wager": lambda p: p["commitments"][0].update(wager_version=1),
    "a card passed over": lambda p: p["passed"].append(PASSED),
    "the format before": lambda p: p.update(format="openfelt.round_proof/1"),
}  # fmt: skip


def examples() -> dict[int, Proof]:
    """A settled round of a stadium for each version of the format."""
    house, found = HOUSES["stadium"], {}
    for seed in range(1000):
        state, decks = dealt_round(house, Random(seed))
        proof = json.loads(proof_json(prove(state, decks)))
        if proof["ended"] == "settled" and shown(proof):
            found[1] = proof
            break
    for seed in range(1000):
        state, decks, seeds = seeded_round(house, Random(seed))
        proof = json.loads(proof_json(prove(state, decks, seeds)))
        listed = proof["seeds"]["list"]
        both = listed["revealed"] and listed["withheld"]
        if proof["ended"] == "settled" and both and proof["passed"]:
            found[3] = proof
            break
    found[2] = json.loads(old_proof("stadium", 2))
    return found


def live_example(folder: Path) -> Proof:
    """A round of a stadium with a live dealer."""
    shift = Shift(folder / "felt.db")
    try:
        live_round(shift, Random(1), withheld=[2])
        found: Proof = json.loads(proof_json(proof_of_round(shift.store, "table-1", 1)))
        return found
    finally:
        shift.close()


@pytest.mark.parametrize("version", with_variants(["3", "live", "2", "1"]))
def test_what_was_tampered_with_fails_as_openfelt_verify_says(
    page: Page, version: str, tmp_path: Path
) -> None:
    example = live_example(tmp_path) if version == "live" else examples()[int(version)]
    assert verdict(page, json.dumps(example))
    seeded = CHANGES | WITH_SEEDS
    changes = {
        "1": CHANGES,
        "2": seeded | SEEDS_2,
        "3": seeded | SEEDS_3,
        "live": seeded | LIVE,
    }[version]
    for name, change in changes.items():
        tampered = copy.deepcopy(example)
        change(tampered)
        text = json.dumps(tampered)
        assert not holds(text), name
        assert not verdict(page, text), name


def test_a_seed_of_a_seat_that_did_not_play_is_found(page: Page) -> None:
    random = Random(3)
    deck, honest = worst_deck(random), ProvedSeed.revealed(ROUND, 1, "5e" * 32)
    assert verdict(page, proof_json(dealt_by(deck, [honest])))
    steered = proof_json(dealt_by(deck, [honest, ground_seed(deck, honest, 2, random)]))
    assert not holds(steered)
    assert not verdict(page, steered)


def test_a_repeated_key_is_no_second_proof(page: Page) -> None:
    text = json.dumps(examples()[3])
    twice = text.replace('"number": 1', '"number": 2, "number": 1', 1)
    assert twice != text
    assert not holds(twice)
    assert not verdict(page, twice)
    assert not verdict(page, "not a proof")


def test_what_the_player_noted_is_compared(page: Page) -> None:
    example = examples()[3]
    text, seed = json.dumps(example), seeds(example)[first_seat(example)]
    assert verdict(page, text, root=example["commitments"][0]["root"].upper(), seed=seed)
    assert not verdict(page, text, root="00" * 32)
    assert not verdict(page, text, seed="00" * 32)


def test_a_file_can_be_chosen_and_the_words_are_spanish_too(page: Page, tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    example = examples()[3]
    file.write_text(json.dumps(example), encoding="utf-8")
    verdict(page, "nothing yet")
    page.set_input_files("#file", file)
    expect(page.locator("#verdict")).to_have_text("The proof holds.")
    page.select_option("#language", "es")
    expect(page.locator("#verdict")).to_have_text("La prueba es válida.")
    page.select_option("#language", "en")


def test_the_list_of_seeds_may_be_a_file_of_its_own(page: Page, tmp_path: Path) -> None:
    example = examples()[3]
    whole = read_proof(json.dumps(example))
    assert whole.seed_list is not None
    listed = json.loads(seed_list_json(whole.seed_list))
    example["seeds"]["list"] = None
    proof, seeds_file = tmp_path / "proof.json", tmp_path / "seeds.json"
    proof.write_text(json.dumps(example), encoding="utf-8")
    seeds_file.write_text(json.dumps(listed), encoding="utf-8")
    assert not verdict(page, json.dumps(example))
    page.set_input_files("#file", [proof, seeds_file])
    expect(page.locator("#verdict")).to_have_text("The proof holds.")
    others: list[Proof] = [
        {"number": 2}, {"list": {"revealed": {}, "withheld": {}}}, {"more": 1}
    ]  # fmt: skip
    for changes in others:
        assert not verdict(page, json.dumps(example), list=json.dumps(listed | changes))
    assert verdict(page, json.dumps(example), list=json.dumps(listed))


def test_every_server_offers_the_file_as_a_download(house: BrowserHouse, page: Page) -> None:
    answer = page.context.browser.new_context(base_url=house.address).request.get("/verifier.html")  # type: ignore[union-attr]
    assert answer.body() == FILE.read_bytes()
    assert answer.headers["content-disposition"].startswith("attachment")
