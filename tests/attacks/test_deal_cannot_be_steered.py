"""A house shuffles twelve decks and picks the worst one for its player; a player picks a seed.

The house publishes its decks before any wager, and the players' seeds decide in which order they
are dealt. So any honest party, the house or one player, is dealt to at random. What remains, seeds
that are withheld and rounds that are void, stalls no player and is counted.
"""

import asyncio
import copy
import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.catalog import load_catalog, load_house
from openfelt.client import Casino
from openfelt.client.own_rounds import OwnRound, SeedUnused
from openfelt.protocol.messages import Check, Fold, SetWagers, WagerAsked
from openfelt.rules import CloseBets, DealCard, House
from openfelt.rules import SetWagers as Wagers
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import DealerMode, Deck
from openfelt.rules.lines import Result
from openfelt.rules.round import Phase
from openfelt.runtime.audit.database import audit
from openfelt.runtime.rounds.check import CheckResult, check_round_proof
from openfelt.runtime.rounds.proof import ProvedSeed, RoundProof
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.shuffle.entropy import SeededEntropy, SystemEntropy
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table.commands import SYSTEM, EndTime, OpenBets, SeededWagers, TakeBank
from openfelt.table.commands import RevealSeed as Reveal
from openfelt.table.seeds import seed_commitment
from tests.kit.attacks.server_under_attack import ServerUnderAttack, get, post
from tests.kit.audit.proved_rounds import prove, proved_seeds, seeded_round
from tests.kit.audit.steered_rounds import dealt_by, ground_seed, margin, worst_deck
from tests.kit.audit.strangers_verifier import strangers_verdict
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift
from tests.kit.own_houses import own_house
from tests.kit.tables import FLOOR

ROUNDS: Final = 60
PICKED_FROM: Final = 12


# A house that picks its shuffles -----------------------------------------------------------


class PickingShuffler(Shuffler):
    """Shuffles twelve decks and keeps the one that is worst for a player dealt from the top."""

    def __init__(self, seed: int) -> None:
        super().__init__(SeededEntropy(seed))

    def shuffle(self, round_id: str, deck: str, cards: Sequence[Card]) -> SecretDeck:
        """The deck of twelve in which the player loses by most."""
        candidates = [
            super(PickingShuffler, self).shuffle(round_id, deck, cards) for _ in range(PICKED_FROM)
        ]
        return min(candidates, key=lambda candidate: margin(candidate.cards))


def losses(desk: Desk, random: Random | None) -> tuple[int, int]:
    """How many of the rounds a player loses and wins who bets before the flop every time."""
    results: list[Result] = []
    for number in range(1, ROUNDS + 1):
        bets = Wagers(spot_of("1.1"), wagers_of("ante 5"))
        if random is None:
            desk.do(bets, "ann").do(CloseBets(), "ann")
        else:
            seed = random.randbytes(32).hex()
            bound = seed_commitment(f"table-1/{number}", 1, seed)
            desk.do(SeededWagers(bets, bound), "ann").do(CloseBets(), "ann")
            desk.do(Reveal(1, seed), "ann")
        desk.choose("ann", "1.1", "4x")
        assert desk.round.settlement is not None
        (play,) = (line for line in desk.round.settlement.lines if line.wager == "play")
        results.append(play.result)
    return results.count(Result.LOSE), results.count(Result.WIN)


def chance_of_at_least(lost: int, played: int) -> float:
    """The probability of so many losses or more, if each hand is as likely won as lost."""
    ways = sum(comb(played, count) for count in range(lost, played + 1))
    return float(Fraction(ways, 2**played))


def test_with_an_honest_players_seed_a_picked_deck_is_as_good_as_any(tmp_path: Path) -> None:
    """The same house beats a player without a seed nearly always, and so the test can see it."""
    found = {}
    for name, random in (("without", None), ("with", Random(2026))):
        shift = Shift(tmp_path / f"{name}.db", shuffler=PickingShuffler(1))
        try:
            desk = shift.open_table("online").sit("ann", 1, 100_000)
            found[name] = losses(desk, random)
        finally:
            shift.close()
    lost, won = found["without"]
    assert chance_of_at_least(lost, lost + won) < 1e-9
    lost, won = found["with"]
    assert chance_of_at_least(lost, lost + won) > 0.01, f"{lost} lost, {won} won"


