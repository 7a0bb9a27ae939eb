"""Evidence that a player's results or decisions depend on cards that the player cannot see."""

from collections import OrderedDict, defaultdict
from dataclasses import dataclass, field
from typing import Final

from openfelt.cards import Card, Hand, evaluate
from openfelt.maths.fairness.evidence import Evidence, together
from openfelt.rules.house import Deck, GameName
from openfelt.rules.wagers import Spot
from openfelt.server.supervision.real_play.round_facts import RoundFacts

PLAYERS_MAX: Final = 20_000
"""How many players are watched; those who have not played for longest are forgotten."""
DECISIONS_MAX: Final = 60
"""How many players of a round have their decisions compared with the dealer's cards: those with
the highest Antes, which were placed before any card."""


@dataclass(slots=True)
class PlayerEvidence:
    """The evidence in a player's rounds against chance."""

    rounds: int = 0
    wins: Evidence = field(default_factory=Evidence)
    """The player's cards beat the dealer's more often than they should, folded hands too."""
    stakes: Evidence = field(default_factory=Evidence)
    """The Ante is above its usual size where the cards are good, before any card is dealt."""
    raises: Evidence = field(default_factory=Evidence)
    """Hands are played where the dealer's hidden cards are weak, and folded where they are not."""
    _ante_cents: float = 0.0
    """The average Ante of the rounds before."""

    @property
    def follows_one_in(self) -> float:
        """N for stakes and decisions together."""
        return together(self.stakes, self.raises)

    def add(self, signs: list[int], ante_cents: int) -> None:
        """Add a round by the showdowns of the player's hands and their Antes together."""
        mean = sum(signs) / len(signs)
        # The average of several hands is no more extreme than one of them.
        self.wins.add_symmetric(mean)
        if self._ante_cents > 0:
            weight = max(-1.0, min(1.0, ante_cents / self._ante_cents - 1))
            if weight:
                self.stakes.add_symmetric(mean, weight)
        self.rounds += 1
        self._ante_cents += (ante_cents - self._ante_cents) / min(self.rounds, 100)


class PlayersWatch:
    """The evidence of all players."""

    def __init__(self) -> None:
        self.players: OrderedDict[str, PlayerEvidence] = OrderedDict()

    def add(self, facts: RoundFacts) -> None:
        """Add a settled round all of whose cards are known."""
        by_player: defaultdict[str, list[Spot]] = defaultdict(list)
        for spot in facts.hands:
            if spot in facts.players:
                by_player[facts.players[spot]].append(spot)
        antes = {
            player: sum(
                line.stake_cents
                for line in facts.settlement.lines
                if line.wager == "ante" and line.spot in spots
            )
            for player, spots in by_player.items()
        }
        largest = sorted(by_player, key=lambda player: -antes[player])[:DECISIONS_MAX]
        for player, spots in by_player.items():
            if not antes[player]:
                continue
            evidence = self.players.setdefault(player, PlayerEvidence())
            self.players.move_to_end(player)
            evidence.add(_signs(facts, spots), antes[player])
            if player in largest and facts.house.game is GameName.ULTIMATE_HOLDEM:
                _add_decisions(evidence, facts, spots)
        while len(self.players) > PLAYERS_MAX:
            self.players.popitem(last=False)


def _signs(facts: RoundFacts, spots: list[Spot]) -> list[int]:
    """Of each hand, whether its cards beat the dealer's: by the first five of each in a draw."""

    def strength(cards: tuple[Card, ...]) -> Hand:
        if facts.house.game is GameName.ULTIMATE_HOLDEM:
            return evaluate((*cards, *facts.board))
        return evaluate(cards[:5])

    dealer = strength(facts.dealer)
    hands = [strength(facts.hands[spot]) for spot in spots]
    return [(hand > dealer) - (hand < dealer) for hand in hands]


def _add_decisions(evidence: PlayerEvidence, facts: RoundFacts, spots: list[Spot]) -> None:
    from openfelt.maths.fairness.unseen_cards import showdowns

    decided = [spot for spot in spots if spot in facts.played]
    if not decided:
        return
    # Around one deck players may show each other their cards, which is no secret of the dealer's.
    # At a terminal a player sees no other player's cards.
    shared = facts.house.deck is Deck.SHARED
    others = [
        card
        for spot, cards in facts.hands.items()
        if spot not in decided and (shared or spot in spots)
        for card in cards
    ]
    met = showdowns([facts.hands[spot] for spot in decided], facts.board, facts.dealer, seen=others)
    evidence.raises.add(*met.followed([facts.played[spot] for spot in decided]))
