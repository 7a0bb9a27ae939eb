"""The proof of a round: all that is needed to check that its cards were dealt fairly.

It holds the commitments, the places to which cards were dealt, and a proof for each card that
was shown. It contains neither the cards that were never shown nor their salts: the dealer's
cards if no wager depended on them, mucked hands, and cards that stayed in the deck.

Beside a live dealer, the dealer's and the common cards were scanned from a real deck. They are
listed without a proof; the hands come from the terminals' own decks, and are proved.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place, dealing_plan
from openfelt.rules.house import DealerMode, Deck, Procedure
from openfelt.rules.round import Phase, Round, card_at
from openfelt.rules.wagers import Spot
from openfelt.runtime.shuffle.dealing_order import DealingOrder
from openfelt.runtime.shuffle.merkle import CardProof, ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.table.deck import TABLE_DECK, DeckPlace, deck_places
from openfelt.table.seeds import mixed_seeds, seed_commitment

SEEDS_INSIDE_MAX: Final = 32
"""How many seeds a player's proof lists itself. A longer list is a separate document."""


class Unprovable(ProofError):
    """There is nothing to prove: the round is not over, dealt no card, or was dealt by hand."""


def check_dealt(name: str, *, over: bool, bets_closed: bool) -> None:
    """Only a round that is over and was dealt has a proof; raises Unprovable."""
    if not over:
        raise Unprovable(f"Round {name} is not over, and its cards are still secret.")
    if not bets_closed:
        raise Unprovable(f"Round {name} was voided before bets closed; no card was dealt.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commitment:
    """The root of a deck, as the table published it."""

    deck: str
    root: str
    version: int
    """The number of the event that published it, among the table's events."""
    wager_version: int | None = None
    """The number of the event with the first wager that this deck served. None in rounds
    without seeds (``RoundProof.seeds``)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedSeed:
    """A seed to which a terminal bound itself with its first wager."""

    seat: int
    commitment: str
    seed: str | None
    """None if it was withheld."""

    @classmethod
    def revealed(cls, name: str, seat: int, seed: str) -> "ProvedSeed":
        """A revealed seed of the round with this name."""
        return cls(seat=seat, commitment=seed_commitment(name, seat, seed), seed=seed)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProvedSeeds:
    """The seeds of a round, and when they were committed to, called and fixed."""

    bound_version: int | None
    """The number of the event with the last commitment to a seed; None if there was none."""
    digest: str | None
    """The hash of all commitments, published before any seed was; None if there were none."""
    called_version: int | None
    fixed_version: int | None
    """The number of the event that began the deal; None if the round was voided before."""
    mixed: str | None
    """The hash of all seeds, from which the dealing order follows; None without any seed."""
    seeds: tuple[ProvedSeed, ...] | None = ()
    """In the order of the seats; None if the list is not with the proof (``SeedList``)."""

    @property
    def withheld(self) -> tuple[int, ...]:
        """The seats that did not reveal their seeds."""
        return tuple(seed.seat for seed in self.seeds or () if seed.seed is None)


def mixture(name: str, seeds: Iterable[ProvedSeed]) -> str | None:
    """The hash of all seeds of the round with this name; None if none was revealed."""
    seeds = tuple(seeds)
    committed = {seed.seat: seed.commitment for seed in seeds}
    revealed = {seed.seat: seed.seed for seed in seeds if seed.seed is not None}
    return mixed_seeds(name, committed, revealed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedList:
    """The seeds of a round in a separate document.

    In a hall of thousands of terminals it is longer than all the rest of a proof, and the same
    for all of them.
    """

    table: str
    number: int
    seeds: tuple[ProvedSeed, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class DealtCard:
    """A card that was dealt to a place, with its proof if it was shown."""

    place: Place
    deck: str
    index: int
    """Its position in the dealing order of the deck, from 0. ``proof.index`` is its leaf."""
    proof: CardProof | None

    @property
    def card(self) -> Card | None:
        """The card, None if it was never shown."""
        return None if self.proof is None else self.proof.card


@dataclass(frozen=True, slots=True, kw_only=True)
class ScannedCard:
    """A card of the dealer or of the board that a live dealer scanned from a real deck."""

    place: Place
    version: int
    """The number of the event with which the card was scanned or, before the terminals' hands
    were dealt, last corrected."""
    card: Card | None
    """The card as it was when the hands were dealt; None if it was never shown."""
    corrected: Card | None = None
    """The card that it was corrected to after that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassedCard:
    """A card of a terminal's deck that was passed over, because the table dealt it itself."""

    deck: str
    index: int
    """Its position in the dealing order of the deck, from 0."""
    proof: CardProof | None
    """None if the table never showed this card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundProof:
    """Everything that is needed to check one finished round."""

    table: str
    number: int
    house: str
    fingerprint: str
    """The rules of the round, as ``House.fingerprint`` names them."""
    procedure: Procedure
    deck: Deck
    ended: Phase
    """Settled or voided."""
    dealer: DealerMode = DealerMode.VIRTUAL
    """Whether the program dealt the dealer's and the common cards, or a person did."""
    spots: tuple[Spot, ...]
    """The hands in play, in dealing order."""
    bets_closed_version: int
    """The number of the event that closed bets, among the table's events."""
    commitments: tuple[Commitment, ...]
    seeds: ProvedSeeds | None = None
    """None in rounds that an earlier version of Openfelt opened: they had no seeds, and their
    decks were dealt as they were committed to."""
    cards: tuple[DealtCard, ...]
    """Those that came from decks, in the order in which they were dealt."""
    scanned: tuple[ScannedCard, ...] = ()
    """The cards that a live dealer scanned, in the order of the plan."""
    passed: tuple[PassedCard, ...] = ()
    """The cards that came up in terminals' decks and were passed over, in order."""

    @property
    def round_id(self) -> str:
        """The name of the round, which every card's proof contains."""
        return round_id(self.table, self.number)

    @property
    def seed_list(self) -> SeedList | None:
        """The seeds as a separate document; None if they are not with this proof."""
        if self.seeds is None or self.seeds.seeds is None:
            return None
        return SeedList(table=self.table, number=self.number, seeds=self.seeds.seeds)

    def with_seeds(self, listed: SeedList) -> "RoundProof":
        """The proof with its list of seeds; raises ProofError if the list is of another round."""
        if (listed.table, listed.number) != (self.table, self.number) or self.seeds is None:
            raise ProofError(
                f"The list of seeds is of round {round_id(listed.table, listed.number)}, "
                f"not of {self.round_id}."
            )
        return replace(self, seeds=replace(self.seeds, seeds=listed.seeds))

    def brief(self) -> "RoundProof":
        """The proof without its list of seeds if that is long, as each terminal of a hall gets it.

        ``seed_list`` of the whole proof is then the same for all terminals.
        """
        if self.seeds is None or len(self.seeds.seeds or ()) <= SEEDS_INSIDE_MAX:
            return self
        return replace(self, seeds=replace(self.seeds, seeds=None))


def round_id(table: str, number: int) -> str:
    """The name of a round.

    >>> round_id("stadium-1", 31)
    'stadium-1/31'
    """
    return f"{table}/{number}"


# Making a proof ------------------------------------------------------------------


def make_round_proof(
    state: Round,
    *,
    table: str,
    decks: Iterable[SecretDeck],
    commitments: Iterable[Commitment],
    bets_closed_version: int,
    seeds: ProvedSeeds | None = None,
    scanned: Iterable[ScannedCard] | None = None,
    seat: int | None = None,
) -> RoundProof:
    """The public proof of a finished round.

    ``scanned`` has all cards that a live dealer scanned; None means a virtual dealer. With a seat,
    it is the proof for that seat's player, who has also seen their own mucked hands; in a hall of
    terminals, it shows no other player's hands. Raises ProofError if the round cannot be proved.
    """
    name = round_id(table, state.opened.number)
    check_dealt(name, over=state.over, bets_closed=bool(state.plan))
    if seat is not None and not state.house.shows_all_hands:
        state = _without_other_hands(state, name, seat)
    live = scanned is not None
    places = decks_places(state, live=live)
    used = {deck for deck, _ in places.values()}
    secrets = {deck.deck: deck for deck in decks if deck.deck in used}
    roots = tuple(commitment for commitment in commitments if commitment.deck in used)
    _check_secrets(name, used, secrets, roots)
    mixed = seeds.mixed if seeds is not None and seeds.fixed_version is not None else None
    at_table = tuple(scanned or ())
    order = DealingOrder(
        state.house,
        secrets,
        mixed,
        scanned=frozenset(line.card for line in at_table if line.card is not None),
    )
    shown = _shown_by_table(state) if not live else _shown_scans(state, at_table)
    openings = _Openings(state, places, secrets, order, shown_by_table=shown, seat=seat)
    cards, passed = openings.opened()
    return RoundProof(
        table=table,
        number=state.opened.number,
        house=state.opened.house,
        fingerprint=state.opened.fingerprint,
        procedure=state.opened.procedure,
        deck=state.house.deck,
        dealer=DealerMode.LIVE if live else DealerMode.VIRTUAL,
        ended=state.phase,
        spots=tuple(state.hands),
        bets_closed_version=bets_closed_version,
        commitments=roots,
        seeds=seeds,
        cards=cards,
        scanned=tuple(_as_shown(state, line) for line in at_table),
        passed=passed,
    )


def decks_places(state: Round, *, live: bool) -> dict[Place, DeckPlace]:
    """For each place of the plan whose card comes from a deck, the deck and the index in it.

    A live dealer deals the table's own cards by hand.
    """
    places = deck_places(state.house, state.plan)
    if not live:
        return places
    return {place: lay for place, lay in places.items() if lay[0] != TABLE_DECK}


def _shown_by_table(state: Round) -> set[Card]:
    """The cards of the dealer and of the board that lay face up."""
    dealer = state.dealer if state.dealer_face_up else ()
    return {*dealer, *state.common[: state.common_face_up]}


def _shown_scans(state: Round, scanned: Iterable[ScannedCard]) -> set[Card]:
    """The same beside a live dealer, as they were scanned when the hands were dealt."""
    shown = (line.card for line in scanned if _shown(state, line.place, None))
    return {card for card in shown if card is not None}


def _as_shown(state: Round, line: ScannedCard) -> ScannedCard:
    """A scanned card as the table has shown it: not at all, if it stayed face down."""
    return line if _shown(state, line.place, None) else replace(line, card=None, corrected=None)


def _without_other_hands(state: Round, name: str, seat: int) -> Round:
    """The round as one terminal of a hall showed it: its own hands, the dealer and the board.

    A terminal with its own deck needs no other terminal's deck. From a shared deck other hands were
    dealt too: their places are listed, and their cards stay face down.
    """
    if state.house.deck is Deck.SHARED:
        hands = {
            spot: hand if spot.seat == seat else replace(hand, face_up=False)
            for spot, hand in state.hands.items()
        }
        return replace(state, hands=hands)
    hands = {hand.spot: hand for hand in state.hands_of(seat)}
    if not hands:
        raise Unprovable(f"Seat {seat} had no hand in round {name}, and other hands are not shown.")
    plan = dealing_plan(state.house, state.opened.procedure, tuple(hands))
    return replace(state, hands=hands, plan=plan)


def _check_secrets(
    name: str, used: set[str], secrets: Mapping[str, SecretDeck], roots: tuple[Commitment, ...]
) -> None:
    """Every deck of the round has one commitment, which its secret matches."""
    if not roots:
        raise ProofError(
            f"Round {name} has no commitment to any deck, so there is no proof: "
            "a live dealer dealt it from real cards."
        )
    for deck in sorted(used):
        committed = [commitment.root for commitment in roots if commitment.deck == deck]
        if len(committed) != 1:
            raise ProofError(
                f"The deck {deck} of round {name} has {len(committed)} commitments instead of one."
            )
        secret = secrets.get(deck)
        if secret is None:
            raise ProofError(f"The deck {deck} of round {name} is missing.")
        if (secret.round_id, secret.root) != (name, committed[0]):
            raise ProofError(f"The deck {deck} is not the one that round {name} committed to.")


class _Openings:
    """The parts of a round's decks that a proof opens: the cards that were shown."""

    def __init__(
        self,
        state: Round,
        plan: Mapping[Place, DeckPlace],
        secrets: Mapping[str, SecretDeck],
        order: DealingOrder,
        *,
        shown_by_table: set[Card],
        seat: int | None,
    ) -> None:
        self._state = state
        self._plan = plan
        self._secrets = secrets
        self._order = order
        self._seat = seat
        self._places: dict[str, list[Place]] = {deck: [] for deck in secrets}
        """By deck, the places to which its cards were dealt, in order."""
        for place, (deck, index) in plan.items():
            card = card_at(state, place)
            if card is not None:
                if order[deck][index] != card:
                    raise ProofError(f"The {place} is not card {index + 1} of the deck {deck}.")
                self._places[deck].append(place)
        self._shown_by_table = shown_by_table

    def opened(self) -> tuple[tuple[DealtCard, ...], tuple[PassedCard, ...]]:
        """Every dealt card, in the order of the plan; every card that was passed over."""
        dealt: dict[Place, DealtCard] = {}
        passed: list[PassedCard] = []
        for deck, places in self._places.items():
            for opened in self._of_deck(deck, places):
                if isinstance(opened, DealtCard):
                    dealt[opened.place] = opened
                else:
                    passed.append(opened)
        return tuple(dealt[place] for place in self._plan if place in dealt), tuple(passed)

    def _of_deck(self, deck: str, places: list[Place]) -> Iterator[DealtCard | PassedCard]:
        """The cards of one deck from the top down to the last that was dealt."""
        secret, passed_over = self._secrets[deck], self._order.passed_over(deck)
        rest, came_up = list(reversed(places)), list[tuple[int, Place | None]]()
        for leaf in self._order.leaves(deck):
            if not rest:
                break
            came_up.append((leaf, None if secret.cards[leaf] in passed_over else rest.pop()))
        shown = [leaf for leaf, place in came_up if self._is_shown(secret.cards[leaf], place)]
        proofs = dict(zip(shown, secret.proofs(shown), strict=True))
        for index, (leaf, place) in enumerate(came_up):
            proof = proofs.get(leaf)
            if place is None:
                yield PassedCard(deck=deck, index=index, proof=proof)
            else:
                yield DealtCard(place=place, deck=deck, index=index, proof=proof)

    def _is_shown(self, card: Card, place: Place | None) -> bool:
        """Whether a card may be opened; one that was passed over, if the table has shown it."""
        if place is None:
            return card in self._shown_by_table
        return _shown(self._state, place, self._seat)


def _shown(state: Round, place: Place, seat: int | None) -> bool:
    """Whether the card at a place was face up, or was the viewer's own."""
    if place.spot is not None:
        return state.hands[place.spot].face_up or place.spot.seat == seat
    if place.lies is Lies.DEALER:
        return state.dealer_face_up
    return place.position <= state.common_face_up
