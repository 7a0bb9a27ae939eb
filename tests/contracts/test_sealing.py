"""What a store seals, with which key, and what it does where the key is missing."""

import os
from pathlib import Path

import pytest

from openfelt.storage import NewEvent, NewSecret, Store
from openfelt.storage.door import Damaged, KeyMissing
from openfelt.storage.keyring import Keyring
from openfelt.storage.opening import open_store
from tests.kit.storage.store_places import SYSTEM_CAUSE, Place, event, write

CARDS = '{"place":["hand","1.1",1],"card":"As"}'


def deck(name: str, body: str = CARDS, *, packed: bool = False) -> NewSecret:
    """A secret that is sealed."""
    return NewSecret(name=name, body=body, sealed=True, packed=packed)


def hidden(body: str = CARDS) -> NewEvent:
    """An event that is sealed."""
    return NewEvent(name="card_dealt", schema=1, body=body, cause=SYSTEM_CAUSE, hidden=True)


def raw(place: Place) -> str:
    """All that is stored of secrets, events and snapshots."""
    return repr([place.run(f"SELECT * FROM {table}") for table in ("secrets", "events")]) + repr(
        place.run("SELECT * FROM snapshots")
    )


def test_secrets_events_and_snapshots_are_sealed_and_come_back(store: Store, place: Place) -> None:
    write(
        store,
        "table/a",
        0,
        event(),
        hidden(),
        secrets=(deck("1/table"), deck("1/proofs", CARDS * 9, packed=True)),
        snapshot=CARDS,
        snapshot_hidden=True,
    )
    assert '"As"' not in raw(place)
    assert store.secrets("table/a") == {"1/table": CARDS, "1/proofs": CARDS * 9}
    plain, sealed = store.events("table/a")
    assert (plain.plain_body, sealed.plain_body) == ("{}", CARDS)
    assert sealed.body.startswith('{"sealed":"00c0ffee:')
    snapshot = store.snapshot("table/a")
    assert snapshot is not None
    assert snapshot.body == CARDS
    assert store.secret_names("table/a", "1/p") == ("1/proofs",)
    assert store.sealing_keys() == ("00c0ffee",)
    assert store.missing_keys() == ()


def test_what_need_not_be_hidden_is_not_sealed(store: Store, place: Place) -> None:
    write(store, "account/a", 0, event(), secrets=(NewSecret(name="p", body="hash"),))
    assert place.run("SELECT body, key FROM secrets") == [("hash", "")]
    assert store.sealing_keys() == ()


def test_a_sealed_event_belongs_to_its_place_in_its_stream(store: Store, place: Place) -> None:
    write(store, "a", 0, hidden(), hidden('{"card":"2c"}'))
    place.run(
        "UPDATE events SET body = (SELECT body FROM events WHERE version = 1) WHERE version = 2"
    )
    _, moved = store.events("a")
    with pytest.raises(Damaged, match="not what was sealed"):
        moved.plain_body  # noqa: B018 (reading it opens the seal)


def test_without_the_key_nothing_opens_and_nothing_is_sealed_with_another(
    store: Store, place: Place, tmp_path: Path
) -> None:
    write(
        store,
        "a",
        0,
        hidden(),
        secrets=(deck("1/table"),),
        snapshot=CARDS,
        snapshot_hidden=True,
    )
    thief = open_store(str(place.address), keyring=Keyring(tmp_path / "thief.keys"))
    (stored,) = thief.events("a")
    for attempt in (
        lambda: stored.plain_body,
        lambda: thief.secrets("a"),
        lambda: thief.snapshot("a"),
        lambda: write(thief, "a", 1, hidden()),
        lambda: thief.reseal("a"),
        thief.prepare_seal,
    ):
        with pytest.raises(KeyMissing):
            attempt()
    assert thief.missing_keys() == ("00c0ffee",)
    assert thief.secret_names("a") == ("1/table",)
    write(thief, "a", 1, event())
    thief.close()


def test_secrets_are_removed_with_the_event_that_says_so(store: Store) -> None:
    write(store, "a", 0, event(), secrets=(deck("1/table"), deck("2/table")))
    write(store, "b", 0, event(), removed_secrets=(("a", "1/table"),), secrets=(deck("1/kept"),))
    assert store.secret_names("a") == ("2/table",)
    assert store.secret_names("b") == ("1/kept",)
    store.scrub()
    store.scrub(thoroughly=True)
    assert store.secrets("a") == {"2/table": CARDS}


def test_secrets_are_sealed_again_with_a_new_key(
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
    assert store.reseal("table/", unsealed_only=True) == 1
    assert store.reseal("table/", unsealed_only=True) == 0
    second = keyring.rotate()
    assert store.sealing_keys() == (first,)
    done = []
    while resealed := store.reseal("table/"):
        done.append(resealed)
    assert sum(done) == 601
    assert len(done) > 1
    assert store.sealing_keys() == (second,)
    assert set(store.secrets("table/a").values()) == {CARDS}
    assert place.run("SELECT key FROM secrets WHERE stream = 'other'") == [("",)]
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
    assert store.sealing_keys() == Keyring.of(os.environ).ids
