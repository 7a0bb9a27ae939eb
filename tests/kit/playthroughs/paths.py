"""Which ways through its game a golden round has gone, read from the round itself.

A path is a short sentence such as ``bet 4x before the flop`` or ``blind wins with a flush``.
Nothing here is taken from what a file says about itself.
"""

from collections import Counter
from collections.abc import Iterator

from openfelt.cards import Card, Category, evaluate
from openfelt.rules import Beneficiary, DecidedBy, Hold, Line, Phase, Round, Spot
from openfelt.rules.house import Deck, GameName, SeveralWinners
from openfelt.rules.lines import Result
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.ultimate_draw import final_cards, house_way
from tests.kit.playthroughs.driver import Table

_VERBS = {Result.WIN: "wins", Result.LOSE: "loses", Result.PUSH: "pushes"}


def paths_of(table: Table) -> set[str]:
    """Every path that the round has walked."""
    state = table.state
    found = {f"dealt by {state.opened.procedure}"}
    found |= {f"refused {one.refusal.code}" for one in table.happenings if one.refusal}
    found |= set(_decision_paths(state))
    found |= set(_seat_paths(state))
    if state.phase is Phase.VOIDED:
        found.add(f"void with {len(state.common)} common cards dealt")
        return found
    assert state.settlement is not None
    for line in state.settlement.lines:
        found |= set(_line_paths(state, line))
    found |= set(_cover_paths(state)) | set(_progressive_paths(state))
    if state.house.game is GameName.ULTIMATE_DRAW:
        found |= set(_draw_paths(state))
    else:
        found |= set(_holdem_paths(state))
    return found


def _decision_paths(state: Round) -> Iterator[str]:
    for hand in state.hands.values():
        for decided in hand.decisions:
            if decided.by is DecidedBy.CLOCK:
                yield f"the clock decides {decided.street.words}"
            if isinstance(decided.decision, Hold):
                yield f"replaces {5 - len(decided.decision.cards)}"
            else:
                yield f"{decided.decision} {decided.street.words}"
    if len({str(hand.final_decision) for hand in state.hands.values()}) >= 3:
        yield "several hands decide differently"


def _seat_paths(state: Round) -> Iterator[str]:
    hands = Counter(spot.seat for spot in state.hands)
    if max(hands.values()) > 1:
        yield f"{max(hands.values())} hands at one seat"
    cards = Counter(card for hand in state.hands.values() for card in hand.cards)
    if state.house.deck is Deck.PER_TERMINAL and max(cards.values(), default=0) > 1:
        yield "the same card at two terminals"


def _line_paths(state: Round, line: Line) -> Iterator[str]:
    hand = state.hands[line.spot]
    if line.result is Result.RETURNED:
        return
    words = line.wager.replace("_", " ")
    whose = "for the dealer: " if line.beneficiary is Beneficiary.DEALER else ""
    verb = _VERBS[line.result]
    yield f"{whose}{words} {verb}"
    if line.over_aggregate_cents:
        yield f"{words} is cut to its aggregate"
    if line.result is Result.WIN and hand.folded:
        yield f"{words} wins after a fold"
    if line.wager in ("blind", "trips", "bonus", "ante_bonus") and line.result is Result.WIN:
        yield f"{words} wins with {_category(state, hand)}"
    if line.wager == "play_the_board" and line.result is Result.WIN:
        yield f"{words} wins with {evaluate(state.common).category.words}"
    if line.wager == "ultimate_pairs" and line.result is Result.WIN:
        yield f"ultimate pairs wins by {line.because.partition(' pays ')[0]}"


def _category(state: Round, hand: PlayerHand) -> str:
    return evaluate(_final(state, hand)).category.words


def _final(state: Round, hand: PlayerHand) -> tuple[Card, ...]:
    if hand.held is not None:
        return final_cards(hand.held, state.common)
    return (*hand.cards, *state.common)


