"""Databases to tamper with: a played house, signed and published, with a row of every kind."""

import itertools
import shutil
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pyotp
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.cards import Card, parse_cards
from openfelt.ledger.play_limits import LimitKind, LimitPeriod, LimitSide
from openfelt.ledger.trays import SlipKind, TrayMoment
from openfelt.rules import Bet, CloseBets, Confirm, DealCard, MakeDecision, Spot, TurnCards
from openfelt.rules.dealing import Turn
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.runtime.archive.archive_moves import archive_history
from openfelt.runtime.audit import audit
from openfelt.runtime.audit.report import AuditReport
from openfelt.runtime.cage.days.day_closings import DayClosings
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.cage.tray_rules import Signer, TrayRole
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import DAY_MS
from openfelt.runtime.links import links
from openfelt.runtime.notary import Notary
from openfelt.runtime.notary.keys import public_key_of, read_public_key
from openfelt.runtime.rounds.purge import Purge
from openfelt.runtime.rounds.record import RoundReader
from openfelt.runtime.shipment.shipper import Shipper
from openfelt.runtime.tables.recovery import snapshots
from openfelt.server.accounts import accounts
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.supervision.alert_book import Condition
from openfelt.storage.addresses import open_store
from openfelt.table.commands import (
    ApproveAdjustment,
    ChangeDealer,
    CountStub,
    DeclareIrregularity,
    HandOver,
    OpenBets,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    Role,
    TableCommand,
)
from tests.kit.audit.old_floors import old_floor
from tests.kit.floors import StandingClock
from tests.kit.repository import ROOT
from tests.kit.server.dealers_terminals import badge, dealers_terminal, live_table
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house
from tests.kit.storage.store_places import Place

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OLD = ROOT / "tests" / "old_databases" / "v0.1.0" / "felt.db"
PUBLISHED = "published.checkpoints"


@dataclass(frozen=True, slots=True)
class House:
    """A database and the file to which its checkpoints were published."""

    database: str
    published: Path
    public_key: str = public_key_of(KEY)
    """The key of the notary that signed them."""

    def audited(self) -> AuditReport:
        """The audit that an operator would run."""
        with closing(open_store(self.database)) as store:
            return audit(
                store,
                public_keys=[self.public_key],
                published=self.published,
                others=ACCOUNT_AUDITS,
            )


OLD_ANSWERS = (
    "INSERT INTO answers (stream, actor, command, digest, body) VALUES"
    f""" ('table/draw-1', 'player:bob', 'first', '{"0" * 64}', '{{"version":0}}'),"""
    f""" ('wallet/bob', 'cashier', 'second', '{"1" * 64}', '{{"version":0}}')"""
)
"""Answers as an earlier version wrote them."""


async def played_house(folder: Path, place: Place) -> House:
    """A house with accounts, rounds at several tables, a link, a pit with dealers and readers, a
    cage, limits, alerts, a dispute, a shipment, closed days, a purge, snapshots and old answers.

    The place must be an empty database.
    """
    database = str(place.address)
    open_store(database).close()
    place.run(OLD_ANSWERS)
    clock = StandingClock()
    published = folder / PUBLISHED
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshots, "SNAPSHOT_EVERY", 25)
        patch.setattr(links, "LINK_SNAPSHOT_EVERY", 2)
        patch.setattr(accounts, "SNAPSHOT_EVERY", 3)
        async with open_house(folder, database=database, clock=clock) as house:
            notary = Notary(house.services.store, KEY, clock, published=published)
            await _pit(house)
            await _accounts(house)
            await _rounds(house)
            await _live_rounds(house)
            _money(house)
            _control(house)
            notary.sign()
            # A segment contains what a checkpoint has signed, and is itself recorded.
            (folder / "copy").mkdir()
            Shipper(house.services.store, folder / "copy", KEY, clock).ship()
            clock.pass_ms(91 * DAY_MS)
            store, codec = house.services.store, house.services.floor.worker_services.codec
            purge = Purge(store, codec, RoundReader(store), clock)
            assert purge.step("draw-1", keep_days=90)
            await house.bet("draw-1", 1)
            DayClosings(store).close_due(clock)
            TakingsBook(store).count_due(clock)
            notary.sign()
    return House(database, published)


async def old_house(folder: Path) -> House:
    """A copy of a database of version 0.1, played on by this version: it has old answers."""
    path = folder / "old.db"
    shutil.copyfile(OLD, path)
    published = folder / PUBLISHED
    clock = StandingClock()
    with pytest.MonkeyPatch.context() as patch:
        # The same kit wrote the old database, and its store still remembers those command ids.
        patch.setattr("tests.kit.server.open_house._IDS", itertools.count(1_000_000))
        async with open_house(folder, database=str(path), clock=clock) as house:
            await house.bet("stadium-1", 1, 2)
            await house.play("stadium-1")
    shutil.copyfile(f"{OLD}.notary.key.checkpoints", published)
    return House(str(path), published, read_public_key(Path(f"{OLD}.notary.key.pub")))


def archived_house(folder: Path) -> House:
    """A house whose old history is in an archive."""
    path, published = folder / "archived.db", folder / PUBLISHED
    with pytest.MonkeyPatch.context() as patch:
        floor = old_floor(path, patch)
        archive_history(floor.store, str(path), folder / "archive", floor.clock, keep_days=30)
        Notary(floor.store, KEY, floor.clock, published=published).sign()
        floor.store.close()
    return House(str(path), published)


