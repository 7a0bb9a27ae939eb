"""Rounds played again: settlements, cards, decks and rules."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.rules.round_events import RoundVoided
from openfelt.rules.settlement import void_settlement
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.rounds import _voided
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.storage.sqlite import SqliteStore
from openfelt.table.void_reasons import void_unfinished
from tests.kit.audit import forgeries
from tests.kit.audit.audited_floors import change
from tests.kit.audit.audits import (
    ARENA,
    CARD,
    NET,
    PUBLIC_KEY,
    WASH,
    after_change,
    findings_text,
    places,
)
from tests.kit.audit.forgeries import (
    Connection,
    rewrite,
    secret_of,
    set_secret,
    version_of,
)
from tests.kit.tables import Pit


@pytest.mark.parametrize("stream", [WASH, NET, CARD, ARENA, "table/draw-1"])
def test_a_settlement_forged_with_everything_around_it_is_settled_again(
    copy: Path, stream: str
) -> None:
    versions = []
    change(copy / "floor.db", lambda db: versions.append(forgeries.pay_more(db, stream, 100)))
    with closing(SqliteStore(copy / "floor.db")) as store:
        report = audit(store, public_keys=(PUBLIC_KEY,))
    forged = [one for one in report.findings if "not what the rules give" in one.sentence]
    assert [(one.where, one.version) for one in forged] == [(stream, versions[0])]
    assert "paid $" in forged[0].expected
    # The new chain is not the one that the notary has signed.
    assert "has been replaced" in findings_text(report)
    assert {one.where for one in report.findings if one.where.startswith("table/")} == {stream}


def test_a_void_that_keeps_a_wager(copy: Path) -> None:
    def forge(db: Connection) -> None:
        version = version_of(db, NET, "round_voided")

        def keep(body: dict[str, dict[str, list[dict[str, int]]]]) -> None:
            body["settlement"]["lines"][0]["returned_cents"] -= 100

        rewrite(db, NET, version, keep)

    report = after_change(copy, forge)
    assert "The void round does not return every wager." in findings_text(report)


@pytest.mark.parametrize(
    ("clause", "faults"), [("O.unfinished", 0), ("O.malfunction", 0), ("O.10", 1)]
)
def test_a_round_that_was_left_is_void_by_its_clause_or_in_old_records_by_that_of_all_voids(
    clause: str, faults: int
) -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    (event,) = void_unfinished(pit.round, 30)
    assert isinstance(event, RoundVoided)
    event = replace(event, settlement=void_settlement(pit.round, clause=clause))
    assert len(list(_voided(pit.round, event))) == faults


@pytest.mark.parametrize("stream", [NET, ARENA])
def test_a_card_that_is_not_from_its_deck(copy: Path, stream: str) -> None:
    versions: list[int] = []

    def forge(db: Connection) -> None:
        one, other = (version_of(db, stream, "card_dealt", nth) for nth in (1, 2))
        first, second = (forgeries.body_of(db, stream, at) for at in (one, other))
        first["card"], second["card"] = second["card"], first["card"]
        forgeries.set_body(db, stream, one, first)
        forgeries.set_body(db, stream, other, second)
        forgeries.rehash(db, stream)
        versions.extend((one, other))

    report = after_change(copy, forge)
    assert {(stream, version) for version in versions} <= places(report)
    assert "does not come from the deck" in findings_text(report)
    # No finding names a card.
    words = [one.expected + one.found for one in report.findings if "deck" in one.sentence]
    assert set(words) == {"the next card of the deckanother card"}


def test_a_live_card_dealt_twice(copy: Path) -> None:
    def forge(db: Connection) -> None:
        one, other = (version_of(db, WASH, "card_dealt", nth) for nth in (1, 2))
        card = forgeries.body_of(db, WASH, one)["card"]
        rewrite(db, WASH, other, lambda body: body.update(card=card))

    assert "a card was dealt twice" in findings_text(after_change(copy, forge))


def test_a_secret_deck_exchanged_for_that_of_another_round(copy: Path) -> None:
    def forge(db: Connection) -> None:
        set_secret(db, NET, "1/table", secret_of(db, NET, "2/table"))

    report = after_change(copy, forge)
    assert "The deck table of net-1/1 is not the one committed to." in findings_text(report)
    assert {where for where, _ in places(report)} == {NET}


def test_a_secret_deck_in_another_order_has_another_root(copy: Path) -> None:
    def forge(db: Connection) -> None:
        deck = SecretDeck.from_json(secret_of(db, NET, "1/table"))
        turned = SecretDeck.of(deck.round_id, deck.deck, deck.cards[::-1], deck.key)
        set_secret(db, NET, "1/table", turned.to_json())

    assert "The deck table of net-1/1 is not the one committed to." in findings_text(
        after_change(copy, forge)
    )


def test_a_deck_forged_with_its_commitment_has_not_dealt_the_cards(copy: Path) -> None:
    def forge(db: Connection) -> None:
        deck = SecretDeck.from_json(secret_of(db, NET, "1/table"))
        turned = SecretDeck.of(deck.round_id, deck.deck, deck.cards[::-1], deck.key)
        set_secret(db, NET, "1/table", turned.to_json())
        committed = version_of(db, NET, "deck_committed")
        rewrite(db, NET, committed, lambda body: body.update(root=turned.root))

    assert "does not come from the deck table" in findings_text(after_change(copy, forge))


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM secrets WHERE name = '1/table' AND stream = 'table/net-1'", "is missing"),
        (
            "UPDATE secrets SET body = '{}' WHERE name = '1/table' AND stream = 'table/net-1'",
            "A deck of net-1/1 cannot be opened. Expected: an encrypted deck. Found: something",
        ),
        (
            "UPDATE secrets SET key = 'deadbeef' WHERE name = '1/table' AND stream = 'table/net-1'",
            "encrypted with the key deadbeef, which is not here",
        ),
        (
            "UPDATE secrets SET body = '{}', key = '' WHERE stream || name = 'table/net-11/table'",
            "secret deck",
        ),
        (
            "INSERT INTO secrets VALUES ('table/net-1', '1/seat-4', '{}', '')",
            "There is no commitment to the deck seat-4 of net-1/1",
        ),
        (
            "DELETE FROM secrets WHERE name = '1/seat-7' AND stream = 'table/arena-1'",
            "The deck seat-7 of arena-1/1 is missing",
        ),
    ],
)
def test_changed_secret_decks(copy: Path, statement: str, words: str) -> None:
    assert words in findings_text(after_change(copy, lambda db: db.execute(statement)))


def test_a_commitment_after_the_bets_closed(copy: Path) -> None:
    def forge(db: Connection) -> None:
        committed = version_of(db, NET, "deck_committed")
        closed = version_of(db, NET, "bets_closed")
        for version in range(committed, closed):
            forgeries.exchange_versions(db, NET, version, version + 1)
        forgeries.rehash(db, NET)

    report = after_change(copy, forge)
    assert "Bets of round net-1/1 closed without a commitment to the deck table." in findings_text(
        report
    )
    assert "The deck table of net-1/1 was committed to after bets closed." in findings_text(report)


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ({"number": 7}, "A round opens out of turn. Expected: round 1. Found: round 7."),
        ({"fingerprint": "f" * 64}, "Round 1 opens under rules that are not the table's."),
    ],
)
def test_a_round_that_opens_wrongly(copy: Path, edit: dict[str, object], words: str) -> None:
    def forge(db: Connection) -> None:
        rewrite(db, NET, version_of(db, NET, "round_opened"), lambda body: body.update(edit))

    assert words in findings_text(after_change(copy, forge))


def test_a_changed_rule_set_is_noticed_at_the_tables_that_play_by_it(copy: Path) -> None:
    report = after_change(
        copy,
        lambda db: db.execute(
            "UPDATE rule_sets SET body = replace(body, '\"seats\":1', '\"seats\":2')"
            " WHERE house = 'online'"
        ),
    )
    assert places(report) == {("rule_sets", None), (NET, 1)}
    assert "of online has been changed" in findings_text(report)
    # A table that cannot be replayed has no say about the accounts.
    assert not [one for one in report.findings if one.where.startswith("credit:")]


def test_a_missing_rule_set(copy: Path) -> None:
    report = after_change(
        copy, lambda db: db.execute("DELETE FROM rule_sets WHERE house = 'washington'")
    )
    assert places(report) == {("table/wash-1", 1), ("table/wash-2", 1)}
    assert "there is no rule set" in findings_text(report)
