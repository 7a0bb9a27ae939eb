"""Beside a live stadium dealer a house shuffles the terminals' decks once it knows the board.

The terminals' decks are committed to before any wager, as whole decks. The dealer scans before the
seeds are called, and the seeds decide the order; the scanned cards are passed over. So neither the
house that chose the decks, nor the dealer who chose the board, can choose a hand.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.catalog import load_house
from openfelt.rules import CorrectCard, DealCard, SetWagers
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import DealerMode
from openfelt.runtime.audit.database import audit
from openfelt.runtime.rounds.check import CheckResult, check_round_proof
from openfelt.runtime.rounds.proof import Unprovable
from openfelt.runtime.rounds.proof_forms import proof_json, read_proof
from openfelt.runtime.rounds.record import proof_of_round
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.table.commands import OpenBets, ReopenBets, RevealSeed, SeededWagers
from openfelt.table.croupier import committed_decks
from openfelt.table.seeds import seed_commitment
from tests.kit.audit import live_rounds
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift

STADIUM: Final = load_house("stadium")
ROUNDS: Final = 40


def checked(shift: Shift, *, number: int = 1, seat: int | None = None) -> CheckResult:
    proof = proof_of_round(shift.store, "table-1", number, seat=seat)
    return check_round_proof(read_proof(proof_json(proof)), STADIUM)


def test_the_decks_are_published_before_any_wager_and_proved_after(shift: Shift) -> None:
    desk = live_rounds.live_table(shift)
    for number in (1, 2):
        assert desk.table.deck_round == number
        assert set(desk.table.commitments) == {"seat-1", "seat-2", "seat-3"}
        before = dict(desk.table.commitments)
        seeds = live_rounds.seeds_for(Random(number))
        live_rounds.bet(desk, seeds)
        live_rounds.scan(desk, live_rounds.cards_for(Random(number)))
        live_rounds.reveal(desk, seeds, withheld=[2])
        live_rounds.finish(desk)
        proof = proof_of_round(shift.store, "table-1", number)
        assert {line.deck: line.root for line in proof.commitments} == before
        assert checked(shift, number=number) == CheckResult(
            cards=6, cards_never_shown=0, decks=3, seeds=2, seeds_withheld=1
        )
        assert checked(shift, number=number, seat=3).decks == 1
    assert desk.table.fairness.seeds_withheld == 2
    report = audit(shift.store)
    assert report.clean, report.findings


def test_bets_that_were_opened_again_leave_the_seats_bound(shift: Shift) -> None:
    """Also a seat that had taken its wagers back when bets were closed first."""
    desk, seeds = live_rounds.live_table(shift), live_rounds.seeds_for(Random(1), (1, 2))
    desk.do(OpenBets(), "dan")
    for seat, seed in seeds.items():
        wagers = SetWagers(spot_of(f"{seat}.1"), wagers_of("ante 10"))
        bound = seed_commitment(desk.table.round_id, seat, seed)
        desk.do(SeededWagers(wagers, bound), f"player-{seat}")
    desk.bet("player-2", "2.1", "").close()
    assert desk.table.seeds is not None
    assert set(desk.table.seeds.committed) == {1}
    desk.do(ReopenBets(), "eve")
    # Neither gives a seed again, and seat 3 has none.
    for spot in ("2.1", "3.1"):
        desk.bet(f"player-{spot[0]}", spot, "ante 15")
    desk.close()
    live_rounds.scan(desk, live_rounds.cards_for(Random(1)))
    live_rounds.reveal(desk, seeds)
    live_rounds.finish(desk)
    assert (checked(shift).seeds, checked(shift).seeds_withheld) == (2, 0)
    assert checked(shift, seat=2).decks == 1
    report = audit(shift.store)
    assert report.clean, report.findings


# A house that picks its shuffles -----------------------------------------------------------


class LowShuffler(Shuffler):
    """Shuffles twelve decks and keeps the one whose first two cards are lowest."""

    def __init__(self) -> None:
        super().__init__(SeededEntropy(7))

    def shuffle(self, round_id: str, deck: str, cards: Sequence[Card]) -> SecretDeck:
        """The deck of twelve with the lowest hand on top."""
        decks = [super(LowShuffler, self).shuffle(round_id, deck, cards) for _ in range(12)]
        return min(decks, key=lambda made: ranks(made.cards[:2]))


def ranks(cards: Sequence[Card]) -> int:
    return sum(card.rank for card in cards)


def low_hands(desk: Desk, random: Random | None) -> int:
    """In how many rounds a terminal gets two cards below the average of a fair deck."""
    low = 0
    for _ in range(ROUNDS):
        seeds = {1: random.randbytes(32).hex() if random else None}
        live_rounds.bet(desk, seeds)
        live_rounds.scan(desk, parse_cards("2c 2d 8h 8s Ac As 8c"))
        live_rounds.reveal(desk, seeds)
        hand = desk.round.hands[spot_of("1.1")].cards
        low += ranks(hand) < 16
        live_rounds.finish(desk)
    return low


def test_with_an_honest_players_seed_picked_decks_are_as_good_as_any(tmp_path: Path) -> None:
    found = {}
    for name, random in (("without", None), ("with", Random(2026))):
        shift = Shift(tmp_path / f"{name}.db", shuffler=LowShuffler())
        try:
            found[name] = low_hands(live_rounds.live_table(shift, seats=[1]), random)
        finally:
            shift.close()
    assert chance_of_at_least(found["without"]) < 1e-6
    assert chance_of_at_least(found["with"]) > 0.01, found


def chance_of_at_least(low: int) -> float:
    """The probability of so many low hands, if fewer than half of all hands are low."""
    return float(Fraction(sum(comb(ROUNDS, at) for at in range(low, ROUNDS + 1)), 2**ROUNDS))


# A dealer who picks the board ----------------------------------------------------------------


def test_the_seeds_are_called_after_the_last_card_is_scanned(shift: Shift) -> None:
    """Who knows decks and seeds could otherwise scan the cards that give the hands they want."""
    desk, seeds = live_rounds.live_table(shift), live_rounds.seeds_for(Random(1))
    live_rounds.bet(desk, seeds)
    *first, last = live_rounds.cards_for(Random(1))
    live_rounds.scan(desk, first)
    assert "seeds_called" not in shift.names()
    desk.refuses(RevealSeed(1, seeds[1]), "player-1", "seeds_not_called")
    live_rounds.scan(desk, [last])
    assert "seeds_called" in shift.names()
    assert not any(hand.cards for hand in desk.round.hands.values())
    board = Place(Lies.COMMON, None, 1)
    other = next(card for card in parse_cards("2c 3c 4c 5c 6c 7c 8c 9c") if card not in first)
    desk.refuses(CorrectCard(board, other), "dan", "seeds_awaited")
    desk.refuses(DealCard(other), "dan", "cards_are_virtual")
    live_rounds.reveal(desk, seeds)
    assert all(len(hand.cards) == 2 for hand in desk.round.hands.values())


def test_a_correction_after_the_deal_changes_no_hand_and_is_in_the_proof(shift: Shift) -> None:
    desk, seeds = live_rounds.live_table(shift, seats=[1]), live_rounds.seeds_for(Random(3), [1])
    live_rounds.bet(desk, seeds)
    wrong = live_rounds.cards_for(Random(3))
    live_rounds.scan(desk, wrong)
    live_rounds.reveal(desk, seeds)
    hand = desk.round.hands[spot_of("1.1")].cards
    right = next(card for card in map(Card, range(52)) if card not in (*wrong, *hand))
    correction = CorrectCard(Place(Lies.COMMON, None, 1), right)
    # The dealer has seen the hand by now, and could choose the board by it.
    desk.refuses(correction, "dan", "needs_supervisor")
    desk.do(correction, "eve")
    live_rounds.finish(desk)
    assert desk.round.hands[spot_of("1.1")].cards == hand
    proof = proof_of_round(shift.store, "table-1", 1)
    assert (proof.scanned[0].card, proof.scanned[0].corrected) == (wrong[0], right)
    assert checked(shift).cards == 2
    assert audit(shift.store).clean


def test_hidden_cards_of_the_dealer_stay_hidden(shift: Shift) -> None:
    desk = live_rounds.live_round(shift, Random(4), decision="fold")
    proof = proof_of_round(shift.store, "table-1", 1)
    text = proof_json(proof)
    assert not desk.round.dealer_face_up
    for card in desk.round.dealer:
        assert f'"{card}"' not in text
    assert checked(shift).cards_never_shown == 0


# A player who comes when bets are open ---------------------------------------------------------


def test_players_who_sit_down_after_bets_opened_have_sealed_decks_too(shift: Shift) -> None:
    desk = live_rounds.live_table(shift, seats=[])
    desk.do(OpenBets(), "dan")
    assert desk.table.seeds is None
    desk.sit("ann", 9, 500)
    assert set(desk.table.commitments) == {"seat-9"}
    desk.do(SetWagers(spot_of("9.1"), wagers_of("ante 10")), "ann").close()
    live_rounds.scan(desk, live_rounds.cards_for(Random(5)))
    desk.choose("ann", "9.1", "4x")
    live_rounds.finish(desk)
    assert checked(shift).decks == 1
    assert audit(shift.store).clean


def test_a_house_that_shuffles_after_the_scan_again_is_found_by_the_audit(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an earlier version did, and as a changed program could; the round has no proof either."""
    desk = live_rounds.live_table(shift)
    for number in (1, 2):
        with monkeypatch.context() as changed:
            if number == 2:
                changed.setattr(committed_decks, "_seals_ahead", lambda table, state: False)
            live_rounds.bet(desk, dict.fromkeys(live_rounds.SEATS))
            live_rounds.scan(desk, live_rounds.cards_for(Random(number)))
            if number == 1:
                # The round after this one is opened without any commitment.
                changed.setattr(committed_decks, "_unsealed", lambda table, seats: ())
            live_rounds.finish(desk)
    with pytest.raises(Unprovable):
        proof_of_round(shift.store, "table-1", 2)
    sentences = {finding.sentence for finding in audit(shift.store).findings}
    for seat in live_rounds.SEATS:
        deck = f"the deck seat-{seat}"
        assert f"A wager of table-1/2 was made before a commitment to {deck}." in sentences
        assert f"The deck seat-{seat} of table-1/2 was committed to after bets closed." in sentences


