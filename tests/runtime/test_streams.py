"""The names of streams."""

from collections.abc import Callable
from functools import partial

import pytest

from openfelt.runtime.streams import (
    SLIPS_STREAM,
    VOUCHER_KEYS_STREAM,
    StreamKind,
    account_stream,
    book_stream,
    dealer_stream,
    dispute_stream,
    drawer_stream,
    feed_stream,
    kind_of,
    limits_stream,
    link_stream,
    lost_key_stream,
    name_of,
    names_in,
    purge_stream,
    shipment_stream,
    table_stream,
    tray_stream,
    voucher_stream,
    wallet_stream,
)
from openfelt.storage.streams.time_corrections import CLOCK_STREAM
from tests.kit.floors import Shift

STREAMS: list[tuple[Callable[[str], str], StreamKind, str]] = [
    (table_stream, StreamKind.TABLE, "table/ann"),
    (link_stream, StreamKind.LINK, "link/ann"),
    (partial(feed_stream, "main"), StreamKind.FEED, "feed/main/ann"),
    (wallet_stream, StreamKind.WALLET, "wallet/ann"),
    (account_stream, StreamKind.ACCOUNT, "account/ann"),
    (dealer_stream, StreamKind.DEALER, "dealer/ann"),
    (purge_stream, StreamKind.PURGE, "purge/ann"),
    (lost_key_stream, StreamKind.LOST_KEY, "lost_key/ann"),
    (dispute_stream, StreamKind.DISPUTE, "dispute/ann"),
    (book_stream, StreamKind.BOOK, "book/ann"),
    (voucher_stream, StreamKind.VOUCHER, "voucher/ann"),
    (drawer_stream, StreamKind.DRAWER, "drawer/ann"),
    (tray_stream, StreamKind.TRAY, "tray/ann"),
    (limits_stream, StreamKind.LIMITS, "limits/ann"),
    (shipment_stream, StreamKind.SHIPMENT, "shipment/ann"),
]


@pytest.mark.parametrize(("make", "kind", "stream"), STREAMS)
def test_a_stream_name_says_its_kind_and_its_subject(
    make: Callable[[str], str], kind: StreamKind, stream: str
) -> None:
    # These names are in every database, so they are written out here.
    assert make("ann") == stream
    assert kind_of(stream) is kind
    assert name_of(stream) == ("main/ann" if kind is StreamKind.FEED else "ann")


def test_every_kind_has_its_function() -> None:
    single = (StreamKind.CLOCK, StreamKind.VOUCHER_KEYS, StreamKind.SLIPS, StreamKind.ALERT)
    named = [kind for kind in StreamKind if kind not in single]
    assert [kind for _, kind, _ in STREAMS] == named


def test_there_is_one_stream_of_corrections_of_the_keys_of_vouchers_and_of_slips() -> None:
    assert kind_of(SLIPS_STREAM) is StreamKind.SLIPS
    assert kind_of(CLOCK_STREAM) is StreamKind.CLOCK
    assert kind_of(VOUCHER_KEYS_STREAM) is StreamKind.VOUCHER_KEYS


@pytest.mark.parametrize("stream", ["health", "table", "tables/ann", "", "/ann"])
def test_other_names_are_of_no_known_kind(stream: str) -> None:
    assert kind_of(stream) is None


def test_the_names_of_one_kind_in_a_store(shift: Shift) -> None:
    assert names_in(shift.store, StreamKind.TABLE) == []
    shift.open_table("online", name="b-table")
    shift.open_table("online", name="a-table")
    assert names_in(shift.store, StreamKind.TABLE) == ["a-table", "b-table"]
    assert names_in(shift.store, StreamKind.LINK) == []