HOUSES: Final[dict[str, House]] = {
    house.id: house
    if house.dealer_mode is not DealerMode.LIVE
    else own_house(house.id, {"table.dealer": "virtual"})
    for house in load_catalog().houses.values()
}


@pytest.mark.parametrize("house", sorted(HOUSES))
def test_every_deck_is_published_before_the_first_wager_on_it(shift: Shift, house: str) -> None:
    """In a transaction before that of the wager, for every round and for players who come late."""
    desk = shift.open_table(HOUSES[house], mode=DealerMode.VIRTUAL).sit("ann", 1, 5000)
    hands = 1 if HOUSES[house].seats == 1 else 2
    for number in range(1, 4):
        if hands == 2 and number == 1:
            desk.sit("bob", 2, 5000)
        if desk.table.player_banked:
            offered = desk.table.bank_offered_to or 1
            desk.do(TakeBank(offered, 50_000), desk.table.seats[offered].player)
        banker = (
            desk.table.round.opened.banker
            if desk.table.player_banked and desk.table.round
            else None
        )
        for seat, player in list(enumerate(("ann", "bob"), start=1))[:hands]:
            if banker is None or banker.seat != seat:
                desk.bet(player, f"{seat}.1", "ante 10")
        desk.do(CloseBets(), FLOOR).void()
    late = 0
    sealed: set[str] = set()
    for commit in shift.store.commits:
        events = [event for append in commit.appends for event in append.events]
        if any(
            event.name == "wagers_set" and json.loads(event.body).get("wagers") for event in events
        ):
            late += "table" not in sealed
            if HOUSES[house].deck.value == "per_terminal":
                spots = [
                    json.loads(event.body)["spot"] for event in events if event.name == "wagers_set"
                ]
                late += sum(
                    f"seat-{spot.partition('.')[0]}" not in sealed for spot in map(str, spots)
                )
        for event in events:
            if event.name in ("round_voided", "round_settled"):
                sealed = set()
            elif event.name == "deck_committed":
                sealed.add(json.loads(event.body)["deck"])
    assert late == 0
    assert shift.names().count("round_voided") == 3


# A proof that was tampered with --------------------------------------------------------------


def proved_with_seeds(shift: Shift) -> dict[str, Any]:
    """The proof of a round at a stadium: two seeds, one withheld."""
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL)
    seeds = {seat: f"{seat:02x}" * 32 for seat in (1, 2, 3)}
    for seat, seed in seeds.items():
        player = f"player-{seat}"
        desk.sit(player, seat, 5000)
        bets = Wagers(spot_of(f"{seat}.1"), wagers_of("ante 10"))
        desk.do(SeededWagers(bets, seed_commitment("table-1/1", seat, seed)), player)
    desk.do(CloseBets(), FLOOR)
    for seat in (1, 3):
        desk.do(Reveal(seat, seeds[seat]), f"player-{seat}")
    assert desk.table.clock is not None
    desk.do(EndTime(desk.table.clock.number), SYSTEM)
    for seat in seeds:
        desk.choose(f"player-{seat}", f"{seat}.1", "4x")
    proof: dict[str, Any] = json.loads(proof_json(proof_of_round(shift.store, "table-1", 1)))
    return proof


def revealed(proof: dict[str, Any]) -> dict[str, str]:
    seeds: dict[str, str] = proof["seeds"]["list"]["revealed"]
    return seeds


def withheld(proof: dict[str, Any]) -> dict[str, str]:
    commitments: dict[str, str] = proof["seeds"]["list"]["withheld"]
    return commitments


def withhold(proof: dict[str, Any], seat: int) -> None:
    """A seed that was revealed, as if it had not been."""
    seed = revealed(proof).pop(str(seat))
    withheld(proof)[str(seat)] = seed_commitment("table-1/1", seat, seed)


def exchange(values: list[Any], one: int, other: int) -> None:
    values[one], values[other] = values[other], values[one]