# Proofs that were tampered with ----------------------------------------------------------------


TAMPERED: Final[dict[str, Callable[[dict[str, Any]], object]]] = {
    "another scanned card": lambda p: p["scanned"][0].update(card=shown(p)["card"]),
    "a card scanned after the call": lambda p: p["scanned"][0].update(version=10**6),
    "a card scanned before bets closed": lambda p: p["scanned"][0].update(version=1),
    "a scanned card left out": lambda p: p["scanned"].pop(),
    "a hidden card of the board": lambda p: p["scanned"][0].update(card=None),
    "a hidden card of the dealer": lambda p: p["scanned"][-1].update(card=None),
    "scanned cards in another order": lambda p: p["scanned"].reverse(),
    "one scanned card twice": lambda p: p["scanned"][0].update(card=p["scanned"][1]["card"]),
    "a virtual dealer": lambda p: p.update(dealer="virtual"),
    "a virtual dealer without scans": lambda p: p.update(dealer="virtual", scanned=[]),
    "a hand from another leaf": lambda p: shown(p).update(index=(shown(p)["index"] + 1) % 52),
    "a card not passed over": lambda p: p["passed"].clear(),
}  # fmt: skip


def shown(proof: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = proof["cards"][0]["proof"]
    return found


@pytest.fixture(scope="module")
def proof(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A proof in which a card was passed over."""
    for seed in range(100):
        shift = Shift(tmp_path_factory.mktemp("live") / "felt.db")
        live_rounds.live_round(shift, Random(seed), withheld=[2])
        text = proof_json(proof_of_round(shift.store, "table-1", 1))
        shift.close()
        if json.loads(text)["passed"]:
            yield text
            return


@pytest.mark.parametrize("change", TAMPERED)
def test_no_part_of_a_proof_can_be_exchanged(proof: str, change: str) -> None:
    assert read_proof(proof).dealer is DealerMode.LIVE
    check_round_proof(read_proof(proof), STADIUM)
    tampered = json.loads(proof)
    TAMPERED[change](tampered)
    with pytest.raises(ProofError):
        check_round_proof(read_proof(json.dumps(tampered)), STADIUM)


def test_a_shared_deck_of_a_live_dealer_has_nothing_to_prove(shift: Shift) -> None:
    desk = shift.open_table("washington", mode=DealerMode.LIVE).sit("ann", 1, 500)
    assert not desk.table.commitments
    desk.do(OpenBets(), "eve").bet("ann", "1.1", "ante 10").close().void()
    with pytest.raises(Unprovable):
        proof_of_round(shift.store, "table-1", 1)
