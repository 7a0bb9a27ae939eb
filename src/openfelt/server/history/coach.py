"""The coach: the exact value of each decision of a player's own round, from the adviser.

A question contains only what the player could see at that moment, taken from the player's view of
the round. Cards that were hidden then therefore cannot influence any answer.
"""

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from openfelt.cards import Card
from openfelt.protocol.coach_forms import CoachedDecision, CoachView, PricedChoice
from openfelt.rules.decisions import Bet, DecidedBy, Decision, Hold
from openfelt.rules.house import GameName, House
from openfelt.rules.round import Round, apply
from openfelt.rules.round_events import DecisionMade
from openfelt.rules.view import view
from openfelt.rules.wagers import Spot, WagerKind
from openfelt.runtime.rounds.proof import round_id
from openfelt.runtime.rounds.recorded_round import RecordedRound
from openfelt.server.errors import Denied
from openfelt.server.limits.fair_pool import FairPool
from openfelt.table.state import Table

if TYPE_CHECKING:
    from openfelt.maths import Advice, HoldemTerms

QUESTIONS_MAX: Final = 2000
"""How many answers are kept, so that a round is not computed again when it is opened again."""
WAITING_MAX: Final = 24
WAITING_PER_PLAYER: Final = 2
_THREADS: Final = 1
"""One, so that a coach never takes the processors from the tables."""


class _Stopped(Exception):
    """The viewer has gone, or the server closes."""


@dataclass(frozen=True, slots=True)
class Question:
    """A decision as the player saw it."""

    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    seen: tuple[Card, ...]
    """Cards of other hands that the player saw, in order of their numbers."""
    dealer: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDecision:
    """A decision of a hand, and the question that it answered."""

    spot: Spot
    street: str
    decision: Decision
    by: DecidedBy
    ante_cents: int
    question: Question | None
    """None if a card of the hand is no longer known."""


def played_decisions(recorded: RecordedRound, *, seat: int) -> list[PlayedDecision]:
    """The decisions of one seat's hands in a round of hold'em, in order."""
    if not recorded.opened.house.shows_all_hands:
        recorded = recorded.of_seat(seat)
    state, played = recorded.opened, list[PlayedDecision]()
    for event, _ in recorded.events:
        if isinstance(event, DecisionMade) and event.spot.seat == seat and state.street is not None:
            hand = state.hands[event.spot]
            played.append(
                PlayedDecision(
                    spot=event.spot,
                    street=state.street.value,
                    decision=event.decision,
                    by=event.by,
                    ante_cents=hand.stake_cents(WagerKind.ANTE),
                    question=_question(state, event.spot),
                )
            )
        state = apply(state, event)
    return played


def _question(state: Round, spot: Spot) -> Question | None:
    """The adviser's question: what the hand's player sees of the round."""
    shown = view(state, seat=spot.seat)
    hole = next(_known(hand.cards) for hand in shown.hands if hand.spot == spot)
    if len(hole) < len(state.hands[spot].cards):
        return None
    others = [card for hand in shown.hands if hand.spot != spot for card in _known(hand.cards)]
    return Question(
        hole=hole,
        board=_known(shown.common),
        seen=tuple(sorted(others, key=lambda card: card.number)),
        dealer=_known(shown.dealer),
    )


