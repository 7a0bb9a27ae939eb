"""Every refusal there is, produced at least once."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from openfelt.cards import Card, parse_cards
from openfelt.rules import (
    Banker,
    Bet,
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    Hold,
    MakeDecision,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    TurnCards,
    Wager,
    WagerKind,
)
from openfelt.rules.dealing import Lies, Place, Street
from tests.kit.felt import Felt, wagers_of
from tests.kit.own_houses import own_house

ONE = Spot(1, 1)
CARDS = {"1.1": "As Ah", "2.1": "Ks Kh", "dealer": "2c 7d", "common": "9c Td Jh 3s 4s"}


def set_wagers(text: str, house_id: str = "washington", credit_cents: int | None = None) -> Felt:
    return Felt(house_id).do(SetWagers(ONE, wagers_of(text)), credit_cents=credit_cents)


def dealt(wagers: str = "ante 10") -> Felt:
    return Felt("washington").bet("1.1", wagers).close().run(CARDS)


def too_many_hands() -> Felt:
    felt = Felt(replace(own_house("washington"), seats=23))
    for seat in range(1, 24):
        felt.bet(f"{seat}.1", "ante 10")
    return felt.close()


def above_the_aggregate() -> Felt:
    house = own_house("washington", {"limits.1.table_aggregate_max_cents": 1000})
    return Felt(house).bet("1.1", "ante 10")


def out_of_turn() -> Felt:
    house = own_house("washington", {"table.turns": "in_order"})
    felt = Felt(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(CARDS)
    return felt.choose("2.1", "check")


def not_your_cards() -> Felt:
    felt = Felt("draw").bet("1.1", "ante 10").close()
    felt.deal("As Kd 9c 5h 2s").deal("3c 4c 6d 7d 8h").deal("Th Jh Qh Kh Ah")
    return felt.do(MakeDecision(ONE, Hold(parse_cards("Ac"))))


WAYS: dict[RefusalCode, Callable[[], object]] = {
    RefusalCode.NO_SUCH_SPOT: lambda: Felt("washington").bet("7.1", "ante 10"),
    RefusalCode.BANKER_CANNOT_BET: lambda: Felt("california", banker=Banker(1, 100)).bet(
        "1.1", "ante 10"
    ),
    RefusalCode.NOT_OFFERED: lambda: set_wagers("bonus 10"),
    RefusalCode.NOT_WHOLE_CENTS: lambda: Felt("washington").do(
        SetWagers(ONE, (Wager(WagerKind.ANTE, -1),))
    ),
    RefusalCode.WAGER_TWICE: lambda: set_wagers("ante 10, ante 10"),
    RefusalCode.BELOW_MINIMUM: lambda: set_wagers("ante 1"),
    RefusalCode.ABOVE_MAXIMUM: lambda: set_wagers("ante 1000"),
    RefusalCode.NOT_A_MULTIPLE: lambda: set_wagers("ante 10.01"),
    RefusalCode.BLIND_DIFFERS: lambda: set_wagers("ante 10, blind 20"),
    RefusalCode.NEEDS_WAGER: lambda: set_wagers("ante 10, bad_beat 5"),
    RefusalCode.TOO_MANY_WAGERS: lambda: set_wagers(
        "ante 10, trips 5, bad_beat 5, ultimate_pairs 5, progressive 1"
    ),
    RefusalCode.AGGREGATE_REACHED: above_the_aggregate,
    RefusalCode.CREDIT_SHORT: lambda: set_wagers("ante 10", credit_cents=2999),
    RefusalCode.WAGERS_CLOSED: lambda: dealt().bet("1.1", "ante 20"),
    RefusalCode.FELT_DIFFERS: lambda: (
        Felt("washington").bet("1.1", "ante 10").do(CloseBets(checked_cents=1_000))
    ),
    RefusalCode.NO_WAGERS: lambda: Felt("washington").do(CloseBets()),
    RefusalCode.TOO_MANY_HANDS: too_many_hands,
    RefusalCode.NO_CARD_EXPECTED: lambda: dealt().do(DealCard(Card(0))),
    RefusalCode.CARD_ALREADY_DEALT: lambda: dealt().choose("1.1", "check").deal("As"),
    RefusalCode.NO_SUCH_CARD: lambda: dealt().do(CorrectCard(Place(Lies.COMMON, None, 1), Card(0))),
    RefusalCode.NOTHING_TO_TURN: lambda: dealt().do(TurnCards()),
    RefusalCode.TOO_LATE: lambda: dealt().do(MakeDecision(ONE, Check(), street=Street.ON_FLOP)),
    RefusalCode.NO_DECISION_DUE: lambda: (
        Felt("washington").bet("1.1", "ante 10").do(MakeDecision(ONE, Check()))
    ),
    RefusalCode.ALREADY_DECIDED: lambda: dealt().choose("1.1", "4x").choose("1.1", "4x"),
    RefusalCode.OUT_OF_TURN: out_of_turn,
    RefusalCode.NO_SUCH_CHOICE: lambda: dealt().do(MakeDecision(ONE, Bet(5))),
    RefusalCode.NOT_YOUR_CARDS: not_your_cards,
    RefusalCode.NOT_FINISHED: lambda: dealt().do(Confirm()),
    RefusalCode.ROUND_OVER: lambda: dealt().void().void(),
    RefusalCode.METER_NEEDED: lambda: (
        dealt("ante 10, progressive 1").run(CARDS, {"1.1": "4x"}).confirm()
    ),
    RefusalCode.BAD_OPENING: lambda: Felt("california"),
    RefusalCode.MALFORMED: lambda: dealt().void(""),
}


def test_every_code_is_in_the_table() -> None:
    assert set(WAYS) == set(RefusalCode)


@pytest.mark.parametrize("code", RefusalCode)
def test_every_refusal_has_its_code_and_a_sentence(code: RefusalCode) -> None:
    with pytest.raises(Refusal) as refused:
        WAYS[code]()
    assert refused.value.code is code
    assert str(refused.value) == refused.value.sentence
    assert refused.value.sentence[0].isupper() or refused.value.sentence[0] == "'"
    assert refused.value.sentence.endswith(".")
