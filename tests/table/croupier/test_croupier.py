"""The croupier: who may do what and when, every refusal, and a table that goes on by itself."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.cards import Card
from openfelt.rules import (
    Bet,
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    Fold,
    Hold,
    House,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    Wager,
    WagerKind,
)
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.round_actions import SwapCards
from openfelt.table.commands import (
    ApproveAdjustment,
    BuyIn,
    CallFloor,
    ChangeClock,
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    Collect,
    CountFelt,
    CountStub,
    DeclareIrregularity,
    DeclineBank,
    EndTime,
    ExpireRound,
    HandOver,
    LeaveSeat,
    OpenBets,
    PauseTable,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    ReopenTable,
    ReportMispayment,
    ResolveMispayment,
    ResumeClock,
    ResumePlay,
    RevealSeed,
    SeededWagers,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.croupier import _COMMANDS, direct, go_on
from openfelt.table.incidents import Resolution
from openfelt.table.phases import TablePhase
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import seed_commitment
from tests.kit.cases import case
from tests.kit.felt import spot_of, wagers_of
from tests.kit.own_houses import own_house
from tests.kit.strategies import quick
from tests.kit.tables import FLOOR, SECONDS, Pit, person

CODE = TableCode
ONE, TWO = Spot(1, 1), Spot(2, 1)
ANTE = SetWagers(ONE, wagers_of("ante 10"))
JACKPOT = SetWagers(ONE, wagers_of("ante 10, progressive 1"))
ACE = Card.parse("Ac")
HOLE_1 = Place(Lies.HAND, ONE, 1)
BOARD_1 = Place(Lies.COMMON, None, 1)
SEED, OTHER_SEED = "5e" * 32, "0f" * 32
BOUND = seed_commitment("table-1/1", 1, SEED)
VIRTUAL: House = own_house("washington", {"table.dealer": "virtual"})


# Situations ------------------------------------------------------------------------------


def empty() -> Pit:
    return Pit("washington")


def seated() -> Pit:
    """Ann at seat 1 and Bob at seat 2 of a live table, with $500 each."""
    return Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500)


def betting() -> Pit:
    return seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")


def dealing() -> Pit:
    return betting().close()


def deciding() -> Pit:
    """Ann holds a pair of aces before the flop; Bob only watches."""
    return dealing().deal("As Ah Kc Kd")


def on_river() -> Pit:
    cards = "9c Td Jh", "3s 4s"
    pit = deciding()
    for street in cards:
        pit.choose("ann", "1.1", "check").deal(street)
    return pit


def ready() -> Pit:
    return on_river().choose("ann", "1.1", "1x").turn()


def settled() -> Pit:
    return ready().confirm()


def adjusting() -> Pit:
    """The dealer has proposed to adjust a payout of the last round."""
    return settled().do(ProposeAdjustment(1, 1, 500, "short"), "dan")


def mispaid() -> Pit:
    """The dealer has reported chips that were paid wrongly."""
    return settled().do(ReportMispayment(1, 1, 500, "twice"), "dan")


def uncounted() -> Pit:
    """Less lies on the felt than was bet."""
    return betting().do(CountFelt(1_500), "dan")


def held() -> Pit:
    """The floor has been called while Ann decides."""
    return deciding().do(CallFloor(), "dan")


def short_banked() -> Pit:
    """A round that Ann has banked with $100, and won."""
    pit = banked().bet("bob", "2.1", "ante 10").close().deal("As Ah 2s 7d 9c Td Jh 3s 4s")
    for decision in ("check", "check", "fold"):
        pit.turn().choose("bob", "2.1", decision)
    return pit.turn().confirm()


def closing() -> Pit:
    return deciding().do(CloseTable("It is late"), "eve")


def closed() -> Pit:
    return seated().do(CloseTable("It is late"), "eve")


def linked() -> Pit:
    pit = Pit("washington", link="link-1").sit("ann", 1, 500).do(OpenBets(), "dan")
    return pit.told(meter_cents=100_000)


def paused() -> Pit:
    return linked().told(link_takes_wagers=False)


def virtual() -> Pit:
    return Pit(VIRTUAL).sit("ann", 1, 500)


def timed() -> Pit:
    """Two players at a virtual table with a clock; Ann has bet."""
    pit = Pit(VIRTUAL, clock=SECONDS).sit("ann", 1, 500).sit("bob", 2, 500)
    return pit.bet("ann", "1.1", "ante 10")


def timed_deciding() -> Pit:
    return timed().time_ends()


def unsealed() -> Pit:
    """A table whose shuffler has failed before it could commit to a deck."""
    pit = virtual()
    pit.table = replace(pit.table, commitments={})
    return pit


def seeds_called() -> Pit:
    """Ann and Bob have bet, and the table waits for their seeds."""
    pit = Pit(VIRTUAL).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(SeededWagers(ANTE, BOUND), "ann")
    other = seed_commitment("table-1/1", 2, OTHER_SEED)
    pit.do(SeededWagers(SetWagers(TWO, wagers_of("ante 10")), other), "bob")
    return pit.do(CloseBets(), "eve")


def seeds_called_live() -> Pit:
    """Ann's terminal has a deck of its own, and the dealer has scanned the last card."""
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.do(SeededWagers(ANTE, BOUND), "ann").close()
    return pit.deal("9c Td Jh 3s 4s Kc Kd")


