"""The bank of a cardroom as its dealer follows it, from the offer to the last line."""

from openfelt.rules import Phase
from openfelt.server.tables.bank_views import bank_view
from openfelt.server.tables.settlement_previews import settlement_ahead
from openfelt.server.tables.views import private_view
from openfelt.table.commands import DeclineBank, Person, Role, TakeBank
from tests.kit.tables import DEALER, Pit
from tests.server.tables.test_settlement_previews import play_on


def cardroom() -> Pit:
    pit = Pit("california")
    for seat, player in enumerate(("ann", "bob", "cyd"), start=1):
        pit.sit(player, seat, 500)
    return pit


def test_where_the_house_banks_there_is_nothing_to_follow() -> None:
    assert bank_view(Pit("washington").table, None) is None


def test_an_offer_a_refusal_and_the_rotation() -> None:
    pit = cardroom()
    view = bank_view(pit.table, None)
    assert view is not None
    assert (view.seat, view.offered_to, view.declined) == (None, 1, [])
    pit.do(DeclineBank(1), "ann")
    view = bank_view(pit.table, None)
    assert view is not None
    assert (view.offered_to, view.declined) == (2, [1])
    for number in (1, 2):
        pit.do(TakeBank(2, 10_000), "bob")
        view = bank_view(pit.table, None)
        assert view is not None
        assert (view.seat, view.wager_cents, view.rounds, view.rounds_max) == (2, 10_000, number, 2)
        assert view.offered_to is None
        pit.void("Misdeal")
    # After two rounds in a row the bank moves on (C.20).
    view = bank_view(pit.table, None)
    assert view is not None
    assert view.offered_to == 3


def test_collection_order_and_cover() -> None:
    pit = cardroom()
    pit.do(TakeBank(1, 4_000), "ann").bet("bob", "2.1", "ante 10").bet("cyd", "3.1", "ante 10")
    view = bank_view(pit.table, None)
    assert view is not None
    assert view.collection == {}
    pit.close()
    while play_on(pit):
        view = bank_view(pit.table, settlement_ahead(pit.table, pit.outside))
        assert view is not None
        assert view.cover == [], "nothing is settled while a card may be face down"
    assert pit.phase is Phase.READY
    ahead = settlement_ahead(pit.table, pit.outside)
    view = bank_view(pit.table, ahead)
    assert ahead is not None
    assert view is not None
    assert view.order == ["2.1", "3.1"]
    assert view.collection == dict(pit.table.dues)
    assert view.cover
    left = 4_000
    for line in view.cover:
        left -= line.used_cents
        assert line.left_cents == left >= 0
    assert left == ahead.cover_left_cents
    # Players follow the bank by what lies on the felt.
    for viewer, sees in ((DEALER, True), (Person(Role.PLAYER, "bob"), False)):
        seen = private_view(pit.table, viewer, wallet_cents=0, may=[], bank=view)
        assert (seen.bank is not None) is sees
