"""Changes of a table by its supervisor: rules, clock and link, each from the next round on."""

from openfelt.rules.action_checks import check_reason
from openfelt.rules.house import DealerMode
from openfelt.rules.refusal import Refusal
from openfelt.table.changes import ClockChanged, LinkChangeAnnounced, LinkChanged, RulesChanged
from openfelt.table.commands import ChangeClock, ChangeLink, ChangeRules, Person, Role
from openfelt.table.croupier.supervision import check_link, checked_house, is_clock
from openfelt.table.permissions import Events, Outside, bad_table
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def change_rules(table: Table, command: ChangeRules, by: Person, _: Outside) -> Events:
    """Play by other rules or limits from the next round on."""
    _check_reason(command.reason)
    if by.role is Role.SYSTEM and table.opened.private_to is None:
        raise Refusal(
            TableCode.NOT_ALLOWED, "Only a supervisor may change the rules of this table."
        )
    house = checked_house(command.house)
    if house.game is not table.house.game:
        raise bad_table(f"This table plays {table.house.name}; open another table for {house.id}.")
    if house.bank.kind is not table.house.bank.kind or house.deck is not table.house.deck:
        raise bad_table("The bank and the deck of a table cannot be changed.")
    if house.dealer_mode not in (table.opened.dealer_mode, DealerMode.EITHER):
        raise bad_table(f"This table keeps its {table.opened.dealer_mode} dealer.")
    if any(seat > house.seats for seat in table.seats):
        raise bad_table(f"A player sits at a seat above {house.seats}.")
    if table.link_next is not None:
        check_link(house, table.link_next)
    return (RulesChanged(house, table.house.fingerprint, command.reason),)


def change_clock(table: Table, command: ChangeClock, _: Person, __: Outside) -> Events:
    """Change the clock from the next round on; a running clock is not affected."""
    check_reason(command.reason)
    if command.clock is not None and not is_clock(command.clock):
        raise bad_table("A clock must be between 1 second and 1 hour.")
    return (ClockChanged(command.clock, table.terms.clock_later, command.reason),)


def change_link(table: Table, command: ChangeLink, _: Person, __: Outside) -> Events:
    """Join another progressive link, or none: immediately between rounds, or after the round."""
    _check_reason(command.reason)
    check_link(table.house, command.link)
    if table.playing is None:
        return (LinkChanged(command.link, table.link, command.reason),)
    if not command.reason:
        raise Refusal(
            TableCode.ROUND_IN_PROGRESS, "A table can change its link only between rounds."
        )
    return (LinkChangeAnnounced(command.link, command.reason),)


def link_due(table: Table) -> Events:
    """The change of the link that was announced, once the round is over."""
    announced = table.terms.link_announced
    if announced is None:
        return ()
    return (LinkChanged(announced.link, table.link, announced.reason),)


def _check_reason(reason: object) -> None:
    """Programs may give none; the pages and endpoints of staff always do."""
    if reason != "":
        check_reason(reason)
