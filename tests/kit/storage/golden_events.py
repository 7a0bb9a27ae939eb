"""What the golden events say. Each stands for everything that was ever stored in that form.

The files beside this module, ``old_events/<name>.<version>.json`` or, where one event can
look very different, ``old_events/<name>.<version>.<what>.json``, hold the text as it was
written. Neither a file nor what it says here may change, for databases hold such events: an
event whose form changes gets a higher version, an upcaster and a file more.
"""

from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from openfelt.cards import Card, parse_cards
from openfelt.catalog import load_house
from openfelt.ledger import drawers, play_limits, takings, trays, vouchers, wallet
from openfelt.ledger.day_close import DayClosed
from openfelt.ledger.table_play import TablePlay
from openfelt.record_events import alert_events, dispute_events
from openfelt.record_events.archive_events import HistoryArchived, HistoryReturned
from openfelt.record_events.floor_checkpoint_events import CheckpointFigures, FloorCheckpointed
from openfelt.record_events.lost_key_events import KeyDeclaredLost, UnsignedEnd
from openfelt.record_events.purge_events import DecksPurged, ProofsDropped
from openfelt.record_events.reading_events import ReadingKind, RecordRead
from openfelt.record_events.shipment_events import SegmentShipped
from openfelt.record_events.verification_events import RecordVerified
from openfelt.rules import round_events as rounds
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet, Check, DecidedBy, Fold, Hold
from openfelt.rules.house import ClockRule, DealerMode, Procedure
from openfelt.rules.irregularity_rules import About, Effect, Irregularity
from openfelt.rules.lines import Line, PaidBy, Result, Settlement
from openfelt.rules.paytable import Odds
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.storage.streams.time_corrections import ClockCorrected
from openfelt.table import changes, dealer_events, events, incidents
from openfelt.table.adjustments import Adjustment
from openfelt.table.links import link_events
from tests.kit.repository import ROOT

FOLDER = ROOT / "tests" / "storage" / "old_events"

HOUSE = replace(load_house("online"), fingerprint="0f" * 32)
"""A house that golden events name; its rules do not matter here."""

FIRST = Spot(1, 1)
LATER = Spot(17, 3)

WIN = Line(
    spot=FIRST,
    wager="blind",
    beneficiary=Beneficiary.PLAYER,
    stake_cents=1000,
    outcome="blind.win",
    result=Result.WIN,
    returned_cents=1000,
    payout_cents=1500,
    paid_by=PaidBy.BANK,
    clause="W.11e",
    because="Flush, ace high, pays 3 to 2.",
    odds=Odds(3, 2),
)
TIP = Line(
    spot=LATER,
    wager="ante",
    beneficiary=Beneficiary.DEALER,
    stake_cents=500,
    outcome="ante.push",
    result=Result.PUSH,
    returned_cents=500,
    payout_cents=0,
    paid_by=PaidBy.BANK,
    clause="W.11c",
    because="The dealer does not qualify.",
)
AWARD = Line(
    spot=LATER,
    wager="progressive",
    beneficiary=Beneficiary.PLAYER,
    stake_cents=100,
    outcome="progressive.win",
    result=Result.WIN,
    returned_cents=0,
    payout_cents=1_000_025,
    paid_by=PaidBy.LINK,
    clause="R.21",
    because="Royal flush wins 100% of the meter.",
)
BACK = Line(
    spot=FIRST,
    wager="trips",
    beneficiary=Beneficiary.PLAYER,
    stake_cents=500,
    outcome="void",
    result=Result.RETURNED,
    returned_cents=500,
    payout_cents=0,
    paid_by=PaidBy.BANK,
    clause="R.13",
    because="The round is void.",
    uncovered_cents=200,
)
CUT = Line(
    spot=FIRST,
    wager="trips",
    beneficiary=Beneficiary.PLAYER,
    stake_cents=10_000,
    outcome="trips.win",
    result=Result.WIN,
    returned_cents=10_000,
    payout_cents=250_000,
    paid_by=PaidBy.BANK,
    clause="W.11f",
    because="Four of a kind, nines pays 30 to 1.",
    odds=Odds(30),
    over_aggregate_cents=50_000,
)

