"""What each wager pays on: told as the rules settle it, in both languages of the terminal."""

import json
import random

import pytest

from openfelt.catalog import load_catalog
from openfelt.catalog.clauses import load_documents
from openfelt.catalog.wager_terms import terms_of
from openfelt.rules.choices import choices, clock_decision
from openfelt.rules.house import BankKind, DealerMode
from openfelt.rules.round import Phase
from openfelt.rules.round_actions import MakeDecision
from openfelt.rules.wagers import Spot, WagerKind
from openfelt.table.commands import TakeBank
from tests.kit.own_houses import own_house
from tests.kit.repository import ROOT
from tests.kit.tables import SECONDS, Pit

HOUSES = load_catalog().houses
CLAUSES = {clause.id for document in load_documents() for clause in document.clauses}
ROUNDS = 15


def settled_endings(name: str, seed: int) -> set[tuple[str, str, str]]:
    """How the wagers of a round end that a player decides at random."""
    house = own_house(name, {"table.dealer": "virtual"})
    pit = Pit(house, mode=DealerMode.VIRTUAL, clock=SECONDS, seed=seed)
    pit.sit("ann", 1, 5000)
    seat, player = 1, "ann"
    if house.bank.kind is BankKind.PLAYER_DEALER:
        pit.sit("bob", 2, 500).do(TakeBank(1, 100_000), "ann")
        seat, player = 2, "bob"
    side = [
        rule for rule in house.wagers if rule.kind not in (WagerKind.BLIND, WagerKind.PROGRESSIVE)
    ]
    wagers = ", ".join(f"{rule.kind.value} {rule.min_cents // 100}" for rule in side)
    pit.bet(player, f"{seat}.1", wagers).time_ends()
    chance, spot = random.Random(seed), Spot(seat, 1)
    while pit.table.playing is not None:
        options = [option.decision for option in choices(pit.round, spot).options]
        decision = chance.choice(options) if options else clock_decision(pit.round, spot)
        pit.do(MakeDecision(spot, decision), player)
    assert pit.phase is Phase.SETTLED
    settlement = pit.round.settlement
    assert settlement is not None
    return {(line.outcome, line.result.value, line.clause) for line in settlement.lines}


@pytest.mark.parametrize("name", HOUSES)
def test_wagers_end_only_as_their_terms_say(name: str) -> None:
    told = {
        (ending.outcome, ending.result.value, ending.clause)
        for terms in terms_of(HOUSES[name])
        for ending in terms.endings
    }
    settled = set().union(*(settled_endings(name, seed) for seed in range(ROUNDS)))
    assert settled <= told
    # Enough of them were seen for the comparison to mean something.
    assert len(settled) >= 5


@pytest.mark.parametrize("name", HOUSES)
def test_every_ending_has_a_clause_and_words_in_both_languages(name: str) -> None:
    for language in ("en", "es"):
        words = json.loads((ROOT / f"web/src/words/{language}.json").read_text(encoding="utf-8"))
        for terms in terms_of(HOUSES[name]):
            for ending in terms.endings:
                assert f"terms.{ending.outcome}" in words
                assert ending.clause in CLAUSES
            if terms.reads is not None:
                assert f"terms.reads.{terms.reads.value}" in words
        assert f"qualifies.{HOUSES[name].dealer_qualifies.or_better}" in words


@pytest.mark.parametrize("name", HOUSES)
def test_an_example_is_paid_as_the_paytable_says(name: str) -> None:
    house = HOUSES[name]
    examples = {terms.wager: terms.example for terms in terms_of(house)}
    for rule in house.wagers:
        example = examples[rule.kind.value]
        assert example is not None
        assert rule.min_cents <= example.stake_cents <= rule.max_cents or rule.paytable is None
        per_one = example.payout_cents / example.stake_cents
        pays, per = example.pays.replace(" for ", " to ").split(" to ")
        assert per_one == int(pays) / int(per)
        assert example.stake_returned == ("to" in example.pays)
