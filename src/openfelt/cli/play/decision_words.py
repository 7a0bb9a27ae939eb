"""Decisions as the player types them, and the prompt that offers them."""

import re
from collections.abc import Sequence

from openfelt.cards import Card
from openfelt.cli.play.screens.figures import chip_words
from openfelt.rules import Bet, Check, Choices, Fold, Hold
from openfelt.rules.decisions import Decision
from openfelt.rules.ultimate_draw import house_way

_BET = re.compile(r"(?:(?:bet|play|raise|b|p) ?)?(\d{1,6}) ?x?", re.ASCII)
_MONEY = re.compile(r"\$ ?(\d{1,9})", re.ASCII)


class NotADecision(Exception):
    """The typed text is not a decision; the message says what to type."""


def question(open_choices: Choices) -> str:
    """The choices as the prompt shows them: ``check / 3x $30 / 4x $40``."""
    if open_choices.may_hold:
        return "hold which cards? 1 to 5, all, none, way"
    words = []
    for option in open_choices.options:
        match option.decision:
            case Bet(multiple):
                words.append(f"{multiple}x {chip_words(option.cost_cents)}")
            case decision:
                words.append(str(decision))
    return " / ".join(words)


def read_decision(text: str, open_choices: Choices, cards: Sequence[Card]) -> Decision:
    """Read a decision; raises NotADecision. Whether it is allowed is up to the rules."""
    if open_choices.may_hold:
        return _read_hold(text, cards)
    if text in ("check", "c", "k"):
        return Check()
    if text in ("fold", "f"):
        return Fold()
    bets = [choice for choice in open_choices.options if isinstance(choice.decision, Bet)]
    if text in ("bet", "b", "play", "raise", "p"):
        if len(bets) == 1:
            return bets[0].decision
        raise NotADecision(_which_bet([choice.decision for choice in bets]))
    if not text:
        passing = open_choices.options[0].decision
        if isinstance(passing, Check):
            return passing
        raise NotADecision("Enter alone does not fold. Type bet or fold.")
    return _read_multiple(
        text, {choice.cost_cents: choice.decision for choice in bets}, open_choices
    )


def _which_bet(bets: Sequence[Decision]) -> str:
    if not bets:
        return "Your credit covers no Play wager now."
    return (
        f"How much? Type {' or '.join(f'{bet.multiple}x' for bet in bets if isinstance(bet, Bet))}."
    )


def _read_multiple(text: str, by_cost: dict[int, Decision], open_choices: Choices) -> Decision:
    if money := _MONEY.fullmatch(text):
        bet = by_cost.get(int(money[1]) * 100)
        if bet is not None:
            return bet
    elif match := _BET.fullmatch(text):
        return Bet(int(match[1]))
    raise NotADecision(f"{text!r} is not a decision. Type one of: {question(open_choices)}.")


def _read_hold(text: str, cards: Sequence[Card]) -> Hold:
    words = text.removeprefix("hold").strip()
    match words:
        case "all" | "stand" | "pat":
            return Hold(tuple(cards))
        case "none" | "nothing":
            return Hold(())
        case "way" | "house way":
            return Hold(house_way(tuple(cards)))
    numbers = words.replace(",", "").replace(" ", "")
    if not numbers or not numbers.isdecimal() or not numbers.isascii():
        raise NotADecision(
            "Type the numbers of the cards to hold, such as 1 3 5, or all, none, way."
        )
    if any(number not in "12345" for number in numbers):
        raise NotADecision("Your cards are numbered 1 to 5.")
    return Hold(tuple(cards[int(number) - 1] for number in numbers))
