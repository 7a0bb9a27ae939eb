"""What a store encrypts, with which key, and what it does where the key is missing."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.storage import NewEvent, NewSecret, Store
from openfelt.storage.addresses import open_store
from openfelt.storage.door import (
    Conflict,
    Damaged,
    KeyLost,
    KeyMissing,
    Purged,
    Snapshot,
    StoreError,
)
from openfelt.storage.keyring import Keyring
from openfelt.storage.secrecy.envelopes import Envelope
from tests.kit.storage.store_places import SYSTEM_CAUSE, Place, event, write

CARDS = '{"place":["hand","1.1",1],"card":"As"}'
KEY = "key/1"


def deck(name: str, body: str = CARDS, *, packed: bool = False) -> NewSecret:
    """A secret that is encrypted."""
    return NewSecret(name=name, body=body, encrypted=True, packed=packed)


def hidden(card: str = "As", *, key: str = KEY) -> NewEvent:
    """An event of which a part is encrypted."""
    return NewEvent(
        name="card_dealt",
        schema=1,
        body='{"place":["hand","1.1",1]}',
        cause=SYSTEM_CAUSE,
        hidden=f'{{"card":"{card}"}}',
        key=key,
    )


def raw(place: Place) -> str:
    """All that is stored of secrets, events and snapshots."""
    return repr([place.run(f"SELECT * FROM {table}") for table in ("secrets", "events")]) + repr(
        place.run("SELECT * FROM snapshots")
    )


def test_secrets_events_and_snapshots_are_encrypted_and_come_back(
    store: Store, place: Place
) -> None:
    write(
        store,
        "table/a",
        0,
        event(),
        hidden(),
        secrets=(deck("1/table"), deck("1/proofs", CARDS * 9, packed=True)),
        snapshot=CARDS,
        snapshot_key=KEY,
    )
    assert '"As"' not in raw(place)
    assert store.secrets("table/a", "1/") == {"1/table": CARDS, "1/proofs": CARDS * 9}
    plain, encrypted = store.events("table/a")
    assert plain.plain_body == plain.open_body == "{}"
    assert encrypted.plain_body == '{"card":"As","place":["hand","1.1",1]}'
    assert encrypted.open_body == '{"place":["hand","1.1",1]}'
    assert encrypted.body.startswith('{"sealed":"key/1:')
    snapshot = store.snapshot("table/a")
    assert snapshot is not None
    assert snapshot.body == CARDS
    assert store.secret_names("table/a", "1/p") == ("1/proofs",)
    assert store.encryption_keys() == ("00c0ffee",)
    assert store.missing_keys() == ()


def test_what_need_not_be_hidden_is_not_encrypted(store: Store, place: Place) -> None:
    write(store, "account/a", 0, event(), secrets=(NewSecret(name="p", body="hash"),))
    assert place.run("SELECT body, key FROM secrets") == [("hash", "")]
    assert store.encryption_keys() == ()


def test_an_encrypted_event_belongs_to_its_place_in_its_stream(store: Store, place: Place) -> None:
    write(store, "a", 0, hidden(), hidden("2c"))
    place.run(
        "UPDATE events SET body = (SELECT body FROM events WHERE stream = 'a' AND version = 1)"
        " WHERE version = 2"
    )
    _, moved = store.events("a")
    with pytest.raises(Damaged, match="not what was encrypted"):
        moved.plain_body  # noqa: B018 (reading it opens the encrypt)


def test_without_the_key_nothing_opens_and_nothing_is_encrypted_with_another(
    store: Store, place: Place, tmp_path: Path
) -> None:
    write(
        store,
        "a",
        0,
        hidden(),
        secrets=(deck("1/table"),),
        snapshot=CARDS,
        snapshot_key=KEY,
    )
    thief = open_store(str(place.address), keyring=Keyring(tmp_path / "thief.keys"))
    (stored,) = thief.events("a")
    for attempt in (
        lambda: stored.plain_body,
        lambda: thief.secrets("a"),
        lambda: thief.snapshot("a"),
        lambda: write(thief, "a", 1, hidden()),
        lambda: write(thief, "a", 1, event()),
        lambda: list(thief.record("a")),
        lambda: thief.reencrypt("a"),
        thief.prepare_keys,
    ):
        with pytest.raises(KeyMissing):
            attempt()
    assert thief.missing_keys() == ("00c0ffee",)
    assert thief.secret_names("a") == ("1/table", KEY)
    thief.close()


def test_secrets_are_removed_with_the_event_that_says_so(store: Store) -> None:
    write(store, "a", 0, event(), secrets=(deck("1/table"), deck("2/table")))
    write(store, "b", 0, event(), removed_secrets=(("a", "1/table"),), secrets=(deck("1/kept"),))
    assert store.secret_names("a") == ("2/table",)
    assert store.secret_names("b") == ("1/kept",)
    store.scrub()
    store.scrub(thoroughly=True)
    assert store.secrets("a") == {"2/table": CARDS}


def test_without_its_data_key_an_event_tells_the_rest_for_good(store: Store, place: Place) -> None:
    write(store, "a", 0, hidden(), hidden("2c", key="key/2"), snapshot=CARDS, snapshot_key=KEY)
    before = [event.body for event in store.events("a")]
    kept = store.snapshot("a")
    assert kept is not None
    snapshot = replace(kept, body='{"stripped":true}')
    write(
        store, "b", 0, event(), removed_secrets=(("a", KEY),), stripped_snapshots=(("a", snapshot),)
    )
    first, second = store.events("a")
    assert [event.body for event in (first, second)] == before
    with pytest.raises(Purged):
        first.plain_body  # noqa: B018 (reading it decrypts it)
    assert first.open_body == '{"place":["hand","1.1",1]}'
    assert '"2c"' in second.plain_body
    stripped = store.snapshot("a")
    assert stripped is not None
    assert stripped.body == '{"stripped":true}'
    # A snapshot of another version, which a worker has written meanwhile, is left alone.
    older = Snapshot(version=1, at_ms=0, body="{}")
    write(store, "b", 1, event(), stripped_snapshots=(("a", older),))
    assert store.snapshot("a") == stripped


def test_an_event_that_hides_something_needs_a_data_key(store: Store) -> None:
    with pytest.raises(StoreError, match="names no data key"):
        write(store, "a", 0, hidden(key=""))


def test_a_commit_that_fails_leaves_no_data_key(store: Store) -> None:
    write(store, "a", 0, event())
    with pytest.raises(Conflict):
        write(store, "a", 0, hidden())
    assert store.secret_names("a") == ()
    write(store, "a", 1, hidden())
    *_, stored = store.events("a")
    assert '"As"' in stored.plain_body


def test_what_a_lost_key_has_encrypted_is_told_from_what_is_missing(
    store: Store, place: Place, tmp_path: Path
) -> None:
    write(store, "table/a", 0, hidden(), secrets=(deck("1/table"),))
    assert store.secrets_under("00c0ffee") == {"table/a": ("1/table", KEY)}
    assert store.secrets_under("00c0ffee", "purge/") == {}
    other = open_store(str(place.address), keyring=Keyring(tmp_path / "other.keys"))
    assert other.missing_keys() == ("00c0ffee",)
    write(other, "lost_key/00c0ffee", 0, event())
    assert other.lost_keys() == ("00c0ffee",)
    assert other.missing_keys() == ()
    other.prepare_keys()
    (stored,) = other.events("table/a")
    for attempt in (lambda: stored.plain_body, lambda: other.secrets("table/a")):
        with pytest.raises(KeyLost, match="00c0ffee, which was declared lost"):
            attempt()
    # Nothing is forgotten, and what is new has a new key.
    assert other.reencrypt("") == 0
    write(other, "table/a", 1, hidden("2c", key="key/2"))
    *_, new = other.events("table/a")
    assert '"2c"' in new.plain_body
    assert other.secret_names("table/a") == ("1/table", "key/1", "key/2")
    assert store.secrets("table/a", "1/") == {"1/table": CARDS}
    other.close()


@pytest.mark.parametrize("code", ["", "deadbeef:00", f"00c0ffee:{'0' * 64}"])
def test_no_row_of_a_forger_makes_a_key_count_as_lost(
    store: Store, place: Place, tmp_path: Path, code: str
) -> None:
    write(store, "table/a", 0, hidden(), secrets=(deck("1/table"),))
    place.run(
        "INSERT INTO streams (name, version, hash, at_ms, code)"
        f" VALUES ('lost_key/00c0ffee', 1, '{'0' * 64}', 5, '{code}')"
    )
    assert store.lost_keys() == ()
    other = open_store(str(place.address), keyring=Keyring(tmp_path / "other.keys"))
    assert other.lost_keys() == ()
    assert other.missing_keys() == ("00c0ffee",)
    with pytest.raises(KeyMissing):
        other.secrets("table/a")
    other.close()


def test_events_of_an_earlier_version_name_the_key_that_they_need(
    store: Store, place: Place
) -> None:
    write(store, "a", 0, hidden(), event())
    assert store.keys_of_events() == ()
    body = Keyring.of(os.environ).encrypt("a", "event/2", CARDS)
    place.run(
        f"UPDATE events SET body = '{Envelope(*body).to_json()}' WHERE stream = 'a' AND version = 2"
    )
    assert store.keys_of_events() == ("00c0ffee",)
    _, old = store.events("a")
    assert old.plain_body == CARDS


def test_secrets_are_encrypted_again_with_a_new_key(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENFELT_KEYS")
    keyring = Keyring(tmp_path / "some.keys")
    store = open_store(str(place.address), keyring=keyring)
    names = [f"{number}/table" for number in range(600)]
    plain = NewSecret(name="plain", body=CARDS)
    write(store, "table/a", 0, secrets=(*map(deck, names), plain))
    write(store, "other", 0, secrets=(plain,))
    first = keyring.ids[0]
    assert store.reencrypt("table/", plain=True) == 1
    assert store.reencrypt("table/", plain=True) == 0
    second = keyring.rotate()
    assert store.encryption_keys() == (first,)
    done = []
    while reencrypted := store.reencrypt("table/"):
        done.append(reencrypted)
    assert sum(done) == 601
    assert len(done) > 1
    assert store.encryption_keys() == (second,)
    assert set(store.secrets("table/a").values()) == {CARDS}
    assert place.run("SELECT key FROM secrets WHERE stream = 'other'") == [("",)]
    write(store, "account/a", 0, event(), secrets=(deck("totp/1"), NewSecret(name="p", body="h")))
    keyring.rotate()
    while store.reencrypt(""):
        pass
    assert store.encryption_keys() == (keyring.ids[-1],)
    assert store.secrets("account/a") == {"totp/1": CARDS, "p": "h"}
    assert place.run("SELECT key FROM secrets WHERE name = 'p'") == [("",)]
    store.close()


def test_old_refusals_are_removed_and_accepted_answers_stay(store: Store, place: Place) -> None:
    rows = ", ".join(
        f"('a', 'ann', '{number:04}', 'd', '{{\"version\":1{refused}}}')"
        for number in range(1203)
        for refused in (',"refused":"x","sentence":"y"' if number % 3 else "",)
    )
    place.run(f"INSERT INTO answers (stream, actor, command, digest, body) VALUES {rows}")
    after, pages = ("", "", ""), 0
    while (end := store.forget_old_refusals(after)) is not None:
        after, pages = end, pages + 1
    assert pages == 2
    assert place.run("SELECT count(*) FROM answers") == [(401,)]
    assert store.forget_old_refusals(("", "", "")) is None


def test_keys_of_the_environment_are_the_default(store: Store) -> None:
    write(store, "a", 0, secrets=(deck("1"),))
    assert store.encryption_keys() == Keyring.of(os.environ).ids