async def _accounts(house: OpenHouse) -> None:
    client = await house.guest()
    body = {"name": "ann", "password": PASSWORD}
    assert (await client.post("/api/v1/sign-up", json=body)).status_code < 300
    eve = await house.supervisor()
    secret = (await eve.post("/api/v1/second-factor", json={})).json()["secret"]
    code = pyotp.TOTP(secret).at(house.clock.wall_ms() // 1000)
    confirmed = await eve.post("/api/v1/second-factor/confirm", json={"code": code})
    assert confirmed.status_code == 200, confirmed.text
    house.services.devices.enrol("cabinet 7", by="supervisor")


async def _rounds(house: OpenHouse) -> None:
    cashier = house.services.floor.cashier
    for player in ("bob", "cat"):
        cashier.deposit(player, 1_000_000, id=f"first of {player}")
    cashier.withdraw("cat", 500, id="second of cat")
    await house.sit("draw-1", "bob", 1)
    for _ in range(2):
        await house.bet("draw-1", 1)
        await house.play("draw-1")
    await house.sit("washington-1", "cat", 1)
    await house.bet("washington-1", 1)
    await house.play("washington-1")
    await house.bet("washington-1", 1)
    await house.deal("washington-1")


LIVE = "live-1"
DEALER, RELIEF = Person(Role.DEALER, "dora"), Person(Role.DEALER, "dan")
FLOOR = Person(Role.FLOOR, "supervisor")


async def _pit(house: OpenHouse) -> None:
    """A live table with its terminal and its card reader, and two dealers with badges and PINs."""
    await live_table(house, LIVE)
    await dealers_terminal(house, LIVE)
    await badge(house, DEALER.name, "4711")
    await badge(house, RELIEF.name, "4712")
    house.services.readers.issue(LIVE, "shoe 1", by="supervisor")


async def _live_rounds(house: OpenHouse) -> None:
    """A round in which much goes wrong, its adjustments, and a second one that is handed over."""
    await house.do(LIVE, ChangeDealer(DEALER.name), DEALER)
    house.services.floor.cashier.deposit("liv", 1_000_000, id="first of liv")
    await house.do(LIVE, OpenBets(), DEALER)
    await house.sit(LIVE, "liv", 1)
    await house.bet(LIVE, 1)
    await _all(house, CloseBets(), ReopenBets(), CloseBets())
    face_up = DeclareIrregularity(Irregularity.CARD_FACE_UP, About.DECK, card=Card.parse("5d"))
    await _all(house, face_up, *map(DealCard, parse_cards("As Ah Kc Kd")))
    await house.do(LIVE, MakeDecision(Spot(1, 1), Bet(4)), "liv")
    await _all(house, *map(DealCard, parse_cards("Ac 7d 9h Js 3c")))
    while (playing := (await house.state(LIVE)).playing) and isinstance(playing.current_step, Turn):
        await _all(house, TurnCards())
    await _all(house, Confirm(), CountStub(42))
    for cents in (500, -100, 700):
        await _all(house, ProposeAdjustment(1, 1, cents, "Trips paid as a flush."))
    await house.do(LIVE, ApproveAdjustment(1), FLOOR)
    await house.do(LIVE, RejectAdjustment(2, "It was right."), FLOOR)
    await _all(house, OpenBets())
    await house.bet(LIVE, 1)
    await _all(house, CloseBets(), HandOver(RELIEF.name))


def _money(house: OpenHouse) -> None:
    """A drawer, vouchers, a tray with a fill, and a player with limits."""
    cage, limits = house.services.cage, house.services.floor.worker_services.people.limits
    cage.drawers.open("w1", {10_000: 20}, by="cal", id="float")
    cage.drawers.take_cash("w1", "bob", 5_000, by="cal", id="in")
    sold = cage.drawers.sell_voucher("w1", 2_000, by="cal", id="sold")
    cage.vouchers.redeem(sold.code or "", "bob", id="used")
    cage.vouchers.issue("bob", 700, id="open")
    dealer, cashier = Signer(DEALER.name, TrayRole.DEALER), Signer("cal", TrayRole.CHIP_BANK)
    floor, trays = Signer("supervisor", TrayRole.SUPERVISOR), cage.trays
    trays.count(LIVE, TrayMoment.OPENING, {10_000: 20}, by=dealer, id="count")
    trays.sign(LIVE, 1, by=floor, id="signed")
    trays.request(LIVE, SlipKind.FILL, {500: 20}, by=floor, id="asked")
    trays.give(LIVE, 1, by=cashier, id="given")
    trays.receive(LIVE, 1, by=dealer, id="received")
    for period in LimitPeriod:
        limits.set_limit(
            "bob",
            side=LimitSide.OWN,
            kind=LimitKind.LOSS,
            period=period,
            most=900_000,
            by="bob",
            id=f"limit {period}",
        )


def _control(house: OpenHouse) -> None:
    """Alerts, a checkpoint of the floor, and a dispute."""
    services = house.services
    services.watch.book.raise_new([Condition("idle", LIVE, 1), Condition("drop", "house/day", 1)])
    services.watch.book.see(1)
    services.watch.book.close(2, "A full house on Saturday.")
    services.checkpoints.keep(date(2026, 1, 1), {}, note="Before the break.")
    services.disputes.open(
        "draw-1", 1, note="The player says that it was a flush.", cause=SYSTEM_CAUSE
    )
    services.disputes.note(1, "Looked at it.")


async def _all(house: OpenHouse, *commands: TableCommand) -> None:
    """What the dealer does, with the supervisor at hand."""
    for command in commands:
        supervised = isinstance(command, ReopenBets | DeclareIrregularity)
        await house.do(LIVE, command, FLOOR if supervised else DEALER)