def private() -> Pit:
    return Pit("online", private_to="ann").sit("ann", 1, 500)


def waiting() -> Pit:
    """A private round that waits for Ann's first decision."""
    return private().bet("ann", "1.1", "ante 10").close("ann")


def expired() -> Pit:
    """The same round a month later."""
    pit = waiting()
    pit.outside = replace(pit.outside, round_days=30)
    return pit


def cardroom() -> Pit:
    """Ann and Bob at a table that they bank in turn; the bank is offered to Ann."""
    return Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)


def house_funded() -> Pit:
    """A player with the house's money sits beside Bob."""
    return Pit("california").sit("house-player-1", 1, 500).sit("bob", 2, 500)


def banked() -> Pit:
    return cardroom().do(TakeBank(1, 10_000), "ann")


def virtual_cardroom() -> Pit:
    house = own_house("california", {"table.dealer": "virtual"})
    return Pit(house).sit("ann", 1, 500).sit("bob", 2, 500)


def had_two_turns() -> Pit:
    pit = cardroom()
    for _ in range(2):
        pit.do(TakeBank(1, 10_000), "ann").void()
    return pit


def stadium_live() -> Pit:
    """A stadium with a live dealer, and seven cards of the table still to be scanned."""
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 1, 500).do(OpenBets(), "dan")
    return pit.bet("ann", "1.1", "ante 10").close()


def stadium_deciding() -> Pit:
    return stadium_live().deal("9c Td Jh 3s 4s Kc Kd")


# Every refusal ---------------------------------------------------------------------------

