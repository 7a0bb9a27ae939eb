"""A refusal: the response to an action that the rules do not allow.

It has a code for programs and a sentence for people. A refused action changes nothing.
"""

from enum import StrEnum


class RefusalCode(StrEnum):
    """Every reason for which a round can refuse an action."""

    NO_SUCH_SPOT = "no_such_spot"
    BANKER_CANNOT_BET = "banker_cannot_bet"
    NOT_OFFERED = "not_offered"
    NOT_WHOLE_CENTS = "not_whole_cents"
    WAGER_TWICE = "wager_twice"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    NOT_A_MULTIPLE = "not_a_multiple"
    BLIND_DIFFERS = "blind_differs"
    NEEDS_WAGER = "needs_wager"
    TOO_MANY_WAGERS = "too_many_wagers"
    AGGREGATE_REACHED = "aggregate_reached"
    CREDIT_SHORT = "credit_short"
    WAGERS_CLOSED = "wagers_closed"
    NO_WAGERS = "no_wagers"
    FELT_DIFFERS = "felt_differs"
    TOO_MANY_HANDS = "too_many_hands"
    NO_CARD_EXPECTED = "no_card_expected"
    CARD_ALREADY_DEALT = "card_already_dealt"
    NOTHING_TO_TURN = "nothing_to_turn"
    NO_DECISION_DUE = "no_decision_due"
    TOO_LATE = "too_late"
    ALREADY_DECIDED = "already_decided"
    OUT_OF_TURN = "out_of_turn"
    NO_SUCH_CHOICE = "no_such_choice"
    NOT_YOUR_CARDS = "not_your_cards"
    NOT_FINISHED = "not_finished"
    ROUND_OVER = "round_over"
    METER_NEEDED = "meter_needed"
    BAD_OPENING = "bad_opening"
    MALFORMED = "malformed"
    NO_SUCH_CARD = "no_such_card"


class Refusal(Exception):
    """The rules do not allow the action; nothing has changed.

    >>> Refusal(RefusalCode.OUT_OF_TURN, "It is seat 2's turn.").code.value
    'out_of_turn'
    """

    def __init__(self, code: StrEnum, sentence: str) -> None:
        super().__init__(code, sentence)
        self.code = code
        self.sentence = sentence

    def __str__(self) -> str:
        return self.sentence
