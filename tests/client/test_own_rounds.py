"""What a terminal sees of its own rounds, and what it then says about their proofs."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any

import pytest

from openfelt.catalog import load_house
from openfelt.client import Refused, SeedUnused, Terminal
from openfelt.client.own_rounds import OwnRound
from openfelt.protocol.messages import Bet, Check, Fold, Hold
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.runtime.rounds.check import check_round_proof
from openfelt.runtime.rounds.proof import ProvedSeed
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.table.seeds import seeds_digest
from tests.kit.audit.steered_rounds import ROUND, dealt_by, ground_seed, worst_deck
from tests.kit.client.cheating_server import (
    CheatingServer,
    cheating_server,
    round_view,
    seeds_view,
)
from tests.kit.own_houses import own_house
from tests.kit.server.halls import Hall

DECK = worst_deck(Random(1))


@pytest.fixture
async def cheat() -> AsyncIterator[CheatingServer]:
    """A server that says what a test likes, with one sealed deck."""
    async with cheating_server() as cheat:
        cheat.public["commitments"] = {"table": DECK.root}
        yield cheat


async def bet(cheat: CheatingServer, table: Terminal) -> OwnRound:
    """Bet on round 1, to whose seed the seat is then bound."""
    own = table._own_round(1, 1)
    wagering = {"round": round_view("wagering"), "seeds": seeds_view()}
    cheat.on_wager = cheat.on_wager or (wagering, {"seed_commitment": own.commitment})
    await table.bet(ante=500)
    return own


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait for what no message announces."""
    while not condition():  # noqa: ASYNC110
        await asyncio.sleep(0.005)


def digest_of(*seeds: ProvedSeed) -> str:
    return seeds_digest(ROUND, {seed.seat: seed.commitment for seed in seeds})


async def call(cheat: CheatingServer, digest: str | None) -> None:
    """Close bets and call the seeds."""
    await cheat.shows(
        {"round": round_view(), "seeds": seeds_view(digest)}, {"may": ["reveal_seed"]}
    )


async def deal(cheat: CheatingServer, table: Terminal) -> None:
    """Begin the deal, and wait until the terminal has seen it."""
    seeds = cheat.public["seeds"] | {"fixed": True}
    await cheat.shows({"round": round_view("settled"), "seeds": seeds}, {"may": []})
    await table.until(lambda now: now.version == cheat.version)


def used(own: OwnRound) -> ProvedSeed:
    return ProvedSeed.revealed(ROUND, own.seat, own.seed)


def withheld(own: OwnRound) -> ProvedSeed:
    return ProvedSeed(seat=own.seat, commitment=own.commitment, seed=None)


async def test_an_honest_round_is_good(cheat: CheatingServer) -> None:
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await call(cheat, digest_of(used(own)))
        await eventually(lambda: own.revealed)
        await deal(cheat, table)
    own.check(dealt_by(DECK, [used(own)]))
    assert [asked["kind"] for asked in cheat.asked] == ["set_wagers", "reveal_seed"]


async def test_a_seed_is_revealed_only_once_all_others_are_fixed(cheat: CheatingServer) -> None:
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await call(cheat, None)
        await cheat.shows({}, {"may": ["reveal_seed"]})
        await deal(cheat, table)
    assert [asked["kind"] for asked in cheat.asked] == ["set_wagers"]
    with pytest.raises(ProofError, match="in time"):
        own.check(dealt_by(DECK, [withheld(own)]))


async def test_other_seeds_than_were_called_raise_an_alarm(cheat: CheatingServer) -> None:
    """An operator that knows this seed puts a second one beside it, which it has chosen."""
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await call(cheat, digest_of(used(own)))
        await eventually(lambda: own.revealed)
        # The digest may be shown anew with the other seed; the first one counts.
        steered = [used(own), ground_seed(DECK, used(own), 2, Random(2))]
        await cheat.shows({"seeds": seeds_view(digest_of(*steered), fixed=True)})
        await deal(cheat, table)
    with pytest.raises(ProofError, match="digest"):
        own.check(dealt_by(DECK, steered))


@pytest.mark.parametrize("called", [True, False])
async def test_a_seed_that_was_refused_or_never_called_raises_an_alarm(
    cheat: CheatingServer, called: bool
) -> None:
    cheat.refuses = {"reveal_seed"}
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        if called:
            await call(cheat, digest_of(withheld(own)))
            await eventually(lambda: len(cheat.asked) == 2 and not table._revealing)
        await deal(cheat, table)
    assert not own.revealed
    with pytest.raises(ProofError, match="in time"):
        own.check(dealt_by(DECK, [withheld(own)]))