def _known(cards: tuple[Card | None, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card is not None)


def check_finished(recorded: RecordedRound, table: Table, player: str) -> None:
    """Refuse advice on a round in progress, except at the player's own private table.

    At any other table the bank or the other players would play against the coach.
    """
    if recorded.ended is None and table.opened.private_to != player:
        raise Denied(
            HTTPStatus.CONFLICT,
            "in_progress",
            "The coach reviews a round only when it is over, except at your own table.",
        )


class Coach:
    """Asks the adviser, in a separate thread. For one event loop."""

    def __init__(self, *, ready: Callable[[], Awaitable[None]] | None = None) -> None:
        """``ready`` is awaited before anything is computed: compiling would halt the server."""
        self._ready = ready
        self._pool = FairPool(
            "coach",
            threads=_THREADS,
            waiting_max=WAITING_MAX,
            waiting_per_caller=WAITING_PER_PLAYER,
        )
        self._answers: OrderedDict[tuple[HoldemTerms, Question], Advice] = OrderedDict()
        self._closing = threading.Event()

    async def look_at(self, recorded: RecordedRound, *, seat: int, player: str) -> CoachView:
        """The decisions of a player's round with their exact values; cancelled with its caller.

        Raises Denied if too much waits already.
        """
        if self._ready is not None:
            await self._ready()
        gone = threading.Event()
        try:
            return await self._pool.run(lambda: self._look_at(recorded, seat, gone), caller=player)
        except asyncio.CancelledError:
            gone.set()
            raise

    def close(self) -> None:
        """Stop the current computation, and end the thread."""
        self._closing.set()
        self._pool.close()

    def _look_at(self, recorded: RecordedRound, seat: int, gone: threading.Event) -> CoachView:
        house = recorded.opened.house
        looked = CoachView(
            round=round_id(recorded.table, recorded.number),
            number=recorded.number,
            decisions=[],
            missing=None,
        )
        if house.game is not GameName.ULTIMATE_HOLDEM:
            return looked.model_copy(update={"missing": "game"})
        terms = _terms(house)
        if terms is None:
            return looked.model_copy(update={"missing": "terms"})
        for played in played_decisions(recorded, seat=seat):
            if played.question is None:
                looked.missing = "cards"
                continue
            try:
                advice = self._advice(terms, played.question, gone)
            except ValueError:
                # Odds that are too finely divided to be summed exactly.
                return looked.model_copy(update={"decisions": [], "missing": "terms"})
            looked.decisions.append(_coached(played, advice))
        return looked

    def _advice(self, terms: "HoldemTerms", question: Question, gone: threading.Event) -> "Advice":
        from openfelt.maths import advise

        def go_on(_done: int, _total: int, /) -> None:
            if gone.is_set() or self._closing.is_set():
                raise _Stopped

        go_on(0, 0)
        key = terms, question
        advice = self._answers.pop(key, None)
        if advice is None:
            advice = advise(
                question.hole,
                question.board,
                seen=question.seen,
                dealer=question.dealer,
                terms=terms,
                solve=False,
                workers=_THREADS,
                progress=go_on,
            )
        self._answers[key] = advice
        while len(self._answers) > QUESTIONS_MAX:
            self._answers.popitem(last=False)
        return advice


def _terms(house: House) -> "HoldemTerms | None":
    """The terms of a house, None if they are not solved exactly."""
    from openfelt.maths import terms_of

    try:
        return terms_of(house)
    except ValueError:
        return None


def _coached(played: PlayedDecision, advice: "Advice") -> CoachedDecision:
    """A decision beside the others, best first; among equal values, the one that stakes less."""
    best = advice.values[advice.best]
    names = sorted(advice.values, key=lambda name: (-advice.values[name], name != advice.best))
    chosen = _action(played.decision)
    return CoachedDecision(
        hand=played.spot.hand,
        street=played.street,
        by=played.by.value,
        ante_cents=played.ante_cents,
        choices=[
            PricedChoice.model_validate(
                {
                    "kind": name.partition("_")[0],
                    "multiple": int(name[4:-1]) if name.startswith("bet_") else None,
                    "ev": float(advice.values[name]),
                    "ev_fraction": str(advice.values[name]),
                    "cost": float(best - advice.values[name]),
                }
            )
            for name in names
        ],
        chosen=names.index(chosen),
    )


def _action(decision: Decision) -> str:
    """A decision as the adviser names it.

    >>> from openfelt.rules.decisions import Fold
    >>> _action(Bet(4)), _action(Fold())
    ('bet_4x', 'fold')
    """
    if isinstance(decision, Hold):
        raise TypeError("hold'em has no draw")
    return f"bet_{decision.multiple}x" if isinstance(decision, Bet) else str(decision)