def late(commitment: dict[str, Any]) -> None:
    """A root that was published with the first wager."""
    commitment["version"] = commitment["wager_version"]


def other_leaf(proof: dict[str, Any]) -> None:
    """A card from another leaf of the same deck, with a proof that is good for that leaf."""
    one, other = (
        card for card in proof["cards"] if card["deck"] == "table" and card["lies"] == "dealer"
    )
    one["proof"], other["proof"] = other["proof"], one["proof"]


TAMPERED: Final[dict[str, Callable[[dict[str, Any]], object]]] = {
    "another seed": lambda p: revealed(p).update({"1": "ab" * 32}),
    "a seed left out": lambda p: withhold(p, 1),
    "a withheld seed filled in": lambda p: revealed(p).update({"2": "cd" * 32}),
    "a withheld seed revealed after all": lambda p: revealed(p).update(
        dict.fromkeys([withheld(p).popitem()[0]], "02" * 32)
    ),
    "a seat left out": lambda p: revealed(p).pop("1"),
    "a seat added": lambda p: revealed(p).update({"4": "04" * 32}),
    "the list left out": lambda p: p["seeds"].update(list=None),
    "another mixture": lambda p: p["seeds"].update(mixed="ab" * 32),
    "no mixture": lambda p: p["seeds"].update(mixed=None),
    "another commitment": lambda p: withheld(p).update({"2": "ef" * 32}),
    "another digest": lambda p: p["seeds"].update(digest="00" * 32),
    "seeds called before bets closed": lambda p: p["seeds"].update(called_version=1),
    "seeds never called": lambda p: p["seeds"].update(called_version=None, digest=None),
    "cards before the seeds": lambda p: p["seeds"].update(fixed_version=None),
    "seeds fixed before the call": lambda p: p["seeds"].update(fixed_version=1),
    "a seed bound after bets closed": lambda p: p["seeds"].update(bound_version=10**6),
    "another root": lambda p: p["commitments"][0].update(root="00" * 32),
    "a root after the first wager": lambda p: late(p["commitments"][0]),
    "a terminal's root after its wager": lambda p: late(p["commitments"][1]),
    "two leaves exchanged": other_leaf,
    "two cards exchanged": lambda p: exchange(p["cards"], 0, 1),
    "another round": lambda p: p.update(number=2),
    "an old format": lambda p: p.update(format="openfelt.round_proof/1"),
    "the format before": lambda p: p.update(format="openfelt.round_proof/2"),
}  # fmt: skip


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A proof of a round with seeds, as JSON."""
    shift = Shift(tmp_path_factory.mktemp("proved") / "felt.db")
    try:
        return proved_with_seeds(shift)
    finally:
        shift.close()


def verdict(proof: dict[str, Any]) -> CheckResult:
    return check_round_proof(read_proof(json.dumps(proof)), load_house("stadium"))


@pytest.mark.parametrize("change", TAMPERED)
def test_no_part_of_a_proof_can_be_exchanged(proof: dict[str, Any], change: str) -> None:
    checked = verdict(proof)
    assert (checked.seeds, checked.seeds_withheld) == (2, 1)
    tampered = copy.deepcopy(proof)
    TAMPERED[change](tampered)
    with pytest.raises(ProofError):
        verdict(tampered)


def test_a_terminal_finds_what_only_it_can_know(proof: dict[str, Any]) -> None:
    """A deck that it did not see sealed, a seed that was replaced, and one that was dropped."""
    shown = read_proof(json.dumps(proof))
    published = {line["deck"]: line["root"] for line in proof["commitments"]}
    roots = {deck: published[deck] for deck in ("table", "seat-1")}
    digest = proof["seeds"]["digest"]
    known: dict[str, Any] = {
        "table": "table-1",
        "number": 1,
        "seat": 1,
        "roots": roots,
        "seed": "01" * 32,
    }
    OwnRound(**known, digest=digest, sent=True, bound=True, revealed=True).check(shown)
    of_seat_2: dict[str, Any] = {"seat": 2, "seed": "02" * 32, "roots": published}
    changes: list[dict[str, Any]] = [
        {"seed": "09" * 32, "bound": True},
        {"roots": {"table": "00" * 32, "seat-1": roots["seat-1"]}},
        {"roots": {}},
        {"digest": "00" * 32},
        {"number": 2},
        of_seat_2 | {"revealed": True},
        of_seat_2 | {"here": True},
    ]
    for wrong in changes:
        with pytest.raises(ProofError):
            OwnRound(**known | wrong).check(shown)


def test_a_house_that_drops_the_seed_and_deals_a_picked_deck_is_found() -> None:
    """With no seed, the deck is dealt as it was committed to; the proof is valid in itself."""
    deck = worst_deck(Random(4))
    own = OwnRound(table="table-1", number=1, seat=1, roots={"table": deck.root}, bound=True)
    dropped = dealt_by(deck, [ProvedSeed(seat=1, commitment=own.commitment, seed=None)])
    assert check_round_proof(dropped, load_house("online")).seeds_withheld == 1
    with pytest.raises(SeedUnused):
        own.check(dropped)
    for knowing in (replace(own, here=True), replace(own, revealed=True)):
        with pytest.raises(ProofError):
            knowing.check(dropped)
    without = dealt_by(deck, [])
    assert check_round_proof(without, load_house("online")).seeds == 0
    with pytest.raises(ProofError):
        own.check(without)


# An operator who knows the player's seed before it is used --------------------------------------


def test_no_seed_of_a_seat_that_did_not_play_decides_the_order() -> None:
    """An operator who has seen the player's seed grinds another one, for a seat that is not there.

    Any check of the proof, with the rules of the house or without, finds it.
    """
    random = Random(3)
    deck, honest = worst_deck(random), ProvedSeed.revealed("table-1/1", 1, "5e" * 32)
    assert check_round_proof(dealt_by(deck, [honest]), load_house("online")).seeds == 1
    for seat in (2, 7):
        steered = dealt_by(deck, [honest, ground_seed(deck, honest, seat, random)])
        assert margin([dealt.card for dealt in steered.cards if dealt.card is not None]) < 0
        with pytest.raises(ProofError):
            check_round_proof(steered, load_house("online"))
        assert not strangers_verdict(proof_json(steered))


def test_only_one_seat_without_a_hand_gives_a_seed_where_a_player_banks() -> None:
    """That of the banker, whom a proof does not name."""
    house = load_house("california")
    for bound in ((), (7,), (6, 7)):
        proof = banked_proof(house, bound)
        if len(bound) < 2:
            assert check_round_proof(proof, house).cards == 0
            assert strangers_verdict(proof_json(proof))
            continue
        with pytest.raises(ProofError, match="seat 7, which did not play"):
            check_round_proof(proof, house)
        assert not strangers_verdict(proof_json(proof))


def banked_proof(house: House, bound: Sequence[int]) -> RoundProof:
    """A round void before its first card, with seeds of the players and of these other seats."""
    for number in range(1000):
        state, decks, seeds = seeded_round(house, Random(number))
        played = {spot.seat for spot in state.hands}
        if not played & {6, 7}:
            break
    given = {seat: f"{seat:02x}" * 32 for seat in (*played, *bound)}
    proof = prove(state, decks, seeds)
    return replace(proof, seeds=proved_seeds(given), ended=Phase.VOIDED, cards=(), passed=())


# A player at a real server ---------------------------------------------------------------------


def test_seeds_are_revealed_by_themselves_and_every_terminal_checks_its_round(
    server: ServerUnderAttack,
) -> None:
    async def play() -> None:
        async with Casino(server.address) as casino:
            await casino.guest()
            name = await casino.private_table("online")
            async with casino.table(name) as terminal:
                await terminal.sit(buy_in_cents=50_000)
                for number in (1, 2):
                    seen = dict(terminal.public.commitments)
                    assert terminal.public.deck_round == number
                    await terminal.bet(ante=500)
                    await terminal.deal()
                    while "decide" in terminal.private.may:
                        await terminal.decide(_cheapest(terminal))
                    checked = await casino.check_round(terminal, number)
                    assert (checked.seeds, checked.seeds_withheld) == (1, 0)
                    assert terminal.rounds[number].roots == seen
                assert terminal.public.fairness.seeds == 2

    asyncio.run(asyncio.wait_for(play(), 120))


def _cheapest(terminal: Any) -> Any:
    (hand,) = terminal.private.hands.values()
    return Check() if "check" in {choice.kind for choice in hand.choices} else Fold()


def test_a_player_who_withholds_a_seed_stalls_nobody_and_is_counted(
    server: ServerUnderAttack, tmp_path: Path
) -> None:
    """Nor does anybody see the other's seed on the wire before the round is over."""
    clock = {"wager_seconds": 2, "decision_seconds": 1}
    table = server.open_table(
        "withheld-1", "washington", dealer_mode="virtual", clock=clock, link="house-link"
    )
    honest, sly = server.person("guest"), server.person("guest")

    async def play() -> list[str]:
        frames: list[str] = []
        async with server.terminal(honest, table) as ann, server.terminal(sly, table) as bob:
            await ann.sit(buy_in_cents=50_000)
            seat = await bob.sit(buy_in_cents=50_000)
            async with server.socket(server.person("anonymous"), table) as wire:
                await ann.bet(ante=1000)
                bound = seed_commitment(f"{table}/1", seat, "77" * 32)
                await bob.ask(
                    SetWagers(
                        spot=f"{seat}.1",
                        wagers=[WagerAsked(kind="ante", cents=1000)],
                        round=1,
                        seed_commitment=bound,
                    )
                )
                await ann.until(lambda now: now.public.fairness.rounds == 1)
                while True:
                    frame = await wire.recv()
                    assert isinstance(frame, str)
                    frames.append(frame)
                    if '"fairness":{' in frame and '"rounds":1' in frame:
                        break
            assert ann.rounds[1].seed not in "".join(frames)
            assert ann.public.fairness.seeds_withheld == 1
            assert ann.rounds[1].revealed
        return frames

    asyncio.run(asyncio.wait_for(play(), 120))
    shown = read_proof(json.dumps(get(honest, f"/tables/{table}/rounds/1/proof")))
    assert shown.seeds is not None
    assert len(shown.seeds.withheld) == 1
    assert post(honest, "/verify", json.loads(proof_json(shown)))["ok"]
    with server.store(tmp_path) as store:
        report = audit(store)
    assert report.clean, report.findings
    assert report.fairness[table].seeds_withheld == 1


