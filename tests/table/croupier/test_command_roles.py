"""The table of commands; tests/attacks/test_permissions.py tries it on a real server."""

from typing import get_args

from openfelt.cards import Card
from openfelt.rules.referee import Action, DealCard
from openfelt.table.commands import ChangeDealer, OpenBets, Person, Role, TableCommand
from openfelt.table.croupier.command_roles import COMMAND_ROLES
from openfelt.table.refusal import TableCode
from tests.kit.tables import DEALER, Pit

READER = Person(Role.READER, "0123456789abcdef")


def test_every_command_has_a_line_and_every_line_a_command() -> None:
    assert COMMAND_ROLES.keys() == {*get_args(TableCommand), *get_args(Action)}


def test_a_card_reader_sends_cards_only_while_a_dealer_is_signed_on() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close()
    pit.do(DealCard(Card.parse("As")), READER)
    pit.do(ChangeDealer(None), DEALER)
    pit.refuses(DealCard(Card.parse("Kd")), READER, TableCode.NOT_SIGNED_ON)
    pit.refuses(ChangeDealer("dan"), READER, TableCode.NOT_ALLOWED)