NO_TIME = ClockRule(wager_seconds=0, decision_seconds=9)
FEWER_SEATS = own_house("washington", {"table.seats": 1})
REFUSALS: list[Any] = [
    # who sits down, and where
    case(empty, TakeSeat(1), "dan", CODE.NOT_ALLOWED),
    case(empty, TakeSeat(0), "ann", CODE.NO_SUCH_SEAT),
    case(empty, TakeSeat(7), "ann", CODE.NO_SUCH_SEAT),
    case(seated, TakeSeat(1), "bob", CODE.SEAT_TAKEN),
    case(seated, TakeSeat(1), "cat", CODE.SEAT_TAKEN),
    case(seated, TakeSeat(3), "ann", CODE.ALREADY_SEATED),
    case(private, TakeSeat(1), "bob", CODE.PRIVATE_TABLE),
    case(closing, TakeSeat(3), "cat", CODE.TABLE_CLOSED),
    case(closed, TakeSeat(3), "cat", CODE.TABLE_CLOSED),
    case(empty, TakeSeat(1), "Ann", CODE.BAD_TABLE),
    case(empty, TakeSeat(1), "ann/bob", CODE.BAD_TABLE),
    # whose money
    case(seated, BuyIn(7, 100), "ann", CODE.NO_SUCH_SEAT),
    case(seated, BuyIn(3, 100), "ann", CODE.SEAT_FREE),
    case(seated, BuyIn(1, 100), "bob", CODE.NOT_YOUR_SEAT),
    case(seated, BuyIn(1, 100), "dan", CODE.NOT_ALLOWED),
    case(seated, BuyIn(1, 100), "eve", CODE.NOT_ALLOWED),
    case(closed, BuyIn(1, 100), "ann", CODE.TABLE_CLOSED),
    case(seated, BuyIn(1, 0), "ann", RefusalCode.MALFORMED),
    case(seated, BuyIn(1, -100), "ann", RefusalCode.MALFORMED),
    case(seated, BuyIn(1, 10**12), "ann", RefusalCode.MALFORMED, name="more than a seat holds"),
    case(lambda: seated().told(wallet_cents=99), BuyIn(1, 100), "ann", CODE.WALLET_SHORT,
         name="wallet short"),
    case(seated, Collect(1), "bob", CODE.NOT_YOUR_SEAT),
    case(seated, Collect(1), "dan", CODE.NOT_ALLOWED),
    case(seated, Collect(3), "ann", CODE.SEAT_FREE),
    case(betting, Collect(1), "ann", CODE.IN_PLAY),
    case(deciding, Collect(1), "eve", CODE.IN_PLAY),
    case(lambda: Pit("washington").sit("ann", 1), Collect(1), "ann", CODE.NOTHING_TO_COLLECT,
         name="nothing to collect"),
    case(betting, LeaveSeat(1), "ann", CODE.IN_PLAY),
    case(seated, LeaveSeat(1), "bob", CODE.NOT_YOUR_SEAT),
    case(seated, LeaveSeat(1), "dan", CODE.NOT_ALLOWED),
    case(banked, LeaveSeat(1), "ann", CODE.IN_PLAY, name="the banker leaves"),
    # wagers
    case(seated, ANTE, "ann", CODE.BETS_NOT_OPEN),
    case(cardroom, ANTE, "ann", CODE.BETS_NOT_OPEN),
    case(virtual, SetWagers(ONE, ()), "ann", CODE.BETS_NOT_OPEN, name="a round of nothing"),
    case(virtual, SetWagers(ONE, (Wager(WagerKind.ANTE, 0),)), "ann", CODE.BETS_NOT_OPEN,
         name="a round of an Ante of zero"),
    case(betting, ANTE, "bob", CODE.NOT_YOUR_SEAT, proves="W.additional.1"),
    case(betting, ANTE, "dan", CODE.NOT_ALLOWED),
    case(betting, ANTE, "openfelt", CODE.NOT_ALLOWED),
    case(betting, SetWagers(Spot(9, 1), ()), "ann", CODE.NO_SUCH_SEAT),
    case(betting, SetWagers(Spot(1, 2), ()), "ann", RefusalCode.NO_SUCH_SPOT),
    case(deciding, ANTE, "ann", RefusalCode.WAGERS_CLOSED),
    case(betting, JACKPOT, "ann", CODE.NO_LINK),
    case(paused, JACKPOT, "ann", CODE.LINK_PAUSED),
    case(closed, ANTE, "ann", CODE.BETS_NOT_OPEN),
    case(lambda: virtual().do(CloseTable("late"), "eve"), ANTE, "ann", CODE.TABLE_CLOSED,
         name="a wager at a closed virtual table"),
    case(unsealed, ANTE, "ann", CODE.DECK_NOT_SEALED),
    # seeds
    case(betting, SeededWagers(ANTE, BOUND), "bob", CODE.NOT_YOUR_SEAT, name="with a seed"),
    case(unsealed, SeededWagers(ANTE, BOUND), "ann", CODE.DECK_NOT_SEALED, name="seed, no deck"),
    case(virtual, SeededWagers(ANTE, "ff"), "ann", RefusalCode.MALFORMED, name="a short hash"),
    case(virtual, SeededWagers(ANTE, "F" * 64), "ann", RefusalCode.MALFORMED, name="capitals"),
    case(seeds_called, RevealSeed(1, SEED), "bob", CODE.NOT_YOUR_SEAT, name="another's seed"),
    case(seeds_called, RevealSeed(1, SEED), "eve", CODE.NOT_ALLOWED, name="seed by the floor"),
    case(seeds_called, RevealSeed(1, OTHER_SEED), "ann", CODE.WRONG_SEED, name="another seed"),
    case(seeds_called, RevealSeed(1, "5E" * 32), "ann", RefusalCode.MALFORMED, name="capital seed"),
    case(virtual, RevealSeed(1, SEED), "ann", CODE.SEEDS_NOT_CALLED, name="between rounds"),
    case(lambda: virtual().do(SeededWagers(ANTE, BOUND), "ann"), RevealSeed(1, SEED), "ann",
         CODE.SEEDS_NOT_CALLED, name="while bets are open"),
    case(lambda: seeds_called().do(RevealSeed(1, SEED), "ann"), RevealSeed(1, SEED), "ann",
         CODE.SEEDS_NOT_CALLED, name="twice"),
    case(seeds_called_live, CorrectCard(Place(Lies.COMMON, None, 1), Card.parse("9d")), "dan",
         CODE.SEEDS_AWAITED),
    # opening and closing bets
    case(seated, OpenBets(), "ann", CODE.NOT_ALLOWED),
    case(seated, OpenBets(), "openfelt", CODE.NOT_ALLOWED),
    case(betting, OpenBets(), "dan", CODE.ROUND_IN_PROGRESS),
    case(closed, OpenBets(), "dan", CODE.TABLE_CLOSED),
    case(cardroom, OpenBets(), "dan", CODE.NO_BANKER, proves="C.19.house_never_banks"),
    case(virtual, OpenBets(), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(seated, CloseBets(), "dan", CODE.NO_ROUND),
    case(betting, CloseBets(), "ann", CODE.NOT_ALLOWED),
    case(timed, CloseBets(), "ann", CODE.NOT_ALLOWED),
    case(timed, CloseBets(), "bob", CODE.NOT_ALLOWED),
    case(timed, CloseBets(), "cat", CODE.NOT_ALLOWED),
    case(lambda: seated().do(OpenBets(), "dan"), CloseBets(), "dan", RefusalCode.NO_WAGERS,
         name="nobody has bet"),
    # cards
    case(dealing, DealCard(ACE), "ann", CODE.NOT_ALLOWED),
    case(settled, DealCard(ACE), "dan", CODE.NO_ROUND),
    case(betting, DealCard(ACE), "dan", RefusalCode.NO_CARD_EXPECTED),
    case(deciding, TurnCards(), "dan", RefusalCode.NOTHING_TO_TURN),
    case(waiting, DealCard(ACE), "dan", CODE.CARDS_ARE_VIRTUAL),
    case(waiting, DealCard(ACE), "ann", CODE.NOT_ALLOWED),
    case(waiting, TurnCards(), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(waiting, CorrectCard(BOARD_1, ACE), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(waiting, CorrectCard(Place(Lies.HAND, ONE, 1), ACE), "openfelt", CODE.CARDS_ARE_VIRTUAL),
    case(waiting, Confirm(), "dan", CODE.CARDS_ARE_VIRTUAL),
    case(deciding, CorrectCard(BOARD_1, ACE), "ann", CODE.NOT_ALLOWED),
    case(deciding, CorrectCard(BOARD_1, ACE), "dan", RefusalCode.NO_SUCH_CARD),
    case(settled, CorrectCard(BOARD_1, ACE), "dan", CODE.NO_ROUND),
    case(stadium_deciding, CorrectCard(Place(Lies.HAND, ONE, 1), ACE), "eve",
         CODE.CARDS_ARE_VIRTUAL, name="a terminal's card is corrected"),
    # decisions
    case(seated, MakeDecision(ONE, Check()), "ann", CODE.NO_ROUND),
    case(deciding, MakeDecision(ONE, Check()), "bob", CODE.NOT_YOUR_SEAT),
    case(deciding, MakeDecision(TWO, Check()), "bob", RefusalCode.NO_SUCH_SPOT),
    case(deciding, MakeDecision(ONE, Bet(4)), "eve", CODE.NOT_ALLOWED),
    case(deciding, MakeDecision(ONE, Fold()), "dan", CODE.NOT_ALLOWED),
    case(on_river, MakeDecision(ONE, Bet(1)), "eve", CODE.NOT_ALLOWED),
    case(deciding, MakeDecision(ONE, Check()), "openfelt", CODE.NOT_ALLOWED),
    case(deciding, MakeDecision(TWO, Check()), "eve", RefusalCode.NO_DECISION_DUE),
    # the end of a round
    case(ready, Confirm(), "ann", CODE.NOT_ALLOWED),
    case(on_river, Confirm(), "dan", RefusalCode.NOT_FINISHED),
    case(settled, Confirm(), "dan", CODE.NO_ROUND),
    case(deciding, VoidRound("bad cards"), "ann", CODE.NOT_ALLOWED),
    case(settled, VoidRound("bad cards"), "eve", CODE.NO_ROUND, proves="R.13"),
    case(deciding, VoidRound(" "), "eve", RefusalCode.MALFORMED),
    case(deciding, VoidRound("bad cards\n"), "eve", RefusalCode.MALFORMED, name="two lines"),
    case(waiting, VoidRound("bad cards"), "ann", CODE.NOT_ALLOWED, name="an own private round"),
    case(timed, CloseBets(), "dan", CODE.NOT_ALLOWED, name="no dealer stands there"),
    case(betting, DeclareIrregularity(irregularity=Irregularity.CARD_FACE_UP, about=About.DECK),
         "dan", CODE.NOT_IRREGULAR_NOW),
    case(deciding, DeclareIrregularity(irregularity=Irregularity.CARD_FACE_UP, about=About.DECK),
         "ann", CODE.NOT_ALLOWED),
    case(settled, ProposeAdjustment(2, 1, 500, "short"), "dan", CODE.NOT_ADJUSTABLE),
    case(settled, ApproveAdjustment(1), "eve", CODE.NOT_ADJUSTABLE),
    case(deciding, CountStub(43), "dan", CODE.NO_STUB),
    case(seated, CountStub(52), "dan", CODE.NO_STUB),
    case(virtual, CountStub(43), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(settled, CountStub(43, (ACE,)), "dan", RefusalCode.MALFORMED),
    case(settled, RejectAdjustment(1, "no"), "eve", CODE.NOT_ADJUSTABLE),
    case(short_banked, ProposeAdjustment(1, 2, 100_000, "short"), "dan", CODE.COVER_SPENT,
         proves="R.38 C.betting.4"),
    case(deciding, SwapCards(HOLE_1, BOARD_1), "dan", RefusalCode.NO_SUCH_CARD),
    case(deciding, SwapCards(HOLE_1, HOLE_1), "dan", RefusalCode.MALFORMED),
    case(deciding, SwapCards(HOLE_1, Place(Lies.HAND, ONE, 2)), "dan", RefusalCode.MALFORMED,
         name="cards of one hand"),
    case(on_river, SwapCards(HOLE_1, BOARD_1), "dan", CODE.NEEDS_SUPERVISOR, proves="R.31"),
    case(waiting, SwapCards(HOLE_1, BOARD_1), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(stadium_deciding, SwapCards(HOLE_1, BOARD_1), "eve", CODE.CARDS_ARE_VIRTUAL,
         name="a terminal's card is swapped"),
    case(deciding, CountFelt(2_000), "dan", CODE.NO_FELT),
    case(stadium_live, CountFelt(2_000), "dan", CODE.NO_FELT, name="chips at terminals"),
    case(waiting, CountFelt(2_000), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(betting, CountFelt(2_000, ((ONE, 2_000),)), "dan", RefusalCode.MALFORMED),
    case(betting, CountFelt(spots=((TWO, 0),)), "dan", RefusalCode.MALFORMED, name="a hand left"),
    case(betting, CountFelt(2_000, round=7), "dan", RefusalCode.TOO_LATE),
    case(uncounted, CloseBets(), "dan", RefusalCode.FELT_DIFFERS),
    case(waiting, CallFloor(), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(seated, CallFloor(), "dan", CODE.NO_ROUND),
    case(held, CallFloor(), "dan", CODE.ON_HOLD),
    case(held, MakeDecision(ONE, Check()), "ann", CODE.ON_HOLD, proves="R.42"),
    case(deciding, ResumePlay(), "dan", CODE.NOT_ON_HOLD),
    case(seeds_called_live, CallFloor(), "dan", CODE.SEEDS_AWAITED),
    case(settled, ReportMispayment(2, 1, 500, "twice"), "dan", CODE.NOT_ADJUSTABLE),
    case(virtual, ReportMispayment(1, 1, 500, "twice"), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(settled, ResolveMispayment(1, Resolution.RECOVERED), "eve", CODE.NOT_ADJUSTABLE),
    case(waiting, ExpireRound(1, 29), "openfelt", CODE.NOT_EXPIRED, proves="O.unfinished"),
    case(waiting, ExpireRound(2, 30), "openfelt", CODE.NOT_EXPIRED, name="another round"),
    case(waiting, ExpireRound(1, 30), "ann", CODE.NOT_ALLOWED),
    case(waiting, ExpireRound(1, 30), "dan", CODE.NOT_ALLOWED),
    case(deciding, ExpireRound(1, 9999), "openfelt", CODE.NOT_EXPIRED, name="no such days"),
    case(private, ExpireRound(1, 30), "openfelt", CODE.NO_ROUND),
    case(expired, MakeDecision(ONE, Check()), "ann", CODE.ROUND_EXPIRED, proves="O.unfinished"),
    case(expired, MakeDecision(ONE, Check()), "eve", CODE.ROUND_EXPIRED, proves="O.unfinished"),
    # the clock
    case(timed, EndTime(1), "ann", CODE.NOT_ALLOWED),
    case(timed, EndTime(1), "eve", CODE.NOT_ALLOWED),
    case(timed, EndTime(0), "openfelt", CODE.CLOCK_PASSED),
    case(timed_deciding, EndTime(1), "openfelt", CODE.CLOCK_PASSED),
    case(deciding, EndTime(1), "openfelt", CODE.CLOCK_PASSED),
    case(timed, ResumeClock(1000), "eve", CODE.NOT_ALLOWED),
    case(deciding, ResumeClock(1000), "openfelt", CODE.CLOCK_PASSED),
    # the bank
    case(seated, TakeBank(1, 10_000), "ann", CODE.NOT_YOUR_BANK, name="the house banks"),
    case(cardroom, TakeBank(2, 10_000), "bob", CODE.NOT_YOUR_BANK, proves="C.20"),
    case(cardroom, TakeBank(1, 10_000), "bob", CODE.NOT_YOUR_SEAT),
    case(cardroom, TakeBank(1, 10_000), "dan", CODE.NOT_ALLOWED),
    case(cardroom, TakeBank(1, 10_000), "eve", CODE.NOT_ALLOWED),
    case(cardroom, TakeBank(1, 0), "ann", RefusalCode.MALFORMED),
    case(cardroom, TakeBank(1, 10_000, "ff"), "ann", RefusalCode.MALFORMED, name="a bank's hash"),
    case(virtual, SeededWagers(SetWagers(ONE, ()), "ff"), "ann", RefusalCode.MALFORMED,
         name="a short hash without wagers"),
    case(cardroom, TakeBank(1, 49_701), "ann", CODE.WALLET_SHORT),
    case(banked, TakeBank(1, 10_000), "ann", CODE.ROUND_IN_PROGRESS),
    case(had_two_turns, TakeBank(1, 10_000), "ann", CODE.NOT_YOUR_BANK, proves="C.20 R.19"),
    case(lambda: cardroom().do(CloseTable("late"), "eve"), TakeBank(1, 10_000), "ann",
         CODE.TABLE_CLOSED, name="a bank at a closed table"),
    case(cardroom, TakeBank(1, 2_999), "ann", CODE.BANK_WAGER_SMALL, proves="R.30"),
    case(
        house_funded,
        TakeBank(1, 10_000),
        "house-player-1",
        CODE.HOUSE_MONEY,
        proves="C.19.house_never_banks",
    ),
    case(cardroom, DeclineBank(2), "bob", CODE.NOT_YOUR_BANK),
    case(cardroom, DeclineBank(1), "bob", CODE.NOT_YOUR_SEAT),
    case(cardroom, DeclineBank(1), "openfelt", CODE.NOT_ALLOWED),
    case(banked, DeclineBank(2), "bob", CODE.ROUND_IN_PROGRESS),
    case(banked, SetWagers(ONE, wagers_of("ante 10")), "ann", RefusalCode.BANKER_CANNOT_BET),
    # the floor
    # dealers
    case(lambda: seated().do(ChangeDealer(None), "eve"), OpenBets(), "dan", CODE.NOT_SIGNED_ON,
         name="opens bets without signing on", proves="R.31"),
    case(lambda: dealing().do(ChangeDealer("dot"), "eve"), DealCard(ACE), "dan",
         CODE.NOT_SIGNED_ON, name="deals at another dealer's table"),
    case(lambda: seated().do(ChangeDealer("dot"), "eve"), ChangeDealer("dan"), "dan",
         CODE.NEEDS_SUPERVISOR, name="takes over from another dealer"),
    case(lambda: seated().do(ChangeDealer("dot"), "eve"), ChangeDealer(None), "dan",
         CODE.NOT_SIGNED_ON, name="signs another dealer off"),
    case(lambda: seated().do(ChangeDealer(None), "dan").told(signed_on_at={"dan": "table-2"}),
         ChangeDealer("dan"), "dan", CODE.SIGNED_ON_ELSEWHERE, name="deals at two tables"),
    case(lambda: seated().told(signed_on_at={"dot": "table-2"}), ChangeDealer("dot"), "eve",
         CODE.SIGNED_ON_ELSEWHERE, name="is handed a second table"),
    case(ready, CorrectCard(BOARD_1, ACE), "dan", CODE.NEEDS_SUPERVISOR, name="corrects late",
         proves="R.31"),
    case(dealing, VoidRound("bad cards"), "dan", CODE.NEEDS_SUPERVISOR),
    case(deciding, MakeDecision(ONE, Check()), "dan", CODE.NEEDS_SUPERVISOR, proves="R.31"),
    # the floor's own
    case(seated, CloseTable("late"), "ann", CODE.NOT_ALLOWED),
    case(seated, CloseTable("late"), "dan", CODE.NOT_ALLOWED),
    case(seated, CloseTable(""), "eve", RefusalCode.MALFORMED),
    case(seated, CloseTable("late\r"), "eve", RefusalCode.MALFORMED, name="late, two lines"),
    case(closing, CloseTable("late"), "eve", CODE.TABLE_CLOSED),
    case(closed, CloseTable("late"), "eve", CODE.TABLE_CLOSED),
    case(closed, ReopenTable(), "dan", CODE.NOT_ALLOWED),
    case(seated, PauseTable("a spill"), "dan", CODE.NOT_ALLOWED),
    case(seated, PauseTable(""), "eve", RefusalCode.MALFORMED),
    case(closing, PauseTable("a spill"), "eve", CODE.TABLE_CLOSED),
    case(closed, PauseTable("a spill"), "eve", CODE.TABLE_CLOSED),
    case(lambda: seated().do(PauseTable("a spill"), "eve"), OpenBets(), "dan", CODE.TABLE_PAUSED,
         name="opens bets while paused", proves="R.44"),
    case(dealing, ReopenBets(), "dan", CODE.NOT_ALLOWED),
    case(betting, ReopenBets(), "eve", CODE.BETS_OPEN),
    case(deciding, ReopenBets(), "eve", RefusalCode.TOO_LATE),
    case(virtual, ReopenBets(), "eve", CODE.CARDS_ARE_VIRTUAL),
    case(seated, HandOver("dot"), "ann", CODE.NOT_ALLOWED),
    case(seated, HandOver("dan"), "dan", CODE.NOT_SIGNED_ON, name="to oneself"),
    case(seated, ReopenTable(), "eve", CODE.TABLE_OPEN),
    case(seated, ChangeRules(VIRTUAL), "dan", CODE.NOT_ALLOWED),
    case(seated, ChangeRules(own_house("draw")), "eve", CODE.BAD_TABLE, name="another game"),
    case(seated, ChangeClock(NO_TIME, "slow"), "eve", CODE.BAD_TABLE),
    case(seated, ChangeClock(None, ""), "eve", RefusalCode.MALFORMED, name="no reason"),
    case(seated, ChangeRules(VIRTUAL), "eve", CODE.BAD_TABLE, name="another dealer"),
    case(seated, ChangeRules(FEWER_SEATS), "eve", CODE.BAD_TABLE, name="seats that are taken"),
    case(seated, ChangeLink("link-2"), "dan", CODE.NOT_ALLOWED),
    case(betting, ChangeLink("link-2"), "eve", CODE.ROUND_IN_PROGRESS),
    case(seated, ChangeLink("Link 2"), "eve", CODE.BAD_TABLE),
    case(cardroom, ChangeLink("link-2"), "eve", CODE.BAD_TABLE, name="no progressive here"),
    case(seated, ChangeDealer("dan"), "ann", CODE.NOT_ALLOWED),
    case(seated, ChangeDealer("dot"), "dan", CODE.NOT_ALLOWED, name="a dealer for another"),
    case(seated, ChangeDealer("Dan!"), "eve", CODE.BAD_TABLE),
    case(virtual, ChangeDealer("dan"), "eve", CODE.CARDS_ARE_VIRTUAL),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "command", "by", "code"), REFUSALS)
def test_a_command_is_refused_and_changes_nothing(
    situation: Callable[[], Pit], command: TableCommand, by: str, code: Any
) -> None:
    situation().refuses(command, by, code)


def test_every_reason_to_refuse_has_a_case() -> None:
    assert {row.values[3] for row in REFUSALS} >= set(TableCode)


def test_every_command_is_refused_somewhere() -> None:
    assert {type(row.values[1]) for row in REFUSALS} == set(_COMMANDS)


# Who may ---------------------------------------------------------------------------------

PERSONS = ("ann", "bob", "dan", "eve", "openfelt")
MAY = [
    # the command, and who may give it; Ann sits at seat 1, Bob at seat 2
    case(seated, LeaveSeat(1), "ann eve"),
    case(lambda: seated().fund("ann", 1), BuyIn(1, 100), "ann", name="buy in"),
    case(seated, Collect(1), "ann eve"),
    case(seated, OpenBets(), "dan eve"),
    case(betting, SetWagers(ONE, wagers_of("ante 20")), "ann"),
    case(betting, SetWagers(TWO, wagers_of("ante 20")), "bob"),
    case(virtual, SeededWagers(ANTE, BOUND), "ann"),
    case(seeds_called, RevealSeed(1, SEED), "ann"),
    case(betting, SetWagers(ONE, ()), "ann openfelt"),
    case(betting, CloseBets(), "dan eve openfelt"),
    case(dealing, DealCard(ACE), "dan eve openfelt"),
    case(lambda: seated().do(OpenBets(), "dan"), VoidRound("nobody bets"), "dan eve openfelt",
         name="void without wagers"),
    case(dealing, VoidRound("bad cards"), "eve openfelt"),
    # At a table that the program deals, no dealer acts: neither in public nor in private.
    case(timed, VoidRound("bad cards"), "eve openfelt"),
    case(timed, CloseBets(), "eve openfelt"),
    case(timed_deciding, MakeDecision(ONE, Check()), "ann eve"),
    case(waiting, VoidRound("bad cards"), "eve openfelt"),
    case(waiting, MakeDecision(ONE, Check()), "ann eve"),
    case(virtual_cardroom, DeclineBank(1), "ann eve"),
    case(deciding, MakeDecision(ONE, Bet(4)), "ann"),
    case(deciding, MakeDecision(ONE, Check()), "ann eve"),
    case(lambda: deciding().told(absent_ms={"ann": 30_000}), MakeDecision(ONE, Check()),
         "ann dan eve", name="for an absent player"),
    case(on_river, MakeDecision(ONE, Fold()), "ann eve"),
    case(lambda: deciding().choose("ann", "1.1", "4x").deal("9c Td Jh 3s 4s"), TurnCards(),
         "dan eve openfelt", name="turn"),
    case(ready, CorrectCard(BOARD_1, ACE), "eve openfelt"),
    case(ready, Confirm(), "dan eve openfelt"),
    case(settled, ProposeAdjustment(1, 1, 500, "short"), "dan eve"),
    case(adjusting, ApproveAdjustment(1), "eve"),
    case(settled, CountStub(43), "dan eve"),
    case(betting, CountFelt(2_000), "dan eve"),
    case(dealing, CountFelt(spots=((ONE, 2_000), (TWO, 500))), "dan eve"),
    case(deciding, CallFloor("Seat 2 objects."), "dan eve"),
    case(held, ResumePlay(), "dan eve"),
    case(settled, ReportMispayment(1, 1, -500, "short"), "dan eve"),
    case(mispaid, ResolveMispayment(1, Resolution.NOT_RECOVERED), "eve"),
    case(deciding, SwapCards(HOLE_1, Place(Lies.DEALER, None, 1)), "dan eve"),
    case(on_river, SwapCards(HOLE_1, BOARD_1), "eve"),
    case(ready, CountStub(43), "dan eve"),
    case(adjusting, RejectAdjustment(1, "no"), "eve"),
    case(deciding, DeclareIrregularity(Irregularity.CARD_EXPOSED, About.HAND, ONE), "dan eve"),
    case(deciding, DeclareIrregularity(Irregularity.TOO_MANY_CARDS, About.HAND, ONE), "eve"),
    case(waiting, ExpireRound(1, 30), "eve openfelt"),
    case(timed, EndTime(1), "openfelt"),
    case(timed, ResumeClock(500), "openfelt"),
    case(cardroom, TakeBank(1, 5_000), "ann"),
    case(cardroom, DeclineBank(1), "ann eve"),
    case(seated, ChangeRules(own_house("washington")), "eve"),
    case(seated, ChangeLink("link-1"), "eve"),
    case(seated, ChangeClock(None, "slow"), "eve"),
    case(seated, ChangeDealer("dan"), "dan eve openfelt"),
    case(seated, ChangeDealer("dot"), "eve openfelt"),
    case(seated, ChangeDealer(None), "dan eve openfelt"),
    case(seated, HandOver("dot"), "dan eve"),
    case(seated, CloseTable("late"), "eve"),
    case(seated, PauseTable("a spill"), "eve"),
    case(dealing, ReopenBets(), "eve"),
    case(closing, ReopenTable(), "eve"),
    case(closed, ReopenTable(), "eve"),
]  # fmt: skip


@pytest.mark.parametrize(("situation", "command", "who"), MAY)
def test_only_these_may(situation: Callable[[], Pit], command: TableCommand, who: str) -> None:
    for name in PERSONS:
        pit = situation()
        if name in who.split():
            assert direct(pit.table, command, by=person(name), outside=pit.outside)
        else:
            with pytest.raises(Refusal) as caught:
                direct(pit.table, command, by=person(name), outside=pit.outside)
            assert caught.value.code in (
                CODE.NOT_ALLOWED,
                CODE.NOT_YOUR_SEAT,
                CODE.NEEDS_SUPERVISOR,
            )


def test_every_command_is_allowed_to_someone() -> None:
    assert {type(row.values[1]) for row in MAY} | {TakeSeat} == set(_COMMANDS)


# Invalid commands ------------------------------------------------------------------

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 10),
    st.just(10**30),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["1.1", "ante", "live", "hand", "Ac", {}, [], set(), object(), (1, 1)]),
    st.sampled_from([ONE, ACE, BOARD_1, Check(), Wager(WagerKind.ANTE, 1000), VIRTUAL]),
)
SPOTS = st.one_of(JUNK, st.builds(Spot, JUNK, JUNK), st.builds(Spot, st.just(1), JUNK))
PLACES = st.one_of(
    JUNK,
    st.builds(Place, JUNK, SPOTS, JUNK),
    st.builds(Place, st.sampled_from(Lies), SPOTS, st.integers(-1, 9)),
)
WAGERS = st.builds(Wager, st.one_of(JUNK, st.sampled_from(WagerKind)), JUNK, JUNK)
MALFORMED: dict[type, tuple[st.SearchStrategy[Any], ...]] = {
    TakeSeat: (JUNK,),
    LeaveSeat: (JUNK,),
    BuyIn: (JUNK, JUNK),
    Collect: (JUNK,),
    OpenBets: (),
    SetWagers: (SPOTS, st.one_of(JUNK, st.lists(st.one_of(JUNK, WAGERS), max_size=3).map(tuple))),
    SeededWagers: (st.one_of(JUNK, st.just(ANTE)), st.one_of(JUNK, st.just(BOUND))),
    RevealSeed: (JUNK, st.one_of(JUNK, st.just(SEED))),
    CloseBets: (),
    MakeDecision: (SPOTS, st.one_of(JUNK, st.builds(Bet, JUNK), st.builds(Hold, JUNK)), JUNK),
    DealCard: (JUNK,),
    TurnCards: (),
    CorrectCard: (PLACES, st.one_of(JUNK, st.just(ACE))),
    Confirm: (JUNK,),
    VoidRound: (JUNK,),
    ProposeAdjustment: (JUNK, JUNK, JUNK, JUNK),
    ApproveAdjustment: (JUNK,),
    CountStub: (JUNK, st.one_of(JUNK, st.just((ACE, ACE))), JUNK),
    RejectAdjustment: (JUNK, JUNK),
    SwapCards: (PLACES, PLACES),
    CountFelt: (
        JUNK,
        st.one_of(JUNK, st.lists(st.one_of(JUNK, st.tuples(SPOTS, JUNK)), max_size=3).map(tuple)),
        JUNK,
    ),
    CallFloor: (JUNK,),
    ResumePlay: (),
    ReportMispayment: (JUNK, JUNK, JUNK, JUNK),
    ResolveMispayment: (JUNK, st.one_of(JUNK, st.sampled_from(Resolution))),
    DeclareIrregularity: (
        st.one_of(JUNK, st.sampled_from(Irregularity)),
        st.one_of(JUNK, st.sampled_from(About)),
        SPOTS,
        JUNK,
        JUNK,
        JUNK,
        JUNK,
    ),
    TakeBank: (JUNK, JUNK, JUNK),
    DeclineBank: (JUNK,),
    EndTime: (JUNK,),
    ResumeClock: (JUNK,),
    ExpireRound: (JUNK, JUNK),
    ChangeRules: (JUNK, JUNK),
    ChangeLink: (JUNK, JUNK),
    ChangeClock: (JUNK, JUNK),
    ChangeDealer: (JUNK,),
    CloseTable: (JUNK,),
    PauseTable: (JUNK,),
    ReopenTable: (),
    ReopenBets: (),
    HandOver: (JUNK,),
}
SITUATIONS = [
    seated, betting, dealing, deciding, ready, settled, closed, linked, virtual, timed,
    timed_deciding, waiting, cardroom, banked, stadium_live, stadium_deciding, seeds_called,
    held, mispaid, uncounted,
]  # fmt: skip
PITS = [situation() for situation in SITUATIONS]


@quick
@given(st.sampled_from(PITS), st.sampled_from(PERSONS), st.data())
def test_whatever_a_command_holds_it_is_taken_or_refused(
    pit: Pit, name: str, data: st.DataObject
) -> None:
    """A wrong type is refused, and never breaks the table."""
    for form, fields in MALFORMED.items():
        command = form(*(data.draw(field) for field in fields))
        with suppress(Refusal):
            direct(pit.table, command, by=person(name), outside=pit.outside)


def test_the_malformed_commands_are_all_there_are() -> None:
    assert set(MALFORMED) == set(_COMMANDS)


@pytest.mark.parametrize("command", [None, "open_bets", 7, Check(), TakeSeat], ids=repr)
def test_other_values_than_commands_are_refused(command: Any) -> None:
    seated().refuses(command, "eve", RefusalCode.MALFORMED)


# Going on --------------------------------------------------------------------------------


def test_a_live_table_does_nothing_by_itself() -> None:
    for situation in (empty, seated, betting, dealing, deciding, ready, settled, closed):
        pit = situation()
        assert go_on(pit.table, pit.decks, pit.outside) == ()


def test_a_virtual_table_deals_turns_and_confirms_by_itself() -> None:
    pit = private().bet("ann", "1.1", "ante 10").close("ann").choose("ann", "1.1", "4x")
    assert pit.phase is Phase.SETTLED
    assert pit.names[3:] == ["RoundOpened", "WagersSet", "BetsClosed", "SeedsFixed",
        *["CardDealt"] * 4, "DecisionMade", *["CardDealt"] * 5, "CardsTurned", "RoundSettled",
        "DeckCommitted"]  # fmt: skip


def test_a_closing_table_closes_when_its_round_is_over() -> None:
    assert closing().table.phase is TablePhase.CLOSING
    pit = closing().choose("ann", "1.1", "4x").deal("9c Td Jh 3s 4s").turn().confirm()
    assert pit.table.phase is TablePhase.CLOSED
    assert pit.names[-2:] == ["RoundSettled", "TableClosed"]


def test_a_closing_table_does_not_wait_for_wagers_that_were_taken_back() -> None:
    pit = betting().do(CloseTable("It is late"), "eve").bet("ann", "1.1", "ante 20")
    assert pit.names[-1] == "WagersSet"
    pit.bet("ann", "1.1", "")
    assert (pit.phase, pit.table.phase) == (Phase.VOIDED, TablePhase.CLOSED)
    assert pit.credit("ann") == 50_000


def test_a_supervisor_opens_tables_and_plays_for_no_player() -> None:
    assert person("eve") == FLOOR
    pit = seated().do(OpenBets(), "eve").bet("bob", "2.1", "ante 5").close("eve")
    assert [str(spot) for spot in pit.round.hands] == [str(spot_of("2.1"))]