def test_a_seed_is_taken_from_its_own_player_once_and_only_when_called(shift: Shift) -> None:
    desk = shift.open_table(HOUSES["washington"], mode=DealerMode.VIRTUAL)
    desk.sit("ann", 1, 500).sit("bob", 2, 500)
    bound = seed_commitment("table-1/1", 1, "5e" * 32)
    bets = Wagers(spot_of("1.1"), wagers_of("ante 10"))
    desk.do(SeededWagers(bets, bound), "ann")
    # A second commitment of the same seat does not replace the first.
    desk.do(SeededWagers(bets, "ab" * 32), "ann")
    assert desk.table.seeds is not None
    assert desk.table.seeds.committed == {1: bound}
    desk.refuses(Reveal(1, "5e" * 32), "ann", "seeds_not_called")
    desk.do(CloseBets(), FLOOR)
    assert not desk.round.dealer
    desk.refuses(bets, "ann", "wagers_closed")
    desk.refuses(Reveal(1, "5e" * 32), "bob", "not_your_seat")
    desk.refuses(Reveal(1, "5f" * 32), "ann", "wrong_seed")
    desk.do(Reveal(1, "5e" * 32), "ann")
    desk.refuses(Reveal(1, "5e" * 32), "ann", "seeds_not_called")
    assert desk.round.hands[spot_of("1.1")].cards


