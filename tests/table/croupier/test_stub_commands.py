"""The stub of a real deck is counted or scanned after a round (R.39)."""

import pytest

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.rules import RefusalCode
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.server.tables.views import private_view, public_view
from openfelt.table.commands import (
    CountStub,
    DeclareIrregularity,
    OpenBets,
    Person,
    Role,
    TakeBank,
)
from openfelt.table.croupier.permits import Permits
from openfelt.table.croupier.stub_commands import dealt_cards
from openfelt.table.events import StubCounted
from openfelt.table.refusal import TableCode
from tests.kit.tables import DEALER, FLOOR, Pit, replayed


def ready() -> Pit:
    """All cards of a round are out: nine that were dealt, and one that lay face up."""
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close()
    face_up = Irregularity.CARD_FACE_UP
    pit.do(DeclareIrregularity(face_up, About.DECK, card=Card.parse("5d")), DEALER)
    return pit.deal("As Ah Kc Kd").choose("ann", "1.1", "4x").deal("Ac 7d 9h Js 3c").turn()


def stub_of(pit: Pit) -> tuple[Card, ...]:
    """What is left of a whole deck."""
    return tuple(card for card in FULL_DECK if card not in dealt_cards(pit.round))


def counted(pit: Pit) -> StubCounted:
    """How the stub was counted."""
    assert pit.table.stub is not None
    return pit.table.stub


@pytest.mark.clause("R.39")
def test_a_count_is_compared_with_the_cards_that_left_the_deck() -> None:
    pit = ready().do(CountStub(42), DEALER)
    assert counted(pit) == StubCounted(1, 42, 42, (), ())
    assert counted(pit).whole
    pit.do(CountStub(41), FLOOR)
    assert not counted(pit).whole
    # It can be counted after the confirmation too, until the next round opens.
    pit.confirm().do(CountStub(42, round=1), DEALER).do(OpenBets(), "dan")
    assert pit.table.stub is None
    pit.refuses(CountStub(42), DEALER, TableCode.NO_STUB)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.clause("R.39")
def test_a_scan_names_what_is_missing_and_what_is_there_twice() -> None:
    pit = ready()
    stub = stub_of(pit)
    pit.do(CountStub(cards=stub), DEALER)
    assert pit.table.stub == StubCounted(1, 42, 42, (), ())
    # The two of clubs is gone, the ace of spades is there again, and one card was left out.
    wrong = tuple(card for card in stub if str(card) not in ("2c", "4h"))
    pit.do(CountStub(cards=(*wrong, *parse_cards("As"))), DEALER)
    found = pit.table.stub
    assert found is not None
    assert (found.count, found.expected, found.whole) == (41, 42, False)
    assert (found.missing, found.extra) == (parse_cards("2c 4h"), parse_cards("As"))


def test_a_round_that_was_voided_in_mid_deal_is_counted_too() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close().deal("As")
    pit.refuses(CountStub(51), DEALER, TableCode.NO_STUB)
    pit.void().do(CountStub(51), DEALER)
    assert pit.table.stub == StubCounted(1, 51, 51, (), ())


def test_a_count_for_another_round_is_too_late() -> None:
    ready().refuses(CountStub(42, round=2), DEALER, RefusalCode.TOO_LATE)


@pytest.mark.clause("R.39")
def test_players_never_see_it() -> None:
    pit = ready()
    pit.do(CountStub(cards=stub_of(pit)[1:]), DEALER)
    assert "count_stub" in Permits(pit.table, pit.outside).of(DEALER)
    for viewer, sees in ((DEALER, True), (FLOOR, True), (Person(Role.PLAYER, "ann"), False)):
        view = private_view(pit.table, viewer, wallet_cents=0, may=[])
        assert (view.stub is not None) is sees
    assert "stub" not in str(public_view(pit.table, meter_cents=None, stopped=None))


@pytest.mark.clause("R.39")
def test_while_hands_decide_the_stub_is_counted_and_not_looked_at() -> None:
    """Where all cards are dealt before the first decision, the rest is cleared then."""
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").close()
    pit.refuses(CountStub(52), DEALER, TableCode.NO_STUB)
    pit.deal("As 2c Kh 7d 9h Js Ks 3d 3s")
    assert pit.round.pending
    pit.refuses(CountStub(cards=stub_of(pit)), DEALER, TableCode.NO_STUB)
    pit.do(CountStub(43), DEALER)
    assert counted(pit).whole


@pytest.mark.clause("R.39")
def test_a_scan_of_half_a_stub_names_no_missing_card() -> None:
    """Its missing cards would tell which ones lie face down in a mucked hand."""
    pit = ready()
    pit.do(CountStub(cards=()), DEALER)
    assert not counted(pit).whole
    assert counted(pit).missing == ()
    pit.do(CountStub(cards=stub_of(pit)[3:]), DEALER)
    assert len(counted(pit).missing) == 3
