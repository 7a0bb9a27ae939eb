"""What an action must look like, from any sender: anything else is refused."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import (
    Beneficiary,
    Bet,
    Check,
    CloseBets,
    Confirm,
    DecidedBy,
    Fold,
    Hold,
    MakeDecision,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    VoidRound,
    Wager,
    WagerKind,
)
from openfelt.rules.action_checks import (
    check_decision,
    check_meter,
    check_opening,
    check_reason,
    check_spot,
    check_wagers,
    malformed,
)
from tests.kit.cases import case
from tests.kit.felt import TODAY, Felt

CODE = RefusalCode
ONE = Spot(1, 1)
ANTE = Wager(WagerKind.ANTE, 1000)
CARDS = {"1.1": "As Ah", "dealer": "2c 7d", "common": "9c Td Jh 3s 4s"}


def wagering() -> Felt:
    return Felt("stadium")


def deciding() -> Felt:
    return Felt("stadium").bet("1.1", "ante 10").close().run(CARDS)


def drawing() -> Felt:
    felt = Felt("draw").bet("1.1", "ante 10").close()
    return felt.deal("As Kd 9c 5h 2s").deal("3c 4c 6d 7d 8h").deal("Th Jh Qh Kh Ah")


def ready() -> Felt:
    return deciding().run(CARDS, {"1.1": "4x"})


def fits(check: Callable[..., None], *values: object) -> StrEnum | None:
    """The code by which something is refused, None where it is what it should be."""
    try:
        check(*values)
    except Refusal as refusal:
        return refusal.code
    return None


TUPLE_OF_WAGERS = "Wagers must be given as a tuple of wagers."
FOR_WHOM = "A wager must be for the player or for the dealer."
FOUR_DECISIONS = "A decision must be to check, to bet, to fold or to hold."
MULTIPLE = "A Play wager must be a whole multiple of the Ante."
CARDS_HELD = "A hold must be a tuple of cards."
DECIDERS = "A decision must be made by the player, the clock or the floor."
REASON = "A reason must be one line of at most 200 printable characters."
METER = "A meter must be a whole number of cents."
NO_ACTION = "That is not an action of a round."


def decided(decision: Any, by: Any = DecidedBy.PLAYER) -> MakeDecision:
    return MakeDecision(ONE, decision, by)


MALFORMED: list[Any] = [
    # situation, action: the sentence
    # What is no action.
    case(wagering, None, NO_ACTION),
    case(wagering, "void", NO_ACTION),
    case(wagering, CloseBets, NO_ACTION),
    case(wagering, ONE, NO_ACTION),
    case(ready, {"meter_cents": 5}, NO_ACTION),
    # Wagers.
    case(wagering, SetWagers(ONE, None), TUPLE_OF_WAGERS),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, [ANTE]), TUPLE_OF_WAGERS),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, ANTE), TUPLE_OF_WAGERS),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, (ANTE, None)), TUPLE_OF_WAGERS),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, ("ante",)), TUPLE_OF_WAGERS),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, (Wager(WagerKind.ANTE, 1000, "player"),)), FOR_WHOM),  # type: ignore[arg-type]
    case(wagering, SetWagers(ONE, (ANTE, Wager(WagerKind.TRIPS, 100, None))), FOR_WHOM),  # type: ignore[arg-type]
    # Decisions.
    case(deciding, decided("check"), FOUR_DECISIONS),
    case(deciding, decided(None), FOUR_DECISIONS),
    case(deciding, decided(Bet), FOUR_DECISIONS),
    case(deciding, decided([]), FOUR_DECISIONS),
    case(drawing, decided(parse_cards("As")), FOUR_DECISIONS),
    case(deciding, decided(Bet(4.0)), MULTIPLE),  # type: ignore[arg-type]
    case(deciding, decided(Bet(3.5)), MULTIPLE),  # type: ignore[arg-type]
    case(deciding, decided(Bet("4")), MULTIPLE),  # type: ignore[arg-type]
    case(deciding, decided(Bet(True)), MULTIPLE),
    case(deciding, decided(Bet(None)), MULTIPLE),  # type: ignore[arg-type]
    case(drawing, decided(Hold(None)), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold("As")), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold(["As"])), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold(list(parse_cards("As Kd")))), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold(("As",))), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold((Card.parse("As"), []))), CARDS_HELD),  # type: ignore[arg-type]
    case(drawing, decided(Hold((51,))), CARDS_HELD),  # type: ignore[arg-type]
    case(deciding, decided(Check(), "clock"), DECIDERS),
    case(deciding, decided(Check(), None), DECIDERS),
    case(deciding, decided(Check(), "nobody"), DECIDERS),
    # The end.
    case(wagering, VoidRound(None), REASON),  # type: ignore[arg-type]
    case(wagering, VoidRound(7), REASON),  # type: ignore[arg-type]
    case(wagering, VoidRound(""), REASON),
    case(wagering, VoidRound("   \n"), REASON),
    case(wagering, VoidRound("x" * 201), REASON),
    case(wagering, VoidRound("A card was exposed.\nPays double."), REASON),
    case(wagering, VoidRound("A card\twas exposed."), REASON),
    case(wagering, VoidRound("\x1b[2Jexposed"), REASON),
    case(wagering, VoidRound("\u202edesopxe"), REASON),
    case(wagering, VoidRound("exposed\u2028card"), REASON),
    case(wagering, VoidRound("\ud800"), REASON),
    case(ready, Confirm(-1), METER),
    case(ready, Confirm(1.5), METER),  # type: ignore[arg-type]
    case(ready, Confirm(100.0), METER),  # type: ignore[arg-type]
    case(ready, Confirm(True), METER),
    case(ready, Confirm("100"), METER),  # type: ignore[arg-type]
    case(ready, Confirm(AMOUNT_MAX_CENTS + 1), METER),
]


@pytest.mark.parametrize(("situation", "action", "sentence"), MALFORMED)
def test_what_is_malformed_is_refused(
    situation: Callable[[], Felt], action: Any, sentence: str
) -> None:
    assert situation().refuses(action, CODE.MALFORMED) == sentence


NOT_SPOTS: list[Any] = [
    None,
    "1.1",
    (1, 1),
    [],
    1,
    Spot(1.0, 1),  # type: ignore[arg-type]
    Spot(1, True),
    Spot("1", 1),  # type: ignore[arg-type]
    Spot(1, []),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("spot", NOT_SPOTS, ids=repr)
def test_what_is_no_spot_of_whole_numbers_is_no_spot_of_the_table(spot: Any) -> None:
    assert fits(check_spot, spot) is CODE.NO_SUCH_SPOT
    words = wagering().refuses(SetWagers(spot, (ANTE,)), CODE.NO_SUCH_SPOT)
    assert words == f"There is no hand {spot} at this table."
    deciding().refuses(MakeDecision(spot, Check()), CODE.NO_SUCH_SPOT)


def test_a_spot_beyond_the_table_is_well_formed() -> None:
    assert fits(check_spot, Spot(-1, 10**9)) is None


def test_wagers_that_the_house_may_still_refuse_are_well_formed() -> None:
    tip = Wager(WagerKind.PLAY, 1, Beneficiary.DEALER)
    for wagers in ((), (ANTE,), (ANTE, ANTE), (tip,)):
        assert fits(check_wagers, wagers) is None


BAD_AMOUNTS: list[Any] = [-1, -1000, 1.5, 1000.0, True, "1000", None, float("nan")]


@pytest.mark.parametrize("amount", BAD_AMOUNTS, ids=repr)
@pytest.mark.parametrize("kind", [WagerKind.ANTE, WagerKind.BLIND, WagerKind.TRIPS])
def test_an_amount_that_is_not_whole_cents_is_refused(kind: WagerKind, amount: Any) -> None:
    wagers = (Wager(kind, amount),)
    assert fits(check_wagers, wagers) is CODE.NOT_WHOLE_CENTS
    sentence = wagering().refuses(SetWagers(ONE, wagers), CODE.NOT_WHOLE_CENTS)
    assert sentence == f"{kind.words} must be a whole number of cents, not {amount!r}."


@pytest.mark.parametrize("kind", ["ante", "unknown", None])
def test_a_word_in_place_of_a_kind_is_not_offered(kind: Any) -> None:
    wagers = (Wager(kind, 1000),)
    assert fits(check_wagers, wagers) is CODE.NOT_OFFERED
    sentence = wagering().refuses(SetWagers(ONE, wagers), CODE.NOT_OFFERED)
    assert sentence == f"{kind!r} is not offered here."


@pytest.mark.parametrize("beneficiary", ["player", "house"])
def test_a_word_in_place_of_a_beneficiary_is_malformed(beneficiary: Any) -> None:
    wagers = (Wager(WagerKind.ANTE, 1000, beneficiary),)
    assert fits(check_wagers, wagers) is CODE.MALFORMED
    wagering().refuses(SetWagers(ONE, wagers), CODE.MALFORMED)


@pytest.mark.parametrize("by", DecidedBy)
@pytest.mark.parametrize(
    "decision", [Check(), Fold(), Bet(-4), Bet(10**30), Hold(()), Hold(parse_cards("As As"))]
)
def test_decisions_that_nobody_offers_are_well_formed(decision: Any, by: DecidedBy) -> None:
    assert fits(check_decision, decision, by) is None


@pytest.mark.parametrize("reason", ["x", "x" * 200, "  a card was exposed "])
def test_a_void_is_recorded_with_its_reason(reason: str) -> None:
    assert fits(check_reason, reason) is None
    assert wagering().void(reason).state.void_reason == reason.strip()


@pytest.mark.parametrize("meter_cents", [None, 0, 1, AMOUNT_MAX_CENTS])
def test_a_meter_is_whole_cents_or_not_given(meter_cents: int | None) -> None:
    assert fits(check_meter, meter_cents) is None
    ready().confirm(meter_cents)


OPENINGS: list[Any] = [
    # number, day: the refusal
    case(1, TODAY, None),
    case(10**9, date.min, None),
    case(0, TODAY, CODE.BAD_OPENING),
    case(-1, TODAY, CODE.BAD_OPENING),
    case(1.0, TODAY, CODE.BAD_OPENING),
    case(True, TODAY, CODE.BAD_OPENING),
    case("1", TODAY, CODE.BAD_OPENING),
    case(1, None, CODE.BAD_OPENING),
    case(1, "2026-01-01", CODE.BAD_OPENING),
    # A moment is a date to Python, but comparing it with the day of a limit fails.
    case(1, datetime(2026, 1, 1, tzinfo=UTC), CODE.BAD_OPENING),
]


@pytest.mark.parametrize(("number", "day", "code"), OPENINGS)
def test_an_opening_has_a_number_and_a_day(
    number: object, day: object, code: RefusalCode | None
) -> None:
    assert fits(check_opening, number, day) is code


def test_a_round_that_is_over_is_over_for_malformed_actions_too() -> None:
    wagering().void().refuses(None, CODE.ROUND_OVER)  # type: ignore[arg-type]


def test_the_refusal_of_what_is_malformed() -> None:
    refusal = malformed("That is no card.")
    assert (refusal.code, refusal.sentence) == (CODE.MALFORMED, "That is no card.")