def test_the_clock_of_the_seeds_goes_on_after_a_restart(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    bound = seed_commitment("table-1/1", 1, "5e" * 32)
    desk.do(SeededWagers(Wagers(spot_of("1.1"), wagers_of("ante 10")), bound), "ann")
    desk.do(CloseBets(), "ann")
    shift.clock.pass_ms(3_600_000)
    again = shift.beside().work_at()
    assert again.worker.time_left_ms == 5_000
    shift.clock.pass_ms(5_000)
    again.worker.tick()
    assert again.table.fairness.seeds_withheld == 1
    assert again.round.hands[spot_of("1.1")].cards


DEALT: Final = [
    (house, mode)
    for house in sorted(HOUSES)
    for mode in (DealerMode.VIRTUAL, DealerMode.LIVE)
    if mode is DealerMode.VIRTUAL or HOUSES[house].seats > 1
]
"""Every house, with both kinds of dealer; a private game has no live one."""


@pytest.mark.parametrize(("house", "mode"), DEALT)
def test_withheld_seeds_and_void_rounds_are_counted_in_every_house(
    shift: Shift, house: str, mode: DealerMode
) -> None:
    """One round void before bets closed and one after, a seed withheld where there are seeds."""
    rules = house_with(HOUSES[house], dealer_mode=DealerMode.EITHER)
    desk = shift.open_table(rules, mode=mode).sit("ann", 1, 5000)
    if rules.seats > 1:
        desk.sit("bob", 2, 5000)
    for number, close in enumerate((False, True), start=1):
        seat = 1
        if desk.table.player_banked:
            banker = desk.table.bank_offered_to or 1
            desk.do(TakeBank(banker, 50_000), ("ann", "bob")[banker - 1])
            seat = 3 - banker
        elif mode is DealerMode.LIVE:
            desk.do(OpenBets(), FLOOR)
        bets = Wagers(spot_of(f"{seat}.1"), wagers_of("ante 10"))
        bound = seed_commitment(f"table-1/{number}", seat, "5e" * 32)
        desk.do(SeededWagers(bets, bound), ("ann", "bob")[seat - 1])
        if close:
            desk.do(CloseBets(), FLOOR)
            scan_table_cards(desk)
            if desk.table.clock is not None:
                desk.do(EndTime(desk.table.clock.number), SYSTEM)
        desk.void()
    counted = desk.table.fairness
    assert (counted.rounds_withdrawn, counted.rounds_voided, counted.rounds) == (1, 1, 0)
    sealed = mode is DealerMode.VIRTUAL or rules.deck is Deck.PER_TERMINAL
    assert counted.seeds_withheld == sealed
    report = audit(shift.store)
    assert report.clean, report.findings
    assert report.fairness["table-1"] == counted


def scan_table_cards(desk: Desk) -> None:
    """Scan what a live dealer deals before the terminals' hands."""
    if not desk.table.virtual and desk.round.house.deck is Deck.PER_TERMINAL:
        for card in parse_cards("9c Td Jh 3s 4s Kc Kd"):
            desk.do(DealCard(card), FLOOR)


# A machine that is cloned ------------------------------------------------------------------------


def test_two_clones_of_a_machine_deal_other_cards(tmp_path: Path) -> None:
    """Its memory is copied with all it holds, its disk too; only the next bytes are its own."""
    entropy = SystemEntropy()
    entropy.draw_below(52)
    shuffler = Shuffler(entropy)
    clone = Shuffler(copied(entropy))
    assert shuffler.shuffle("t/1", "table", tuple(map(Card, range(52)))).cards != (
        clone.shuffle("t/1", "table", tuple(map(Card, range(52)))).cards
    )
    shift = Shift(tmp_path / "felt.db", shuffler=shuffler)
    shift.open_table("online").sit("ann", 1, 500)
    shift.close()
    shutil.copy(tmp_path / "felt.db", tmp_path / "clone.db")
    decks = []
    for file, dealer in (("felt.db", shuffler), ("clone.db", clone)):
        machine = Shift(tmp_path / file, shuffler=dealer)
        desk = machine.work_at()
        desk.bet("ann", "1.1", "ante 10").void()
        decks.append(desk.decks["table"].cards)
        machine.close()
    assert decks[0] != decks[1]


def copied(entropy: SystemEntropy) -> SystemEntropy:
    """A source with the same bytes in its memory, as after a snapshot of the machine."""
    clone = SystemEntropy()
    clone._block, clone._at = entropy._block, entropy._at
    return clone
