"""The table of commands; tests/attacks/test_permissions.py tries it on a real server."""

from datetime import date
from typing import get_args

import pytest

from openfelt.cards import Card
from openfelt.rules.refusal import Refusal
from openfelt.rules.round_actions import Action, DealCard
from openfelt.table.command_permissions import COMMAND_ROLES
from openfelt.table.commands import ChangeDealer, OpenBets, Person, Role, TableCommand
from openfelt.table.croupier.command_roles import check_role
from openfelt.table.croupier.permits import Permits
from openfelt.table.permissions import Outside
from openfelt.table.refusal import TableCode
from tests.kit.tables import DEALER, Pit

READER = Person(Role.READER, "0123456789abcdef")


def test_every_command_has_a_line_and_every_line_a_command() -> None:
    assert COMMAND_ROLES.keys() == {*get_args(TableCommand), *get_args(Action)}


def test_an_auditor_is_offered_nothing_and_told_so_in_good_english() -> None:
    pit, auditor = Pit("washington"), Person(Role.AUDITOR, "ada")
    assert Permits(pit.table, Outside(day=date(2026, 1, 1))).of(auditor) == []
    pit.refuses(OpenBets(), auditor, TableCode.NOT_ALLOWED)
    with pytest.raises(Refusal, match=r"An auditor may not do that\."):
        check_role(pit.table, OpenBets(), auditor)


def test_a_card_reader_sends_cards_only_while_a_dealer_is_signed_on() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close()
    pit.do(DealCard(Card.parse("As")), READER)
    pit.do(ChangeDealer(None), DEALER)
    pit.refuses(DealCard(Card.parse("Kd")), READER, TableCode.NOT_SIGNED_ON)
    pit.refuses(ChangeDealer("dan"), READER, TableCode.NOT_ALLOWED)
