"""Verify the proof of a round without Openfelt, as docs/internals/shuffle.md describes it.

    python examples/verifier.py proof.json [seeds.json]

It needs nothing but the standard library, and was written from that page alone.
"""

import json
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

TABLE = "table"
HOLDEM = ("handheld", "community_first", "shoe", "terminals")
DRAWS = ("draw", "draw_from_five")
UNBANKED = ("draw", "online", "stadium", "washington")
"""The included houses in which no player banks."""
Lying = tuple[str, str | None, int]
"""Where a card lies, its spot, and its position there."""
Place = tuple[str, str | None, int, str]
"""The same, and the deck that the card comes from."""
Bound = tuple[int, str, str | None]
"""A seat, its commitment, and its seed."""


class Wrong(Exception):
    """The proof does not hold."""


def need(condition: object, why: str) -> None:
    """Fail unless a condition holds."""
    if not condition:
        raise Wrong(why)


# Hashes ----------------------------------------------------------------------


def joined(*parts: str | bytes) -> bytes:
    """Parts, each preceded by its length in four bytes."""
    raw = [part.encode() if isinstance(part, str) else part for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def dealing_order(
    round_id: str, deck: str, root: str, mixed: bytes | None, count: int
) -> list[int]:
    """For each position of a deck, its leaf."""
    order = list(range(count))
    if mixed is None:
        return order
    start = joined("openfelt.permutation/1", round_id, deck, bytes.fromhex(root), mixed)
    block: list[int] = []
    counter = 0
    for last in range(count - 1, 0, -1):
        chosen = last + 1
        while chosen > last:
            if not block:
                block = list(sha256(start + counter.to_bytes(4, "big")).digest())
                counter += 1
            chosen = block.pop(0) & ((1 << last.bit_length()) - 1)
        order[last], order[chosen] = order[chosen], order[last]
    return order


def opens(root: str, round_id: str, deck: str, count: int, opened: Any) -> bool:
    """Whether a deck of this size with this root has the card at its leaf."""
    at, size, path = opened["index"], count, [bytes.fromhex(one) for one in opened["path"]]
    leaf = joined(round_id, deck, str(at), opened["card"], bytes.fromhex(opened["salt"]))
    node = sha256(b"\x00" + leaf).digest()
    while size > 1:
        if at % 2 or at + 1 < size:
            if not path:
                return False
            beside = path.pop(0)
            pair = beside + node if at % 2 else node + beside
            node = sha256(b"\x01" + pair).digest()
        at, size = at // 2, (size + 1) // 2
    top = sha256(b"\x02" + count.to_bytes(4, "big") + node).hexdigest()
    return 0 <= opened["index"] < count and not path and top == root


# The form of a proof -----------------------------------------------------------

RULES = {"format", "table", "number", "house", "fingerprint", "procedure", "deck"}
ROUND = RULES | {"ended", "spots", "bets_closed_version", "commitments", "cards"}
KEYS = {
    1: ROUND,
    2: ROUND | {"seeds", "passed"},
    3: ROUND | {"seeds", "passed", "dealer", "scanned"},
}
SEEDS = {
    2: {"digest", "called_version", "fixed_version", "seeds"},
    3: {"bound_version", "digest", "called_version", "fixed_version", "mixed", "list"},
}


def read(text: str) -> Any:
    """JSON without repeated keys."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        need(len(dict(pairs)) == len(pairs), "a key is repeated")
        return dict(pairs)

    try:
        return json.loads(text, object_pairs_hook=once)
    except ValueError as error:
        raise Wrong(str(error)) from error


def fields(value: Any, names: Iterable[str]) -> dict[str, Any]:
    """An object with exactly these keys."""
    need(isinstance(value, dict) and set(value) == set(names), f"not an object of {names}")
    found: dict[str, Any] = value
    return found


def check_card(text: Any) -> None:
    """A card is its rank and its suit."""
    need(len(text) == 2 and text[0] in "23456789TJQKA" and text[1] in "cdhs", "not a card")


def check_form(proof: Any) -> int:
    """The version of a proof, once it has exactly the keys that belong to it."""
    need(isinstance(proof, dict), "not a proof")
    name, _, version = str(proof.get("format")).partition("/")
    need(name == "openfelt.round_proof" and version in ("1", "2", "3"), "an unknown format")
    fields(proof, KEYS[int(version)])
    need(type(proof["number"]) is int, "the number of the round is none")
    for card in proof["cards"]:
        fields(card, ["lies", "spot", "position", "deck", "index", "proof"])
    for card in proof["cards"] + proof.get("passed", []):
        if card["proof"] is not None:
            fields(card["proof"], ["index", "card", "salt", "path"])
            check_card(card["proof"]["card"])
    if int(version) > 1:
        fields(proof["seeds"], SEEDS[int(version)])
    return int(version)


# The seeds -----------------------------------------------------------------------


def commitment_to(round_id: str, seat: object, seed: str) -> str:
    """The commitment to a seed."""
    parts = joined("openfelt.seed/1", round_id, str(seat), bytes.fromhex(seed))
    return sha256(parts).hexdigest()


def listed_seeds(proof: Any, version: int, round_id: str) -> tuple[list[Bound], int | None]:
    """Seat, commitment and seed of every bound seat, and the last event that bound one."""
    if version == 2:
        given = [(one["seat"], one["commitment"], one["seed"]) for one in proof["seeds"]["seeds"]]
        return given, max((one["version"] for one in proof["seeds"]["seeds"]), default=None)
    need(proof["seeds"]["list"] is not None, "the list of seeds is missing")
    listed = fields(proof["seeds"]["list"], ["revealed", "withheld"])
    lines: list[Bound] = []
    for seat, seed in listed["revealed"].items():
        lines.append((int(seat), commitment_to(round_id, seat, seed), seed))
    lines += [(int(seat), commitment, None) for seat, commitment in listed["withheld"].items()]
    need(all(str(int(seat)) == seat for part in listed.values() for seat in part), "not a seat")
    return sorted(lines, key=lambda line: line[0]), proof["seeds"]["bound_version"]


def check_seats(proof: Any, seats: list[int]) -> None:
    """The part of condition 3 about seats that played; a proof does not name the banker."""
    need(all(seat >= 1 for seat in seats), "a seed of no seat")
    if proof["deck"] == "shared":
        played = {int(spot.split(".")[0]) for spot in proof["spots"]}
        bankers = 0 if proof["house"] in UNBANKED else 1
        need(len(set(seats) - played) <= bankers, "a seed of a seat that did not play")


def check_seeds(proof: Any, version: int, round_id: str) -> bytes | None:
    """Conditions 3 and 4; gives the hash from which the order follows, None without any seed."""
    lines, bound = listed_seeds(proof, version, round_id)
    closed, seeds = proof["bets_closed_version"], proof["seeds"]
    called, fixed = seeds["called_version"], seeds["fixed_version"]
    seats = [seat for seat, _, _ in lines]
    need(seats == sorted(set(seats)), "a seat is listed twice, or out of order")
    check_seats(proof, seats)
    need((bound is None) == (not lines) and (bound or 0) < closed, "a seed was bound too late")
    digest: list[str | bytes] = []
    mixed: list[str | bytes] = []
    for seat, commitment, seed in lines:
        need(seed is None or commitment_to(round_id, seat, seed) == commitment, "another seed")
        digest += [str(seat), bytes.fromhex(commitment)]
        word, value = ("withheld", commitment) if seed is None else ("revealed", seed)
        mixed += [str(seat), word, bytes.fromhex(value)]
    need((called is None) == (seeds["digest"] is None), "a call without a digest")
    if called is None:
        need(not lines or fixed is None, "the seeds were never called")
    else:
        found = sha256(joined("openfelt.seeds_called/1", round_id, *digest)).hexdigest()
        need(called > closed and found == seeds["digest"], "the call of the seeds")
    need(fixed is not None or not proof["cards"], "cards before the seeds were fixed")
    need(fixed is None or fixed > (called or closed), "the seeds were fixed too early")
    order = None
    if any(seed for _, _, seed in lines):
        order = sha256(joined("openfelt.seeds_mixed/1", round_id, *mixed)).digest()
    need(version == 2 or seeds["mixed"] == (order and order.hex()), "another mixture of seeds")
    return order


# The plan ------------------------------------------------------------------------


def plan_of(proof: Any) -> list[Place]:
    """Each place of the plan in order: where it lies, its spot, its position, its deck."""
    draw, own = proof["procedure"] in DRAWS, proof["deck"] == "per_terminal"
    size, spots = 5 if draw else 2, proof["spots"]
    need(proof["procedure"] in (*HOLDEM, *DRAWS), "the procedure")
    need(own or proof["procedure"] != "terminals", "the procedure of terminals")
    numbers = range(1, size + 1)
    hands: list[Lying] = [("hand", spot, at) for spot in spots for at in numbers]
    dealer: list[Lying] = [("dealer", None, at) for at in numbers]
    from_five = proof["procedure"] == "draw_from_five"
    positions = range(5, 0, -1) if from_five else range(1, 6)
    common: list[Lying] = [("common", None, at) for at in positions]
    if own:
        places = dealer + common + hands if draw else common + dealer + hands
    elif proof["procedure"] == "shoe":
        around = [(spot, at) for at in (1, 2) for spot in [*spots, None]]
        places = [("hand" if spot else "dealer", spot, at) for spot, at in around] + common
    elif proof["procedure"] == "community_first":
        places = common + hands + dealer
    else:
        places = hands + dealer + common
    return [
        (lies, spot, at, f"seat-{spot.split('.')[0]}" if own and spot else TABLE)
        for lies, spot, at in places
    ]


def check_scanned(proof: Any, at_table: list[Place], live: bool) -> None:
    """Condition 5."""
    scanned, seeds = proof.get("scanned", []), proof.get("seeds", {})
    need(live or not scanned, "a virtual dealer does not scan")
    places = [(one["lies"], None, one["position"], TABLE) for one in scanned]
    need(places == at_table[: len(scanned)], "scanned cards are out of order")
    whole = len(scanned) == len(at_table)
    over = proof["cards"] or proof["ended"] == "settled"
    need(not live or whole or not over, "scanned cards are missing")
    for one in scanned:
        fields(one, ["lies", "position", "version", "card", "corrected"])
        later = [seeds[name] for name in ("called_version", "fixed_version") if seeds[name]]
        in_time = proof["bets_closed_version"] < one["version"] < min(later, default=10**18)
        need(in_time, "a card was scanned before bets closed, or after the call")
        need(one["card"] or not one["corrected"], "a hidden card was corrected")
        for card in (one["card"], one["corrected"]):
            check_card(card or "2c")
    dealt = [one["card"] for one in scanned]
    for cards in (dealt, [one["corrected"] or one["card"] for one in scanned]):
        shown = [card for card in cards if card]
        need(len(set(shown)) == len(shown), "a card was scanned twice")


def check_places(proof: Any, plan: list[Place]) -> None:
    """Condition 6."""
    cards: list[Any] = proof["cards"]
    passed: dict[str, list[int]] = {}
    spots = [tuple(map(int, spot.split("."))) for spot in proof["spots"]]
    need(spots and spots == sorted(set(spots)), "hands out of order")
    need(len(cards) <= len(plan), "too many cards")
    need(proof["ended"] == "voided" or len(cards) == len(plan), "cards are missing")
    for one in proof.get("passed", []):
        fields(one, ["deck", "index", "proof"])
        before = passed.setdefault(one["deck"], [])
        last = sum(card["deck"] == one["deck"] for card in cards) + len(before)
        rising = not before or one["index"] > before[-1]
        need(one["deck"] != TABLE and rising and one["index"] < last, "passed over wrongly")
        before.append(one["index"])
    following: dict[str, int] = {}
    for card, (lies, spot, at, deck) in zip(cards, plan, strict=False):
        index = following.get(deck, 0)
        while index in passed.get(deck, []):
            index += 1
        following[deck] = index + 1
        found = tuple(card[key] for key in ("lies", "spot", "position", "deck", "index"))
        need(found == (lies, spot, at, deck, index), f"{found} is not the next of the plan")


def check_shown(proof: Any) -> None:
    """Condition 7, except for what depends on the house."""
    lying = [(one["lies"], None, one["card"]) for one in proof.get("scanned", [])]
    lying += [(card["lies"], card["spot"], card["proof"]) for card in proof["cards"]]
    sets: dict[str | None, set[bool]] = {}
    for lies, spot, shown in lying:
        if lies == "common":
            need(shown or proof["ended"] == "voided", "a common card is hidden")
        else:
            sets.setdefault(spot, set()).add(bool(shown))
    need(all(len(seen) == 1 for seen in sets.values()), "a hand is shown in part")


# A whole proof -------------------------------------------------------------------


def verify(text: str, seeds_text: str | None = None) -> int:
    """Check a proof; raises Wrong, and gives how many cards it shows."""
    proof = read(text)
    version = check_form(proof)
    round_id = f"{proof['table']}/{proof['number']}"
    if seeds_text is not None:
        listed = fields(read(seeds_text), ["format", "table", "number", "list"])
        need(listed["format"] == "openfelt.round_seeds/1", "not a list of seeds")
        need(f"{listed['table']}/{listed['number']}" == round_id, "seeds of another round")
        proof["seeds"]["list"] = listed["list"]
    live = proof.get("dealer") == "live"
    need(proof.get("dealer") in (None, "live", "virtual"), "an unknown dealer")
    need(proof["deck"] == "per_terminal" or (proof["deck"] == "shared" and not live), "the deck")
    need(proof["ended"] in ("settled", "voided"), "the round is not over")
    plan = plan_of(proof)
    at_table = [place for place in plan if place[3] == TABLE]
    if live:
        plan = [place for place in plan if place[3] != TABLE]
    roots: dict[str, str] = {}
    for line in proof["commitments"]:
        fields(line, ["deck", "root", "version"] + ["wager_version"] * (version > 1))
        first = line.get("wager_version", proof["bets_closed_version"])
        need(line["deck"] not in roots, "two commitments")
        in_time = line["version"] < first <= proof["bets_closed_version"]
        need(in_time and first - (version == 1) < proof["bets_closed_version"], "sealed too late")
        roots[line["deck"]] = line["root"]
    need(set(roots) == {place[3] for place in plan}, "commitments to decks other than the plan's")
    mixed = check_seeds(proof, version, round_id) if version > 1 else None
    check_scanned(proof, at_table, live)
    check_places(proof, plan)
    check_shown(proof)
    check_cards(proof, version, roots, mixed, len(at_table))
    return sum(card["proof"] is not None for card in proof["cards"])


def check_cards(
    proof: Any, version: int, roots: dict[str, str], mixed: bytes | None, at_table: int
) -> None:
    """Conditions 8, 9 and 10."""
    round_id = f"{proof['table']}/{proof['number']}"
    orders: dict[str, list[int]] = {}
    passed, scanned = proof.get("passed", []), proof.get("scanned", [])
    shown = [(card["deck"], card["proof"]["card"]) for card in proof["cards"] if card["proof"]]
    for card in proof["cards"] + passed:
        deck, opened = card["deck"], card["proof"]
        if opened is not None:
            count = 52 if version > 1 or deck == TABLE else 52 - at_table
            if deck not in orders:
                orders[deck] = dealing_order(round_id, deck, roots[deck], mixed, count)
            index = card["index"]
            need(index < count and orders[deck][index] == opened["index"], "another leaf")
            need(opens(roots[deck], round_id, deck, count, opened), "a card was not in its place")
    table = {card for deck, card in shown if deck == TABLE} | {one["card"] for one in scanned}
    table.discard(None)
    for deck in {one["deck"] for one in passed}:
        hidden = [one for one in passed if one["deck"] == deck and one["proof"] is None]
        need(len(hidden) <= at_table - len(table), "too many cards passed over unseen")
    over = {one["proof"]["card"] for one in passed if one["proof"]}
    need(over <= table, "a card was passed over that the table did not deal")
    need(len(set(shown)) == len(shown), "a card came twice")
    taken = table | {one["corrected"] for one in scanned}
    need(all(deck == TABLE or card not in taken for deck, card in shown), "a card of the table")


if __name__ == "__main__":
    texts = [Path(name).read_text(encoding="utf-8") for name in sys.argv[1:]]
    try:
        print(f"The proof holds: {verify(*texts)} cards shown.")
    except (Wrong, KeyError, TypeError, ValueError, AttributeError) as error:
        sys.exit(f"The proof does not hold: {error}")