GOLDEN: dict[str, Any] = {
    # A table.
    "table_opened.1": events.TableOpened(
        table="stadium-1",
        house=HOUSE,
        dealer_mode=DealerMode.VIRTUAL,
        clock=ClockRule(wager_seconds=25, decision_seconds=15),
        private_to="ann",
        link="main",
    ),
    "table_opened.1.plain": events.TableOpened(
        table="table-1",
        house=HOUSE,
        dealer_mode=DealerMode.LIVE,
        clock=None,
        private_to=None,
        link=None,
    ),
    "table_opened.1.reveal": events.TableOpened(
        table="table-1",
        house=HOUSE,
        dealer_mode=DealerMode.VIRTUAL,
        clock=ClockRule(wager_seconds=25, decision_seconds=15),
        private_to=None,
        link=None,
        reveal_ms=2000,
    ),
    "rules_changed.1": changes.RulesChanged(HOUSE),
    "rules_changed.2": changes.RulesChanged(HOUSE, "ab" * 32, "Lower limits on weekdays."),
    "clock_changed.1": changes.ClockChanged(
        ClockRule(wager_seconds=40, decision_seconds=20), None, "A busy evening."
    ),
    "link_change_announced.1": changes.LinkChangeAnnounced("main", "A new link."),
    "link_kept.1": changes.LinkKept("main", "The link was retired."),
    "link_changed.1": changes.LinkChanged("main"),
    "link_changed.1.none": changes.LinkChanged(None),
    "link_changed.2": changes.LinkChanged("main", "old", "A new link."),
    "dealer_changed.1": events.DealerChanged("dan", tips_stay=False),
    "dealer_changed.2": events.DealerChanged("dan", tips_stay=False),
    "dealer_changed.2.handover": events.DealerChanged(
        "dan", handover=events.Handover("dora", 7, "playing", 5)
    ),
    "dealer_changed.2.between_rounds": events.DealerChanged(
        "dan", handover=events.Handover("dora")
    ),
    "bets_reopened.1": events.BetsReopened(),
    "act_approved.1": events.ActApproved("eve", "void_round"),
    "dealer_signed_on.1": dealer_events.DealerSignedOn("table-1"),
    "dealer_signed_off.1": dealer_events.DealerSignedOff("table-1"),
    "absence_noted.1": events.AbsenceNoted(3, 31_000),
    "closing_announced.1": events.ClosingAnnounced("It is late."),
    "table_closed.1": events.TableClosed("The last round is over."),
    "pause_announced.1": events.PauseAnnounced("A spill."),
    "table_paused.1": events.TablePaused("A spill."),
    "table_reopened.1": events.TableReopened(),
    "seat_taken.1": events.SeatTaken(1, "ann"),
    "seat_left.1": events.SeatLeft(1),
    "bought_in.1": events.BoughtIn(1, 50_000),
    "collected.1": events.Collected(1, 50_000),
    "adjustment_proposed.1": events.AdjustmentProposed(
        3,
        Adjustment(
            round=31,
            seat=2,
            player="ann",
            banker=None,
            cents=-1250,
            reason="Blind paid twice.",
            by="dealer:dan",
        ),
    ),
    "adjustment_made.1": events.AdjustmentMade(3),
    "adjustment_rejected.1": events.AdjustmentRejected(4, "The camera shows otherwise."),
    "stub_counted.1": events.StubCounted(31, 42, 43, (), ()),
    "stub_counted.1.scanned": events.StubCounted(31, 43, 43, parse_cards("As"), parse_cards("5d")),
    "felt_counted.1": incidents.FeltCounted(31, 4_500, 5_000),
    "felt_counted.1.spots": incidents.FeltCounted(
        31, 4_500, 5_000, (incidents.SpotCount(LATER, 1_500, 2_000),)
    ),
    "felt_matched.1": incidents.FeltMatched(31, incidents.FeltMatch.WAGERS),
    "floor_called.1": incidents.FloorCalled(),
    "floor_called.1.decisions": incidents.FloorCalled(
        incidents.ClockFor.DECISIONS, 7_250, "Seat 2 says that the card was turned."
    ),
    "play_resumed.1": incidents.PlayResumed(),
    "play_resumed.1.late": incidents.PlayResumed(in_time=False),
    "mispayment_reported.1": incidents.MispaymentReported(
        2,
        incidents.Mispayment(
            round=31,
            seat=2,
            player="ann",
            cents=-500,
            reason="Blind paid short.",
            by="dealer:dan",
        ),
    ),
    "mispayment_resolved.1": incidents.MispaymentResolved(2, incidents.Resolution.RECOVERED),
    "bank_declined.1": events.BankDeclined(2),
    "deck_committed.1": events.DeckCommitted("seat-17", "ab" * 32),
    "seed_committed.1": events.SeedCommitted(3, "cd" * 32),
    "seeds_called.1": events.SeedsCalled("ef" * 32),
    "seed_revealed.1": events.SeedRevealed(3, "5e" * 32),
    "seeds_fixed.1": events.SeedsFixed(),
    "seeds_fixed.1.withheld": events.SeedsFixed((3, 17)),
    "clock_started.1.seeds": events.ClockStarted(incidents.ClockFor.SEEDS, 5_000),
    "clock_started.1": events.ClockStarted(incidents.ClockFor.WAGERS, 25_000),
    "clock_started.1.decisions": events.ClockStarted(incidents.ClockFor.DECISIONS, 0),
    "clock_started.1.bank": events.ClockStarted(incidents.ClockFor.BANK, 20_000),
    "clock_started.1.floor": events.ClockStarted(incidents.ClockFor.FLOOR, 600_000),
    "clock_stopped.1": events.ClockStopped(),
    "floor_checkpointed.1": FloorCheckpointed(
        day=date(2026, 1, 1),
        note="Before the break.",
        tables={
            "pit-3": CheckpointFigures(rounds=31, stakes_cents=93_000, win_cents=-1_250, players=4)
        },
    ),
    "takings_counted.1": takings.TakingsCounted(
        day=date(2026, 1, 1),
        transfer=4711,
        tables={"pit-3": takings.Takings(drop_cents=250_000, win_cents=-1_250)},
    ),
    "alert_raised.1": alert_events.AlertRaised(
        number=1, kind="idle", subject="pit-1", level=1_767_225_600_000
    ),
    "alert_raised.1.detailed": alert_events.AlertRaised(
        number=2, kind="always_wins", subject="ann", level=4, detail="1 in 12000"
    ),
    "alert_seen.1": alert_events.AlertSeen(1),
    "alert_closed.1": alert_events.AlertClosed(1, "The shoe was changed.", 5),
    "dispute_opened.1": dispute_events.DisputeOpened(
        table="stadium-1",
        round=31,
        seats=(3, 17),
        digest="ab" * 32,
        until_ms=1_798_804_800_000,
        purged=False,
        note="The player says that the hand was not folded.",
    ),
    "dispute_noted.1": dispute_events.DisputeNoted("The video was seen."),
    "dispute_decided.1": dispute_events.DisputeDecided(
        dispute_events.DisputeEnd.REJECTED, "The hand was folded at the terminal."
    ),
    "decks_purged.1": DecksPurged(
        table="stadium-1",
        first=21,
        last=40,
        version=812,
        keep_days=90,
        decks=60,
        proofs="cd" * 32,
    ),
    "decks_purged.1.keys": DecksPurged(
        table="stadium-1",
        first=41,
        last=60,
        version=1630,
        keep_days=90,
        decks=60,
        proofs="cd" * 32,
        keys=20,
    ),
    "clock_corrected.1": ClockCorrected(
        right_ms=1_767_268_800_000,
        wrong_ms=1_798_804_800_000,
        reason="The clock was a year ahead.",
        streams={"table/stadium-1": 31},
    ),
    "proofs_dropped.1": ProofsDropped(
        table="stadium-1", first=21, last=40, keep_days=730, proofs=20, shown="ef" * 32
    ),
    "key_declared_lost.1": KeyDeclaredLost(
        key="00c0ffee",
        decks=12,
        round_keys=7,
        proofs=3,
        codes=2,
        tables=("draw-1", "stadium-1"),
    ),
    "key_declared_lost.1.unsigned": KeyDeclaredLost(
        key="00c0ffee",
        decks=0,
        round_keys=0,
        proofs=0,
        codes=0,
        tables=(),
        unsigned=(UnsignedEnd(stream="wallet/ann", signed=3, version=5),),
    ),
    # A round.
    "round_opened.1": rounds.RoundOpened(
        number=31,
        house="online",
        fingerprint="0f" * 32,
        procedure=Procedure.HANDHELD,
        day=date(2026, 1, 31),
    ),
    "round_opened.1.banked": rounds.RoundOpened(
        number=1,
        house="california",
        fingerprint="0f" * 32,
        procedure=Procedure.SHOE,
        day=date(2026, 1, 31),
        banker=rounds.Banker(7, 20_000),
    ),
    "wagers_set.1": rounds.WagersSet(
        FIRST,
        (
            Wager(WagerKind.ANTE, 1000),
            Wager(WagerKind.BLIND, 1000),
            Wager(WagerKind.ANTE, 500, Beneficiary.DEALER),
        ),
    ),
    "wagers_set.1.none": rounds.WagersSet(LATER, ()),
    "bets_closed.1": rounds.BetsClosed(),
    "bets_closed.1.checked": rounds.BetsClosed(4_500),
    "card_dealt.1": rounds.CardDealt(Place(Lies.HAND, LATER, 2), Card.parse("Th"), True),
    "card_dealt.1.dealer": rounds.CardDealt(Place(Lies.DEALER, None, 1), Card.parse("As"), False),
    "card_dealt.1.common": rounds.CardDealt(Place(Lies.COMMON, None, 5), Card.parse("2c"), True),
    "card_corrected.1": rounds.CardCorrected(Place(Lies.HAND, FIRST, 1), Card.parse("Kd")),
    "cards_turned.1": rounds.CardsTurned(Lies.HAND, 2, (FIRST, LATER)),
    "cards_turned.1.common": rounds.CardsTurned(Lies.COMMON, 3),
    "antes_returned.1": rounds.AntesReturned((LATER, FIRST)),
    "decision_made.1": rounds.DecisionMade(FIRST, Bet(4)),
    "decision_made.1.check": rounds.DecisionMade(FIRST, Check(), DecidedBy.CLOCK),
    "decision_made.1.fold": rounds.DecisionMade(FIRST, Fold(), DecidedBy.FLOOR),
    "decision_made.1.hold": rounds.DecisionMade(FIRST, Hold(parse_cards("As Ad 7c"))),
    "irregularity_declared.1": rounds.IrregularityDeclared(
        irregularity=Irregularity.CARD_FACE_UP,
        about=About.DECK,
        effect=Effect.REPLACE_CARD,
        clause="R.37",
        card=Card.parse("5d"),
    ),
    "irregularity_declared.1.hand": rounds.IrregularityDeclared(
        irregularity=Irregularity.TOO_MANY_CARDS,
        about=About.HAND,
        effect=Effect.VOID_HAND,
        clause="R.37",
        spot=LATER,
        note="Three cards at seat 2.",
    ),
    "irregularity_declared.2": rounds.IrregularityDeclared(
        irregularity=Irregularity.HAND_FOULED,
        about=About.HAND,
        effect=Effect.LOSE_HAND,
        clause="R.41",
        spot=FIRST,
    ),
    "irregularity_declared.2.stuck": rounds.IrregularityDeclared(
        irregularity=Irregularity.CARDS_STUCK,
        about=About.DECK,
        effect=Effect.BURN_CARD,
        clause="R.37",
        card=Card.parse("5d"),
    ),
    "irregularity_declared.2.chips": rounds.IrregularityDeclared(
        irregularity=Irregularity.WAGER_LATE,
        about=About.CHIPS,
        effect=Effect.NOTE_ONLY,
        clause="R.40",
        spot=LATER,
        cents=2_500,
        note="Chips after the flop.",
    ),
    "round_settled.1": rounds.RoundSettled(
        Settlement(lines=(WIN, TIP), dealer_hand="High card, king", dealer_qualified=False),
        feeds=False,
    ),
    "round_settled.1.progressive": rounds.RoundSettled(
        Settlement(
            lines=(AWARD,),
            dealer_hand="Pair of twos",
            dealer_qualified=True,
            cover_left_cents=700,
            meter_cents=1_000_025,
            seed_cents=1_000_000,
            meter_paid_cents=1_000_025,
        ),
        feeds=False,
    ),
    "round_settled.1.aggregate": rounds.RoundSettled(
        Settlement(lines=(CUT,), dealer_hand="Pair of twos", dealer_qualified=True),
        feeds=False,
    ),
    "round_settled.2": rounds.RoundSettled(
        Settlement(lines=(WIN, TIP), dealer_hand="High card, king", dealer_qualified=False)
    ),
    "round_settled.2.progressive": rounds.RoundSettled(
        Settlement(
            lines=(AWARD,),
            dealer_hand="Pair of twos",
            dealer_qualified=True,
            cover_left_cents=700,
            meter_cents=1_000_025,
            seed_cents=1_000_000,
            meter_paid_cents=1_000_025,
        )
    ),
    "round_settled.2.aggregate": rounds.RoundSettled(
        Settlement(lines=(CUT,), dealer_hand="Pair of twos", dealer_qualified=True)
    ),
    "round_settled.2.unfed": rounds.RoundSettled(Settlement(lines=(WIN,)), feeds=False),
    "round_voided.1": rounds.RoundVoided("a card was exposed", Settlement(lines=(BACK,))),
    "round_voided.1.coded": rounds.RoundVoided("Misdeal.", Settlement(lines=(BACK,)), "misdeal"),
    # A progressive link.
    "link_opened.1": link_events.LinkOpened(
        link="main", contribution=Fraction(1, 4), seed_cents=1_000_000
    ),
    "link_opened.1.limited": link_events.LinkOpened(
        link="small", contribution=Fraction(0), seed_cents=100, ceiling_cents=100
    ),
    "link_table_joined.1": link_events.TableJoined("table-1"),
    "link_table_left.1": link_events.TableLeft("table-1"),
    "link_round_counted.1": link_events.RoundCounted(
        table="table-1",
        round=31,
        wagered_cents=100,
        awarded_cents=1_000_025,
        envied_cents=40_000,
        from_meter_cents=1_000_025,
    ),
    "link_round_counted.2": link_events.RoundCounted(
        table="table-1",
        round=31,
        wagered_cents=100,
        awarded_cents=1_000_025,
        envied_cents=40_000,
        from_meter_cents=1_000_025,
        fed=7,
    ),
    "link_round_fed.1": link_events.RoundFed(
        round=31,
        wagered_cents=100,
        awarded_cents=1_000_025,
        envied_cents=40_000,
        from_meter_cents=1_000_025,
    ),
    "link_rates_changed.1": link_events.RatesChanged(
        contribution=Fraction(333_333, 1_000_000), seed_cents=0, ceiling_cents=5_000_000
    ),
    "link_paused.1": link_events.LinkPaused("The meter is checked."),
    "link_resumed.1": link_events.LinkResumed(),
    "link_opened.1.reasoned": link_events.LinkOpened(
        link="new", contribution=Fraction(1, 5), seed_cents=100, reason="A new hall."
    ),
    "link_rates_changed.1.reasoned": link_events.RatesChanged(
        contribution=Fraction(1, 5), seed_cents=100, reason="A slower meter."
    ),
    "link_resumed.1.reasoned": link_events.LinkResumed("The sign is repaired."),
    "link_retired.1": link_events.LinkRetired(),
    "link_retired.2": link_events.LinkRetired(),
    "link_retired.2.into": link_events.LinkRetired(into="new", reason="The old hall closes."),
    "link_received.1": link_events.LinkReceived(
        link="main", meter=Fraction(4_000_101, 4), reserve=Fraction(3, 4)
    ),
    # A wallet.
    "deposited.1": wallet.Deposited("ann", 50_000),
    "deposited.1.noted": wallet.Deposited("ann", 50_000, "card 4242"),
    "history_archived.1": HistoryArchived(2, 525_600, 9_000_000, "5e" * 32),
    "history_returned.1": HistoryReturned(2),
    "record_verified.1": RecordVerified(
        full=True,
        asked=False,
        took_ms=81_000,
        events=12_345,
        rounds=678,
        transfers=9_012,
        findings=1,
        named=("event 57 of table/wash-1: The settlement is not what the rules give.",),
    ),
    "record_verified.1.not_ended": RecordVerified(
        full=False,
        asked=True,
        took_ms=12,
        events=0,
        rounds=0,
        transfers=0,
        findings=0,
        problem="The disk is full.",
    ),
    "record_read.1": RecordRead(ReadingKind.ROUND, "stadium-1/31"),
    "segment_shipped.1": SegmentShipped("5e" * 8, 3, "c0" * 32, 1_250),
    "day_closed.1": DayClosed(date(2026, 1, 31), 581, {"cash": -50_000, "wallet:ann": 50_000}),
    "withdrawn.1": wallet.Withdrawn("ann@example", 1, "by cheque"),
    # The cage.
    "voucher_issued.1": vouchers.VoucherIssued("5f" * 16, 12_500, "wallet:ann", 1_775_001_600_000),
    "voucher_redeemed.1": vouchers.VoucherRedeemed("5f" * 16, 12_500, "drawer:window-1"),
    "voucher_expired.1": vouchers.VoucherExpired("5f" * 16, 12_500),
    "voucher_key_made.1": vouchers.VoucherKeyMade(1, "ab" * 32),
    "drawer_opened.1": drawers.DrawerOpened("window-1", "cal", {10_000: 5, 25: 8}, 300_000),
    "drawer_cash_taken.1": drawers.CashTaken("window-1", "ann", 10_000, "two fifties"),
    "drawer_cash_paid.1": drawers.CashPaid("window-1", "ann", 5_000),
    "drawer_cash_paid.1.approved": drawers.CashPaid("window-1", "ann", 500_000, "won", 3),
    "drawer_voucher_sold.1": drawers.VoucherSold("window-1", "5f" * 16, 2_000),
    "drawer_voucher_cashed.1": drawers.VoucherCashed("window-1", "5f" * 16, 2_000),
    "drawer_voucher_cashed.1.approved": drawers.VoucherCashed("window-1", "5f" * 16, 400_000, 4),
    "payout_requested.1": drawers.PayoutRequested(3, 500_000, "cal", "ann", None, "won"),
    "payout_requested.1.voucher": drawers.PayoutRequested(4, 500_000, "cal", None, "5f" * 16),
    "payout_approved.1": drawers.PayoutApproved(3, "sue"),
    "payout_rejected.1": drawers.PayoutRejected(4, "sue", "no identity card"),
    "player_limit_set.1": play_limits.LimitSet(
        player="ann",
        side=play_limits.LimitSide.HOUSE,
        kind=play_limits.LimitKind.LOSS,
        period=play_limits.LimitPeriod.WEEK,
        before=50_000,
        after=None,
        waits=True,
        by="sue",
        reason="asked for",
    ),
    "player_excluded.1": play_limits.PlayerExcluded(
        player="ann", term=play_limits.ExclusionTerm.HALF_YEAR, by="sue", reason="a letter"
    ),
    "player_play_reserved.1": play_limits.PlayReserved("pit-3", 31, 12_000),
    "player_deposit_counted.1": play_limits.DepositCounted(5_000),
    "drawer_closed.1": drawers.DrawerClosed("window-1", "cal", {10_000: 4}, -100, "miscounted"),
    # The chips of live tables.
    "tray_counted.1": trays.TrayCounted(
        "pit-1",
        1,
        trays.TrayMoment.OPENING,
        {10_000: 20, 500: 100},
        "dan",
        False,
        trays.RecordMark(12, 340),
        "one chip more",
    ),
    "tray_count_dropped.1": trays.TrayCountDropped(1, "sue", "count the greens again"),
    "tray_opened.1": trays.TrayOpened(
        table="pit-1",
        number=2,
        count={10_000: 20},
        dealer="dan",
        supervisor="sue",
        difference_cents=500,
        play=TablePlay(),
        mark=trays.RecordMark(12, 340),
        reason="one chip more",
    ),
    "tray_closed.1": trays.TrayClosed(
        table="pit-1",
        number=3,
        count={10_000: 19},
        dealer="dan",
        supervisor="sue",
        difference_cents=0,
        play=TablePlay(
            bought_in_cents=50_000,
            collected_cents=20_000,
            win_cents=22_000,
            tips_cents=1_000,
            contributed_cents=500,
            awarded_cents=2_500,
            collections_cents=300,
            corrections_cents=-100,
        ),
        mark=trays.RecordMark(99, 900),
        reason="a chip was dropped",
    ),
    "chips_requested.1": trays.ChipsRequested(
        1,
        trays.SlipKind.FILL,
        {10_000: 5},
        "sue",
        True,
        "blacks",
    ),
    "chips_given.1": trays.ChipsGiven(1, "cal", 7),
    "chips_received.1": trays.ChipsReceived(1, "dan", 8),
    "chips_refused.1": trays.ChipsRefused(2, "cal", "no blacks left"),
    "slip_made.1": trays.SlipMade(7, "pit-1", 1, 4),
}
"""By the name of its file, what each golden event says."""