def _holdem_paths(state: Round) -> Iterator[str]:
    assert state.settlement is not None
    dealer = evaluate((*state.dealer, *state.common))
    qualified = state.settlement.dealer_qualified
    results = _results(state)
    for spot, hand in state.hands.items():
        of = results[spot]
        player = evaluate(_final(state, hand))
        if hand.folded and qualified is False:
            yield "folds against an unqualified dealer"
        if not hand.folded and "ante" in of:
            kind = "qualified" if qualified else "unqualified"
            side = "ties" if player == dealer else "beats" if player > dealer else "loses to"
            yield f"{side} {'a' if qualified else 'an'} {kind} dealer"
        if of.get("bad_beat") is Result.WIN:
            beaten, whose = (dealer, "dealer") if player > dealer else (player, "player")
            yield f"bad beat wins: the {whose} is beaten with {beaten.category.words}"
        if "bad_beat" in of and player == dealer:
            yield "bad beat loses by a tie"
        if (of.get("ante"), of.get("play"), of.get("blind")) == (
            Result.PUSH,
            Result.LOSE,
            Result.LOSE,
        ):
            yield "ante pushes while play and blind lose"


def _results(state: Round) -> dict[Spot, dict[str, Result]]:
    """What became of each player's wagers."""
    assert state.settlement is not None
    found: dict[Spot, dict[str, Result]] = {spot: {} for spot in state.hands}
    for line in state.settlement.lines:
        if line.beneficiary is Beneficiary.PLAYER:
            found[line.spot][line.wager] = line.result
    return found


def _cover_paths(state: Round) -> Iterator[str]:
    if state.opened.banker is None or state.settlement is None:
        return
    for line in state.settlement.lines:
        if line.uncovered_cents:
            part = {Result.WIN: "a win is paid in part", Result.LOSE: "a loss is taken in part"}
            yield f"cover {state.house.bank.cover}: " + part.get(line.result, "a wager goes back")
    if state.settlement.cover_left_cents == 0:
        yield f"cover {state.house.bank.cover}: exhausted"


def _progressive_paths(state: Round) -> Iterator[str]:
    rule = state.house.progressive
    assert state.settlement is not None
    lines = [line for line in state.settlement.lines if line.wager == "progressive"]
    if rule is None or not lines:
        return
    shares = [line for line in lines if "of the meter" in line.because]
    for line in lines:
        if line.result is Result.WIN:
            category = line.because.partition(" wins ")[0].partition(",")[0].lower()
            yield f"progressive wins with {category}"
    if len(shares) > 1:
        way = "split" if rule.several_winners is SeveralWinners.SPLIT else "in order"
        yield f"two winners of a share, {way}"


# Ultimate Draw ---------------------------------------------------------------


def _draw_paths(state: Round) -> Iterator[str]:
    assert state.settlement is not None
    yield f"the dealer {_house_way_words(state.dealer)}"
    dealer = evaluate(final_cards(house_way(state.dealer), state.common))
    results = _results(state)
    for spot, hand in state.hands.items():
        of = results[spot]
        player = evaluate(_final(state, hand))
        if "ante" not in of:
            yield "bonus alone"
            continue
        qualified = state.settlement.dealer_qualified
        kind = "a qualified dealer" if qualified else "an unqualified dealer"
        side = "ties" if player == dealer else "beats" if player > dealer else "loses to"
        yield f"{side} {kind}"
        if "ante_bonus" in of:
            yield f"ante bonus for a hand that {side} {kind}"


def _house_way_words(cards: tuple[Card, ...]) -> str:
    category = evaluate(cards).category
    if category >= Category.STRAIGHT:
        return f"stands on {category.words}"
    if category >= Category.PAIR:
        return f"holds {category.words}"
    held = house_way(cards)
    if len(held) == 4 and len({card.suit for card in held}) == 1:
        return "holds four to a flush"
    ranks = sorted(card.rank for card in held)
    if len(held) == 4 and (ranks[3] - ranks[0] == 3 or ranks == [2, 3, 4, 14]):
        return "holds four in sequence"
    return "holds jack or higher" if held else "discards all"