@pytest.mark.parametrize("why", ["line", "program"])
async def test_a_terminal_that_was_away_says_so_and_accuses_no_one(
    cheat: CheatingServer, why: str
) -> None:
    """Its line was lost, or its program was held up, while the seed was due."""
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        if why == "line":
            cheat.reachable.clear()
            await table.drop()
            await eventually(lambda: not table.connected)
        else:
            table._beaten -= 60
            cheat.refuses = {"reveal_seed"}
        await call(cheat, digest_of(withheld(own)))
        cheat.public["seeds"] |= {"fixed": True}
        cheat.reachable.set()
        await deal(cheat, table)
    with pytest.raises(SeedUnused, match="not connected"):
        own.check(dealt_by(DECK, [withheld(own)]))


async def test_a_seed_is_revealed_after_a_lost_line(cheat: CheatingServer) -> None:
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await table.drop()
        await call(cheat, digest_of(used(own)))
        await eventually(lambda: own.revealed)
        await deal(cheat, table)
    own.check(dealt_by(DECK, [used(own)]))


async def test_a_round_void_before_the_deal_needs_no_seed(cheat: CheatingServer) -> None:
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await cheat.shows({"round": round_view("voided")})
        await table.until(lambda now: now.version == cheat.version)
    void = json_changed(
        dealt_by(DECK, [withheld(own)]),
        ended="voided",
        cards=[],
        seeds={"fixed_version": None, "called_version": None, "digest": None},
    )
    own.check(void)


def json_changed(proof: Any, *, seeds: dict[str, Any], **changes: Any) -> Any:
    """A proof with some values changed."""
    plain = json.loads(proof_json(proof)) | changes
    plain["seeds"] |= seeds
    return read_proof(json.dumps(plain))


# Another seed at the player's own seat
# -----------------------------------------------------------------

OTHER = ProvedSeed.revealed(ROUND, 1, "0d" * 32)
WAGERING = {"round": round_view("wagering"), "seeds": seeds_view()}


async def test_another_seed_at_the_terminals_seat_raises_an_alarm(cheat: CheatingServer) -> None:
    """The terminal's commitment went with the first wager, so no other can be the seat's."""
    cheat.on_wager = (WAGERING, {"seed_commitment": OTHER.commitment})
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await call(cheat, digest_of(OTHER))
        await deal(cheat, table)
    assert [asked["kind"] for asked in cheat.asked] == ["set_wagers"]
    with pytest.raises(ProofError, match="without the seed"):
        own.check(dealt_by(DECK, [OTHER]))


async def test_a_second_terminal_of_the_player_says_so(cheat: CheatingServer) -> None:
    """It bet after the other one, whose seed decides; the roots are checked all the same."""
    cheat.public |= WAGERING
    cheat.private["seed_commitment"] = OTHER.commitment
    async with cheat.terminal() as table:
        own = await bet(cheat, table)
        await call(cheat, digest_of(OTHER))
        await deal(cheat, table)
    with pytest.raises(SeedUnused, match="another terminal"):
        own.check(dealt_by(DECK, [OTHER]))
    with pytest.raises(ProofError, match="sealed before"):
        own.check(dealt_by(worst_deck(Random(9)), [OTHER]))


async def test_the_other_terminal_may_bet_in_the_same_moment(cheat: CheatingServer) -> None:
    async with cheat.terminal() as table:
        sending = asyncio.create_task(table.bet(ante=500))
        cheat.on_wager = ({}, {})
        await cheat.shows(WAGERING, {"seed_commitment": OTHER.commitment})
        await sending
        assert table.rounds[1].sent
        assert not table.rounds[1].bound


