"""Drafts: what a batch would do, of which nothing is left when it is not written."""

from datetime import date
from fractions import Fraction

import pytest

from openfelt.cards import FULL_DECK
from openfelt.rules import CloseBets, Refusal, SetWagers, VoidRound
from openfelt.rules.house import DealerMode
from openfelt.runtime.links.drafted_link import DraftedLink
from openfelt.runtime.links.versioned_link import CausedLinkEvent, VersionedLink
from openfelt.runtime.tables.draft import Draft, DraftedEvent, RoundDecks
from openfelt.storage.door import Cause
from openfelt.table.changes import LinkChanged
from openfelt.table.commands import BuyIn, ChangeLink, Collect, Person, Role, TakeSeat
from openfelt.table.events import BoughtIn, Collected, DeckCommitted, SeatTaken
from openfelt.table.links.link_events import TableJoined
from openfelt.table.links.link_referee import JoinTable, OpenLink
from tests.kit.felt import spot_of, wagers_of
from tests.kit.floors import Desk, Shift
from tests.kit.tables import DEALER, FLOOR

ANN = Person(Role.PLAYER, "ann")
BOB = Person(Role.PLAYER, "bob")


BY_FLOOR = Cause(actor=str(FLOOR))


def draft_of(desk: Desk) -> Draft:
    """A draft of the table as it is."""
    worker_services = desk.shift.worker_services
    return Draft(
        desk.table,
        RoundDecks(desk.decks),
        store=worker_services.store,
        shuffler=worker_services.shuffler,
        links=worker_services.links,
        day=date(2026, 1, 1),
        people=worker_services.people,
    )


def test_a_draft_has_no_effect_until_it_is_written(shift: Shift) -> None:
    desk = shift.open_table("online")
    before, commits = desk.table, len(shift.store.commits)
    draft = draft_of(desk)
    draft.take(TakeSeat(1), ANN)
    assert draft.events == [DraftedEvent(SeatTaken(1, "ann"), (), Cause(actor="player:ann"))]
    assert draft.table.seats[1].player == "ann"
    assert desk.table == before
    assert len(shift.store.commits) == commits


def test_commands_see_the_effects_of_earlier_ones(shift: Shift) -> None:
    shift.cashier.deposit("ann", 1000, id="1")
    draft = draft_of(shift.open_table("online"))
    draft.take(TakeSeat(1), ANN)
    draft.take(BuyIn(1, 700), ANN)
    with pytest.raises(Refusal, match=r"Your wallet holds \$3\.00"):
        draft.take(BuyIn(1, 301), ANN)
    draft.take(BuyIn(1, 300), ANN)
    draft.take(Collect(1), ANN)
    draft.take(BuyIn(1, 1000), ANN)
    events = [one.event for one in draft.events[1:]]
    assert events == [BoughtIn(1, 700), BoughtIn(1, 300), Collected(1, 1000), BoughtIn(1, 1000)]
    assert draft.table.seats[1].credit_cents == 1000


def test_a_refused_command_leaves_the_draft_as_it_was(shift: Shift) -> None:
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL).sit("ann", 1, 500)
    draft = draft_of(desk)
    draft.take(SetWagers(spot_of("1.1"), wagers_of("ante 10")), ANN)
    kept = draft.table, draft.decks, draft.links, list(draft.events), list(draft.secrets)
    with pytest.raises(Refusal):
        draft.take(SetWagers(spot_of("1.2"), wagers_of("ante 9999")), ANN)
    with pytest.raises(Refusal):
        draft.take(CloseBets(), BOB)
    assert kept == (draft.table, draft.decks, draft.links, draft.events, draft.secrets)


