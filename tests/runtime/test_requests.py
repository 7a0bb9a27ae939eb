"""Requests and answers, as they are kept."""

from collections.abc import Callable
from typing import Any

import pytest

from openfelt.cards import parse_cards
from openfelt.rules import DealCard, MakeDecision, Refusal, RefusalCode, SetWagers
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Hold
from openfelt.rules.round_actions import CorrectCard
from openfelt.rules.wagers import Spot
from openfelt.runtime.requests import (
    Answer,
    Request,
    RuntimeCode,
    check_command_id,
    digest,
    digests,
    is_digest_of,
)
from openfelt.storage.codec import Codec, CodecError
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    Collect,
    LeaveSeat,
    Person,
    Role,
    TableCommand,
)
from tests.kit.felt import spot_of, wagers_of

CODEC = Codec(lambda fingerprint: None)
ANN = Person(Role.PLAYER, "ann")


@pytest.mark.parametrize(
    "answer",
    [
        Answer(version=0),
        Answer(version=7),
        Answer(version=7, refused="seat_taken", sentence="Seat 1 is taken."),
        Answer.of_refusal(Refusal(RefusalCode.NO_WAGERS, "No wager has been made."), 3),
    ],
)
def test_an_answer_survives_being_stored(answer: Answer) -> None:
    assert Answer.from_json(answer.to_json()) == answer


def test_an_answer_is_stored_briefly() -> None:
    assert Answer(version=7).to_json() == '{"version":7}'
    refused = Answer(version=7, refused="busy", sentence="The table is busy.")
    assert refused.to_json() == '{"version":7,"refused":"busy","sentence":"The table is busy."}'
    assert Answer(version=7).accepted
    assert not refused.accepted


@pytest.mark.parametrize("text", ["{}", "[]", '{"version":"7"}', '{"version":true}', "nothing"])
def test_an_invalid_answer_is_refused(text: str) -> None:
    with pytest.raises(CodecError):
        Answer.from_json(text)


@pytest.mark.parametrize("good", ["1", "x" * 64, "é ♠", "b8a7-11"])
def test_valid_ids(good: str) -> None:
    check_command_id(good)
    request = Request(by=ANN, command=Collect(1), id=good)
    request.check_id()
    assert request.kept
    assert request.key == ("player:ann", good)


@pytest.mark.parametrize("bad", ["", "x" * 65, "\t", "\x7f", "\ud800", None, 1, b"1"], ids=repr)
def test_invalid_ids(bad: Any) -> None:
    request = Request(by=ANN, command=Collect(1), id=bad)
    with pytest.raises(Refusal, match="1 to 64 printable characters") as caught:
        check_command_id(bad)
    assert caught.value.code is RuntimeCode.BAD_ID
    with pytest.raises(Refusal):
        request.check_id()
    assert not request.kept


def test_only_the_system_needs_no_id() -> None:
    request = Request(by=SYSTEM, command=Collect(1))
    request.check_id()
    assert not request.kept


def test_a_digest_tells_commands_apart() -> None:
    commands: list[Any] = [
        *(BuyIn(1, 100), BuyIn(1, 101), BuyIn(2, 100), Collect(1), LeaveSeat(1)),
        SetWagers(spot_of("1.1"), wagers_of("ante 10")),
        SetWagers(spot_of("1.1"), wagers_of("ante 10, trips 5")),
        *(BuyIn(1, None), BuyIn(1, "100"), BuyIn(1, True), BuyIn(1, 1.0), None, 7),  # type: ignore[arg-type]
    ]
    hashes = [digest(CODEC, command) for command in commands]
    assert len(set(hashes)) == len(commands)
    assert hashes == [digest(CODEC, command) for command in commands]


def test_a_digest_is_the_same_for_ever() -> None:
    """A command that is sent again after an upgrade must be recognised."""
    assert digest(CODEC, BuyIn(1, 100)) == "ee738b201d63b71dff0e2840f377e847"
    of_old = "ee738b201d63b71dff0e2840f377e847e5a50e772d0f9a93a0c9e928dea66ce9"
    for stored in (of_old, digest(CODEC, BuyIn(1, 100))):
        assert is_digest_of(stored, CODEC, BuyIn(1, 100))
        assert not is_digest_of(stored, CODEC, BuyIn(1, 101))


@pytest.mark.parametrize(
    "command_of",
    [
        lambda cards: MakeDecision(Spot(1, 1), Hold(parse_cards(cards))),
        lambda cards: DealCard(parse_cards(cards)[0]),
        lambda cards: CorrectCard(Place(Lies.HAND, Spot(1, 1), 1), parse_cards(cards)[0]),
    ],
)
def test_a_digest_tells_no_card(command_of: Callable[[str], TableCommand]) -> None:
    one, other = command_of("As Kd"), command_of("2c 2d")
    assert digest(CODEC, one) == digest(CODEC, other)
    assert digests(CODEC, one).with_cards != digests(CODEC, other).with_cards


def test_a_command_without_cards_has_one_hash() -> None:
    assert digests(CODEC, BuyIn(1, 100)) == (digest(CODEC, BuyIn(1, 100)), None)