# Seals and cards -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("public", "private"),
    [
        ({"commitments": {}}, {}),
        ({"deck_round": 2}, {}),
        ({"house": "stadium"}, {}),
        ({"house": "stadium"}, {"deck_root": "ab" * 32, "deck_round": 2}),
        ({"house": "stadium", "dealer_mode": "live", "commitments": {}}, {}),
        ({"round": round_view("wagering")}, {}),
    ],
    ids=["no root", "of another round", "no own root", "own of another", "live", "no seeds"],
)
async def test_no_bet_is_sent_before_the_roots_are_shown(
    cheat: CheatingServer, public: dict[str, Any], private: dict[str, Any]
) -> None:
    """A server that only says that the decks are sealed gets none."""
    cheat.public |= public
    cheat.private |= private
    async with cheat.terminal() as table:
        betting = asyncio.create_task(table.bet(ante=500))
        await cheat.shows({}, {"credit_cents": 5})
        await table.until(lambda now: now.version == cheat.version)
        assert cheat.asked == []
        betting.cancel()
        betting = asyncio.create_task(table.bet(ante=500))
        await cheat.shows({"stopped": "Out of service.", "stopped_code": "stopped"})
        with pytest.raises(Refused, match="Out of service"):
            await betting
    assert cheat.asked == []


async def test_a_bet_needs_no_root_where_a_dealer_deals_all_cards(cheat: CheatingServer) -> None:
    cheat.public |= {"house": "washington", "dealer_mode": "live", "commitments": {}}
    cheat.on_wager = ({}, {})
    async with cheat.terminal() as table:
        await table.bet(ante=500)
    assert len(cheat.asked) == 1


def own_of(deck: SecretDeck, **known: Any) -> OwnRound:
    return OwnRound(
        table="table-1",
        number=1,
        seat=1,
        roots={"table": deck.root},
        seed="5e" * 32,
        sent=True,
        bound=True,
        **known,
    )


def test_a_root_that_was_never_shown_fails() -> None:
    own = own_of(DECK)
    proof = dealt_by(DECK, [used(own)])
    own.check(proof)
    own.roots = {}
    with pytest.raises(ProofError, match="sealed before"):
        own.check(proof)


@pytest.mark.parametrize("place", ["hand", "dealer", "common"])
def test_cards_on_the_felt_are_those_of_the_proof(place: str) -> None:
    own = own_of(DECK)
    proof = dealt_by(DECK, [used(own)])
    cards: dict[str, list[str]] = {"hand": [], "dealer": [], "common": []}
    for dealt in proof.cards:
        cards[dealt.place.lies.value].append(str(dealt.card))
    for good in (True, False):
        own.shown.clear()
        if not good:
            cards[place][0], cards[place][1] = "2c", "2d"
        now = round_view("settled", common=cards["common"], dealer=cards["dealer"])
        own.ended = False
        own.see({"round": now}, {"hands": {"1.1": {"cards": cards["hand"]}}})
        if good:
            own.check(proof)
        else:
            with pytest.raises(ProofError, match="was shown as"):
                own.check(proof)


# Honest tables ---------------------------------------------------------------------------------

CLOCK = ClockRule(wager_seconds=30, decision_seconds=30)
HOUSES = {
    "online": load_house("online"),
    "draw": own_house("draw", {"table.dealer": "virtual"}),
    "washington": own_house("washington", {"table.dealer": "virtual"}),
    "stadium": load_house("stadium"),
}


@pytest.mark.parametrize("house", sorted(HOUSES))
async def test_honest_rounds_of_every_house_pass(hall: Hall, house: str) -> None:
    """With a line that is lost in the middle, and rounds that are folded."""
    rules = HOUSES[house]
    await hall.open("mine", rules, mode=DealerMode.VIRTUAL, private_to="ann")
    async with hall.terminal("mine", "ann") as table:
        await table.sit(buy_in_cents=50_000)
        for number in range(1, 5):
            await table.bet(ante=1000)
            if number == 2:
                await table.drop()
            await table.deal()
            while "decide" in table.private.may:
                hand = next(hand for hand in table.private.hands.values() if hand.due)
                await table.decide(decision_of(hand, raises=number == 3), hand=hand.hand)
            await table.until(lambda now, n=number: now.rounds[n].ended)  # type: ignore[misc]
            proof = proof_of_round(hall.floor.worker_services.store, "mine", number, seat=1)
            assert check_round_proof(proof, rules).seeds == 1
            own = table.rounds[number]
            assert own.shown
            own.check(proof)


def decision_of(hand: Any, *, raises: bool) -> Any:
    kinds = {choice.kind: choice for choice in hand.choices}
    if hand.may_hold:
        return Hold(cards=[card for card in hand.cards[:2] if card is not None])
    if raises and "bet" in kinds:
        return Bet(multiple=kinds["bet"].multiple or 1)
    return Check() if "check" in kinds else Fold()
