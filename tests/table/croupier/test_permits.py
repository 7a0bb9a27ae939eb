"""What a screen may offer is what the table would accept."""

from collections import Counter
from dataclasses import replace
from datetime import date
from functools import cache
from random import Random
from typing import get_args

import pytest

from openfelt.cards import FULL_DECK
from openfelt.protocol.messages import CommandAsked
from openfelt.rules import (
    Bet,
    Check,
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    Fold,
    Hold,
    MakeDecision,
    Refusal,
    SetWagers,
    TurnCards,
    VoidRound,
)
from openfelt.rules.dealing import Deal, Lies, Place
from openfelt.rules.decisions import Decision
from openfelt.rules.house import DealerMode
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.round_actions import SwapCards
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.table.commands import (
    ApproveAdjustment,
    BuyIn,
    CallFloor,
    ChangeDealer,
    CloseTable,
    Collect,
    CountFelt,
    CountStub,
    DeclareIrregularity,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    PauseTable,
    Person,
    ProposeAdjustment,
    RejectAdjustment,
    ReopenBets,
    ReopenTable,
    ReportMispayment,
    ResolveMispayment,
    ResumePlay,
    RevealSeed,
    Role,
    SeededWagers,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.croupier import direct
from openfelt.table.croupier.permits import Permits, _decisions, _undealt
from openfelt.table.incidents import Resolution
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import seed_commitment
from openfelt.table.state import Table
from tests.kit.felt import wagers_of
from tests.kit.own_houses import own_house
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit

VIRTUAL = own_house("washington", {"table.dealer": "either"})


def player(name: str) -> Person:
    return Person(Role.PLAYER, name)


def may(pit: Pit, by: Person) -> list[str]:
    return Permits(pit.table, pit.outside).of(by)


def virtual() -> Pit:
    return Pit(VIRTUAL, mode=DealerMode.VIRTUAL, clock=SECONDS)


def test_who_stands_may_sit_and_who_sits_may_bet() -> None:
    pit = virtual()
    assert may(pit, player("ann")) == ["take_seat"]
    pit.sit("ann", 1, 500)
    assert may(pit, player("ann")) == ["buy_in", "set_wagers", "collect", "leave_seat"]
    pit.bet("ann", "1.1", "ante 10")
    assert may(pit, player("ann")) == ["buy_in", "set_wagers", "close_bets"]
    pit.time_ends()
    assert may(pit, player("ann")) == ["buy_in", "decide"]


def test_a_seed_is_asked_for_while_it_is_called_and_has_not_been_revealed() -> None:
    seed = "5e" * 32
    pit = virtual().sit("ann", 1, 500).sit("bob", 2, 500)
    ante = SetWagers(Spot(1, 1), wagers_of("ante 10"))
    pit.do(SeededWagers(ante, seed_commitment("table-1/1", 1, seed)), "ann")
    pit.bet("bob", "2.1", "ante 10")
    assert "reveal_seed" not in may(pit, player("ann"))
    pit.do(CloseBets(), "eve")
    assert "reveal_seed" in may(pit, player("ann"))
    assert "reveal_seed" not in may(pit, player("bob"))
    pit.do(RevealSeed(1, seed), "ann")
    assert "reveal_seed" not in may(pit, player("ann"))


def test_a_private_table_of_another_player_offers_no_seat() -> None:
    pit = Pit("online", private_to="ann")
    assert may(pit, player("bob")) == []


def test_a_table_that_is_full_or_closed_offers_no_seat() -> None:
    pit = virtual().do(CloseTable("late"), "eve")
    assert may(pit, player("ann")) == []
    assert "reopen_table" in may(pit, FLOOR)


def test_the_bank_is_offered_to_one_after_the_other() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    assert {"take_bank", "decline_bank"} <= set(may(pit, player("ann")))
    assert not {"take_bank", "decline_bank"} & set(may(pit, player("bob")))


def test_a_live_dealer_is_led_through_the_round() -> None:
    pit = Pit("washington").sit("ann", 1, 500)
    assert may(pit, DEALER) == ["open_bets", "change_dealer"]
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    assert may(pit, DEALER) == ["close_bets", "count_felt", "call_floor", "change_dealer"]
    pit.close()
    before = ["count_felt", "call_floor", "deal_card", "irregularity", "change_dealer"]
    assert may(pit, DEALER) == before
    pit.deal("As Ah Kc Kd")
    dealt = ["call_floor", "correct_card", "swap_cards", "irregularity", "change_dealer"]
    assert may(pit, DEALER) == dealt
    pit.choose("ann", "1.1", "4x").deal("2c 7d 9h Js 3c")
    last = ["turn_cards", "call_floor", "irregularity", "count_stub", "change_dealer"]
    assert may(pit, DEALER) == last
    assert {"void_round", "correct_card", "swap_cards"} <= {*may(pit, FLOOR)}
    pit.turn()
    ready = ["call_floor", "confirm", "irregularity", "count_stub", "change_dealer"]
    assert may(pit, DEALER) == ready
    pit.do(CallFloor(), "dan")
    assert may(pit, DEALER) == ["resume_play", "irregularity", "count_stub", "change_dealer"]
    pit.do(ResumePlay(), "dan").confirm()
    looked_back = ["open_bets", "propose_adjustment", "report_mispayment", "count_stub"]
    assert may(pit, DEALER) == [*looked_back, "change_dealer"]
    pit.do(ReportMispayment(1, 1, 500, "Paid twice."), "dan")
    assert may(pit, DEALER) == [*looked_back, "change_dealer"]
    assert "resolve_mispayment" in may(pit, FLOOR)


def test_a_dealer_who_is_not_signed_on_may_only_sign_on() -> None:
    pit = Pit("washington", dealer=None).sit("ann", 1, 500)
    assert may(pit, DEALER) == ["change_dealer"]
    assert may(pit.told(signed_on_at={"dan": "table-2"}), DEALER) == []
    pit.do(ChangeDealer("dot"), "eve")
    assert may(pit.told(signed_on_at={}), DEALER) == []
    assert "change_dealer" in may(pit, FLOOR)


def hand_place(seat: int) -> Place:
    return Place(Lies.HAND, Spot(seat, 1), 1)


def private() -> Pit:
    return Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")


@pytest.mark.parametrize(
    ("pit", "offered"),
    [
        (virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10"), []),
        (virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10").time_ends(), []),
        (private(), []),
        (private().close("ann"), []),
        (
            Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan"),
            ["call_floor", "void_round", "change_dealer"],
        ),
    ],
)
def test_a_dealer_is_offered_nothing_at_a_table_that_the_program_deals(
    pit: Pit, offered: list[str]
) -> None:
    assert may(pit, DEALER) == offered
    assert "void_round" in may(pit, FLOOR)
    assert "void_round" not in may(pit, player("ann"))
    void = VoidRound("A card was exposed.")
    for who in (DEALER, FLOOR, player("ann")):
        if "void_round" in may(pit, who):
            direct(pit.table, void, by=who, outside=pit.outside)
        else:
            pit.refuses(void, who, TableCode.NOT_ALLOWED)


@pytest.mark.parametrize("who", [DEALER, FLOOR])
def test_nobody_deals_by_hand_at_a_virtual_table(who: Person) -> None:
    pit = virtual().sit("ann", 1, 500).bet("ann", "1.1", "ante 10").time_ends()
    assert not {"deal_card", "turn_cards", "confirm", "correct_card"} & set(may(pit, who))


def test_a_player_without_credit_may_still_be_asked_for_bets() -> None:
    pit = virtual().sit("ann", 1, 0)
    assert may(pit, player("ann")) == ["buy_in", "set_wagers", "leave_seat"]


def test_a_wallet_that_is_known_to_be_empty_allows_no_buy_in() -> None:
    pit = virtual().sit("ann", 1, 500)
    outside = replace(pit.outside, wallet_cents=0)
    assert "buy_in" not in Permits(pit.table, outside).of(player("ann"))


def test_a_house_whose_limits_have_not_begun_takes_no_bets() -> None:
    pit = virtual().sit("ann", 1, 500)
    early = replace(pit.outside, day=date(1900, 1, 1))
    dated = bool(pit.table.house.limits)
    assert dated
    assert "set_wagers" not in Permits(pit.table, early).of(player("ann"))
    assert "set_wagers" in Permits(pit.table, pit.outside).of(player("ann"))


def test_only_the_hand_whose_turn_it_is_may_decide() -> None:
    house = own_house("washington", {"table.dealer": "either", "table.turns": "in_order"})
    pit = Pit(house, mode=DealerMode.VIRTUAL, clock=SECONDS).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10").time_ends()
    assert ["decide" in may(pit, player(name)) for name in ("ann", "bob")] == [True, False]
    pit.choose("ann", "1.1", "check")
    assert ["decide" in may(pit, player(name)) for name in ("ann", "bob")] == [False, True]


def test_nobody_scans_the_hands_of_terminals_with_decks_of_their_own() -> None:
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close()
    while (state := pit.table.playing) and isinstance(state.current_step, Deal):
        offered = "deal_card" in may(pit, DEALER)
        assert offered == (state.current_step.place.lies is not Lies.HAND)
        if not offered:
            break
        pit.do(DealCard(_undealt(state)), "dan")
    assert "deal_card" not in may(pit, DEALER)
    # The terminals' hands are decided by now, so that a correction needs a supervisor (R.31).
    assert "correct_card" not in may(pit, DEALER)
    assert "correct_card" in may(pit, FLOOR)


def test_two_hands_or_two_cards_of_the_board_may_be_swapped_before_the_dealer_has_cards() -> None:
    pit = Pit("washington").sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 10").close().deal("As Ah Kc")
    assert "swap_cards" in may(pit, DEALER)
    direct(pit.table, SwapCards(hand_place(1), hand_place(2)), by=DEALER, outside=pit.outside)
    house = own_house("washington", {"table.procedure": "community_first"})
    pit = Pit(house).sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").close().deal("As")
    assert "swap_cards" not in may(pit, DEALER)
    pit.deal("Ah")
    assert "swap_cards" in may(pit, DEALER)


def test_an_adjustment_is_offered_to_a_bank_that_can_only_be_paid_or_only_pay() -> None:
    """A player/dealer wins and pays no more than the bank wager (C.19)."""
    played = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    played.do(TakeBank(1, 20_000), "ann").bet("bob", "2.1", "ante 10").close()
    while played.table.playing is not None:
        played.turn()
        if isinstance(played.round.current_step, Deal):
            played.do(DealCard(_undealt(played.round)), "dan")
        elif played.round.pending:
            played.do(next(_decisions(played.round, 2)), "bob")
        else:
            played.confirm()
    (past,) = played.table.played
    assert past.win_left_cents is not None
    for spent in (replace(past, cover_left_cents=0), replace(past, win_left_cents=0)):
        table = replace(played.table, played=(spent,))
        assert "propose_adjustment" in Permits(table, played.outside).of(DEALER)


def test_a_seat_whose_deck_is_not_sealed_is_told_apart() -> None:
    """Between rounds, some decks of a hall are sealed before others."""
    pit = Pit("stadium", mode=DealerMode.VIRTUAL, clock=SECONDS)
    for name, seat in (("ann", 1), ("bob", 2)):
        pit.fund(name, 100_000)
        pit.do(TakeSeat(seat), name).do(BuyIn(seat, 50_000), name)
    sealed = {deck: root for deck, root in pit.table.commitments.items() if deck != "seat-2"}
    assert len(sealed) == len(pit.table.commitments) - 1
    table = replace(pit.table, commitments=sealed)
    for names in (("ann", "bob"), ("bob", "ann")):
        permits = Permits(table, pit.outside)
        offered = {name: "set_wagers" in permits.of(player(name)) for name in names}
        assert offered == {"ann": True, "bob": False}


# What is taken was offered ------------------------------------------------------------------

PEOPLE = {"ann": 1, "bob": 2, "cat": 3}
KINDS: dict[type, str] = {
    TakeSeat: "take_seat",
    LeaveSeat: "leave_seat",
    BuyIn: "buy_in",
    Collect: "collect",
    OpenBets: "open_bets",
    TakeBank: "take_bank",
    DeclineBank: "decline_bank",
    ChangeDealer: "change_dealer",
    CloseTable: "close_table",
    PauseTable: "pause_table",
    ReopenTable: "reopen_table",
    ReopenBets: "reopen_bets",
    SetWagers: "set_wagers",
    CloseBets: "close_bets",
    MakeDecision: "decide",
    DealCard: "deal_card",
    CorrectCard: "correct_card",
    TurnCards: "turn_cards",
    Confirm: "confirm",
    VoidRound: "void_round",
    RevealSeed: "reveal_seed",
    SwapCards: "swap_cards",
    DeclareIrregularity: "irregularity",
    ProposeAdjustment: "propose_adjustment",
    ApproveAdjustment: "approve_adjustment",
    RejectAdjustment: "reject_adjustment",
    CountStub: "count_stub",
    CountFelt: "count_felt",
    CallFloor: "call_floor",
    ResumePlay: "resume_play",
    ReportMispayment: "report_mispayment",
    ResolveMispayment: "resolve_mispayment",
    SeededWagers: "set_wagers",
}
SEED = "5e" * 32
TABLES = {
    "stadium": ("stadium", DealerMode.VIRTUAL),
    "live stadium": ("stadium", DealerMode.LIVE),
    "washington": ("washington", DealerMode.LIVE),
    "cardroom": ("california", DealerMode.VIRTUAL),
    "live cardroom": ("california", DealerMode.LIVE),
    "draw": ("draw", DealerMode.VIRTUAL),
    "online": ("online", DealerMode.VIRTUAL),
}


SEEDS = range(4)
STEPS = {DealerMode.VIRTUAL: 600, DealerMode.LIVE: 2500}
"""How many commands are tried in one play; a live round takes more of them to its end."""


def some_command(chance: Random, table: Table, by: Person) -> TableCommand:
    """Something that a person could ask of the table: mostly what carries rounds on, sensible or
    not."""
    goes_on = chance.random() < (0.95 if by.role is Role.PLAYER else 0.75)
    if by.role is Role.PLAYER:
        return chance.choice(_plays(chance, table, by) if goes_on else _comings(chance, table, by))
    if goes_on:
        return chance.choice(_deals(chance, table))
    return chance.choice([*_rules(by), *_mending(chance, table)])


def _plays(chance: Random, table: Table, by: Person) -> list[TableCommand]:
    seat = table.seat_of(by.name) or PEOPLE[by.name]
    spot = Spot(seat, chance.choice([1, 1, 1, 2]))
    hand = table.round.hands.get(spot) if table.round else None
    held = hand.cards[:2] if hand else ()
    decisions: list[Decision] = [Check(), Fold(), Bet(4), Bet(2), Bet(1), Hold(()), Hold(held)]
    cents = chance.choice([0, 1000, 2500])
    wagers = SetWagers(spot, (Wager(WagerKind.ANTE, cents),) if cents else ())
    round_id = f"{table.id}/{table.rounds + (table.playing is None)}"
    return [
        wagers,
        SeededWagers(wagers, seed_commitment(round_id, seat, SEED)),
        RevealSeed(seat, SEED),
        CloseBets(),
        TakeBank(seat, chance.choice([1, 100_000])),
        DeclineBank(seat),
        MakeDecision(spot, chance.choice(decisions)),
        *_decisions(table.playing, seat),
        *_decisions(table.playing, seat),
    ]


def _comings(chance: Random, table: Table, by: Person) -> list[TableCommand]:
    seat = table.seat_of(by.name) or PEOPLE[by.name]
    return [
        TakeSeat(seat),
        TakeSeat(chance.choice([None, seat])),
        LeaveSeat(seat),
        BuyIn(seat, 50_000),
        BuyIn(seat, 100),
        Collect(seat),
    ]


def some_place(chance: Random) -> Place:
    hands = [hand_place(seat) for seat in PEOPLE.values()]
    return chance.choice([Place(Lies.DEALER, None, 1), Place(Lies.COMMON, None, 2), *hands])


def _deals(chance: Random, table: Table) -> list[TableCommand]:
    card = _undealt(table.round) if table.round is not None else FULL_DECK[0]
    return [
        OpenBets(),
        CloseBets(),
        *([DealCard(card)] * 6),
        DealCard(chance.choice(FULL_DECK)),
        TurnCards(),
        TurnCards(),
        Confirm(),
        ReopenTable(),
        ResumePlay(),
        ChangeDealer(DEALER.name),
    ]


def _rules(by: Person) -> list[TableCommand]:
    return [
        *([ReopenBets()] * 4),
        VoidRound("misdeal"),
        CloseTable("late"),
        PauseTable("a spill"),
        ChangeDealer(by.name),
    ]


def _mending(chance: Random, table: Table) -> list[TableCommand]:
    seat, spot = chance.choice([*PEOPLE.values()]), Spot(chance.randint(1, 3), 1)
    number = chance.choice([1, *(played.number for played in table.played)])
    waiting = chance.choice([1, *table.adjustments])
    reported = chance.choice([1, *table.incidents.mispayments])
    irregular = DeclareIrregularity(
        irregularity=chance.choice(list(Irregularity)),
        about=chance.choice(list(About)),
        spot=chance.choice([None, spot]),
        card=chance.choice([None, chance.choice(FULL_DECK)]),
    )
    return [
        *([CorrectCard(some_place(chance), chance.choice(FULL_DECK))] * 3),
        *([SwapCards(some_place(chance), some_place(chance))] * 6),
        *([irregular] * 5),
        *([ProposeAdjustment(number, seat, chance.choice([-500, 500]), "Paid wrongly.")] * 4),
        *([ReportMispayment(number, seat, chance.choice([-500, 500]), "Paid twice.")] * 3),
        ApproveAdjustment(waiting),
        RejectAdjustment(waiting, "It was right."),
        CountStub(chance.randint(20, 40)),
        *([CountFelt(chance.choice([0, 1000, 2000, 2500]))] * 3),
        CallFloor(),
        ResolveMispayment(reported, Resolution.RECOVERED),
    ]


def check_shared(pit: Pit) -> None:
    """What seats that are alike are told at once is what each of them is told alone."""
    shared = Permits(pit.table, pit.outside)
    for name in PEOPLE:
        alone = Permits(pit.table, pit.outside).of(player(name))
        assert shared.of(player(name)) == alone, name


@cache
def taken_in(table: str, seed: int) -> Counter[str]:
    """How often each kind is taken in one random play; whatever is taken must have been offered."""
    house, mode = TABLES[table]
    chance = Random(seed)
    dealer = {"table.dealer": "either"} if house != "online" else {}
    clock = SECONDS if mode is DealerMode.VIRTUAL else None
    pit = Pit(own_house(house, dealer), mode=mode, clock=clock, seed=seed)
    people = [*map(player, PEOPLE), DEALER, FLOOR]
    for name, seat in PEOPLE.items():
        pit.fund(name, 10_000_000)
        if seat <= pit.table.house.seats:
            pit.do(TakeSeat(seat), name).do(BuyIn(seat, 500_000), name)
    taken = Counter[str]()
    for _ in range(STEPS[mode]):
        by = chance.choice(people)
        command = some_command(chance, pit.table, by)
        offered = Permits(pit.table, pit.outside).of(by)
        if chance.random() < 0.3:
            check_shared(pit)
        try:
            pit.do(command, by)
        except Refusal:
            continue
        kind = KINDS[type(command)]
        taken[kind] += 1
        assert kind in offered, (by, command, offered)
        if chance.random() < 0.1 and pit.table.clock:
            pit.time_ends()
    return taken


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("table", TABLES)
def test_whatever_is_taken_was_offered(table: str, seed: int) -> None:
    assert len(taken_in(table, seed)) >= 6


def test_the_random_plays_take_every_kind_of_the_socket() -> None:
    socket = {str(kind.__struct_config__.tag) for kind in get_args(CommandAsked)}
    assert set(KINDS.values()) == socket
    taken = sum((taken_in(table, seed) for table in TABLES for seed in SEEDS), Counter[str]())
    assert set(taken) == socket, sorted(socket - set(taken))