def test_a_command_that_fails_leaves_the_draft_as_it_was(
    shift: Shift, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500)
    draft = draft_of(desk)

    def break_down(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("openfelt.runtime.tables.draft.go_on", break_down)
    with pytest.raises(ZeroDivisionError):
        draft.take(SetWagers(spot_of("1.1"), wagers_of("ante 10")), ANN)
    assert (draft.table, draft.events, draft.secrets) == (desk.table, [], [])
    assert draft.decks.decks == desk.decks


def test_every_deck_is_a_secret_that_the_record_commits_to(shift: Shift) -> None:
    desk = shift.open_table("stadium", mode=DealerMode.VIRTUAL).sit("ann", 3, 500)
    assert list(desk.table.commitments) == ["table", "seat-3"]
    draft = draft_of(desk)
    draft.take(SetWagers(spot_of("3.1"), wagers_of("ante 10")), ANN)
    assert not draft.secrets
    draft.take(VoidRound("misdeal"), FLOOR)
    assert [secret.name for secret in draft.secrets] == ["2/table", "2/seat-3"]
    committed = [one.event for one in draft.events if isinstance(one.event, DeckCommitted)]
    assert {one.deck: one.root for one in committed} == {
        name: deck.root for name, deck in draft.decks.decks.items()
    }
    assert all(sorted(deck.cards) == list(FULL_DECK) for deck in draft.decks.decks.values())
    table, own = (draft.decks.order(draft.table)[name] for name in ("table", "seat-3"))
    assert set(own).isdisjoint(table[:7])
    assert len(own) == 45


def test_the_decks_of_a_round_are_forgotten_when_it_is_over(shift: Shift) -> None:
    desk = shift.open_table("online").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    old = desk.decks
    draft = draft_of(desk)
    draft.take(VoidRound("misdeal"), FLOOR)
    assert draft.decks.decks.keys() == old.keys() == {"table"}
    assert draft.decks.decks["table"].round_id == "table-1/2"
    assert draft.decks.decks != old


# Links -----------------------------------------------------------------------------------------


def opened(shift: Shift, link: str) -> VersionedLink:
    """A new link."""
    rates = OpenLink(link=link, contribution=Fraction(1, 4), seed_cents=100)
    shift.worker_services.links.command(link, rates)
    return shift.worker_services.links.get(link)


def test_a_link_is_drafted_beside_its_table(shift: Shift) -> None:
    before = opened(shift, "main")
    draft = draft_of(shift.open_table("washington"))
    draft.take(ChangeLink("main"), FLOOR)
    assert draft.events == [DraftedEvent(LinkChanged("main"), (), BY_FLOOR)]
    drafted = draft.links["main"]
    assert (drafted.before, drafted.events) == (
        before,
        (CausedLinkEvent(TableJoined("table-1"), BY_FLOOR),),
    )
    assert drafted.link is not None
    assert drafted.link.tables == {"table-1"}
    assert shift.worker_services.links.get("main") == before


def test_a_table_that_changes_its_link_twice_in_a_draft(shift: Shift) -> None:
    opened(shift, "main")
    opened(shift, "other")
    draft = draft_of(shift.open_table("washington"))
    draft.take(ChangeLink("main"), FLOOR)
    draft.take(ChangeLink("other"), FLOOR)
    names = {
        link: [type(added.event).__name__ for added in drafted.events]
        for link, drafted in draft.links.items()
    }
    assert names == {"main": ["TableJoined", "TableLeft"], "other": ["TableJoined"]}


def test_a_refused_change_of_link_leaves_both_links_as_they_were(shift: Shift) -> None:
    opened(shift, "main")
    draft = draft_of(shift.open_table("washington", link="main"))
    with pytest.raises(Refusal, match="There is no such link"):
        draft.take(ChangeLink("nowhere"), FLOOR)
    assert draft.links == {}
    assert draft.table.link == "main"
    with pytest.raises(Refusal):
        draft.take(ChangeLink(None), DEALER)


def test_what_a_link_refuses_leaves_its_draft_as_it_was(shift: Shift) -> None:
    before = opened(shift, "main")
    drafted = DraftedLink(before, before.link).after(JoinTable("table-1"), BY_FLOOR)
    with pytest.raises(Refusal, match="already feeds the link main"):
        drafted.after(JoinTable("table-1"), BY_FLOOR)
    assert drafted.events == (CausedLinkEvent(TableJoined("table-1"), BY_FLOOR),)
