"""The kinds of command that a person may give at a table now, so that a screen offers no others.

The croupier is asked about every kind of the socket, with a command that represents all of its
kind. So what is offered and what is accepted cannot drift apart.

Commands that have no message on the socket are not listed, because no screen sends them from the
table's view. They need what a table does not know, a form that a person fills in or another
person's PIN: the endpoints of tables give ``ChangeRules``, ``ChangeClock`` and ``ChangeLink``, the
dealer's desk gives ``HandOver``, and the system gives ``ExpireRound``, ``EndTime`` and
``ResumeClock``. Pages offer these by role, and the croupier refuses them like any other.
"""

from collections.abc import Hashable, Iterator
from itertools import combinations, islice
from typing import Final

from openfelt.cards import FULL_DECK, Card
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.choices import clock_decision
from openfelt.rules.dealing import COMMON_CARDS, Lies, Place
from openfelt.rules.decisions import Hold
from openfelt.rules.house import GameName, House, Turns
from openfelt.rules.irregularity_rules import TAKES_CARD, About, Irregularity
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Round, card_at
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    SetWagers,
    SwapCards,
    TurnCards,
    VoidRound,
)
from openfelt.rules.wagers import Spot, Wager, WagerKind
from openfelt.table.collection import bank_wager_min_cents
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
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.committed_decks import is_sealed
from openfelt.table.croupier.croupier import direct
from openfelt.table.croupier.irregularity_commands import rulings
from openfelt.table.incidents import Resolution
from openfelt.table.permissions import Outside
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import SEED_BYTES
from openfelt.table.state import Table

# Looking a member up in an enumeration takes as long as a call.
_PLAYER: Final = Role.PLAYER
_TOGETHER: Final = Turns.TOGETHER
_REASON: Final = "Asked in advance."
_ANY_SEED: Final = "00" * SEED_BYTES
"""A placeholder for the seed of a seat, which only its terminal knows."""
_STILL_OPEN: Final = {RefusalCode.CREDIT_SHORT, TableCode.WRONG_SEED}
"""Another command of the kind would be taken: with more credit, or with the seat's own seed."""
_OF_THE_TABLE: Final[dict[str, TableCommand]] = {
    "open_bets": OpenBets(),
    "close_bets": CloseBets(),
    "reopen_bets": ReopenBets(),
    "turn_cards": TurnCards(),
    "count_felt": CountFelt(cents=0),
    "call_floor": CallFloor(),
    "resume_play": ResumePlay(),
    "void_round": VoidRound(_REASON),
    "close_table": CloseTable(_REASON),
    "pause_table": PauseTable(_REASON),
    "reopen_table": ReopenTable(),
}


class Permits:
    """The permissions at a table as it is now; a room asks it for each of its viewers.

    >>> from datetime import date
    >>> from openfelt.catalog import load_house
    >>> from openfelt.table.commands import SYSTEM, OpenTable
    >>> from openfelt.table.state import open_table
    >>> from openfelt.table.croupier.supervision import opening
    >>> house = load_house("online")
    >>> table = open_table(opening(OpenTable(table="one", house=house), by=SYSTEM))
    >>> Permits(table, Outside(day=date(2026, 1, 1))).of(Person(Role.PLAYER, "ann"))
    ['take_seat']
    """

    def __init__(self, table: Table, outside: Outside) -> None:
        self._table = table
        self._outside = outside
        self._alike: dict[tuple[str, Hashable], bool] = {}
        """Answers that are the same for all seats that are alike, so that a hall asks only once."""
        self._kinds_of_alike: dict[Hashable, list[str]] = {}
        """All kinds of the seats that are alike in everything."""

    def of(self, by: Person) -> list[str]:
        """The kinds of command that a person may give now, each by its public name.

        A kind is open if any command of it would be taken. A bet that the credit does not cover
        counts as taken, because the player may buy in; so does a buy-in, unless ``outside`` says
        what the wallet holds; and so does a seed while the seat's own seed is called.

        For staff these are the kinds about the table and its cards. What they may do for an
        absent player depends on that player's seat, and is not listed.
        """
        if by.role is not _PLAYER:
            return [kind for kind, is_open in self._staff(by) if is_open]
        alike = self._all_alike(by)
        kinds = self._kinds_of_alike.get(alike) if alike is not None else None
        if kinds is None:
            kinds = [kind for kind, is_open in self._player(by) if is_open]
            if alike is not None:
                self._kinds_of_alike[alike] = kinds
        return list(kinds)

    def _open(self, command: TableCommand, by: Person) -> bool:
        try:
            direct(self._table, command, by=by, outside=self._outside)
        except Refusal as refusal:
            return refusal.code in _STILL_OPEN
        return True

    def _ask(self, kind: str, command: TableCommand, by: Person, *, alike: Hashable) -> bool:
        """Whether a command is open.

        ``alike`` is what the answer depends on besides the table; of seats that have it in common,
        only the first is asked for. With None, each seat is.
        """
        if alike is None:
            return self._open(command, by)
        key = kind, alike
        if key not in self._alike:
            self._alike[key] = self._open(command, by)
        return self._alike[key]

    # Players -------------------------------------------------------------------------

    def _all_alike(self, by: Person) -> Hashable:
        """Everything that the answers for a player depend on; None if each seat is asked alone."""
        table = self._table
        seat, state, seeds = table.seat_of(by.name), table.playing, table.seeds
        if seat is None or table.opened.clock is None or table.player_banked:
            return None
        hands = state.hands_of(seat) if state is not None else ()
        due = False
        if state is not None and hands:
            if state.house.turns is not _TOGETHER:
                return None
            due = bool([hand for hand in hands if hand.spot in state.pending])
        credit_cents = table.seats[seat].credit_cents
        return (
            credit_cents >= AMOUNT_MAX_CENTS,
            credit_cents > 0,
            bool(hands),
            due,
            is_sealed(table, seat),
            seeds is not None and (seat in seeds.committed, seat in seeds.revealed),
        )

    def _player(self, by: Person) -> Iterator[tuple[str, bool]]:
        seat = self._table.seat_of(by.name)
        if seat is None:
            yield "take_seat", self._open(TakeSeat(), by)
            return
        table, ask = self._table, self._ask
        credit_cents, in_play = table.seats[seat].credit_cents, table.wagers_of(seat)
        full = credit_cents >= AMOUNT_MAX_CENTS
        yield "buy_in", ask("buy_in", BuyIn(seat, 1), by, alike=full)
        yield "set_wagers", self._bets_open(seat, by)
        # Without a clock, the first player to bet closes the bets while no other has bet.
        timed = table.opened.clock is not None or None
        yield "close_bets", ask("close_bets", CloseBets(), by, alike=timed)
        seeds = table.seeds
        bound = seeds and (seat in seeds.committed, seat in seeds.revealed)
        yield "reveal_seed", ask("reveal_seed", RevealSeed(seat, _ANY_SEED), by, alike=bound or ())
        chips = credit_cents > 0, in_play
        yield "collect", ask("collect", Collect(seat), by, alike=chips)
        yield "leave_seat", ask("leave_seat", LeaveSeat(seat), by, alike=chips)
        house_banks = not table.player_banked or None
        yield "decline_bank", ask("decline_bank", DeclineBank(seat), by, alike=house_banks)
        least = TakeBank(seat, bank_wager_min_cents(table.house))
        yield "take_bank", ask("take_bank", least, by, alike=house_banks)
        decisions = _decisions(table.playing, seat) if in_play else ()
        together = table.playing is not None and table.playing.house.turns is Turns.TOGETHER
        due = together or None
        yield "decide", any(ask("decide", decision, by, alike=due) for decision in decisions)

    def _bets_open(self, seat: int, by: Person) -> bool:
        """Whether chips may be set: in a round taken back, and between rounds the first bet."""
        spot = Spot(seat, 1)
        if (state := self._table.playing) is not None:
            alike = is_sealed(self._table, seat), state.banked_by(seat)
            return self._ask("set_wagers", SetWagers(spot, ()), by, alike=alike)
        # A lack of credit does not count, so the answer is the same for all sealed seats.
        first = SetWagers(spot, _smallest(self._table.house))
        return self._ask("set_wagers", first, by, alike=is_sealed(self._table, seat))

    # Staff ---------------------------------------------------------------------------

    def _staff(self, by: Person) -> Iterator[tuple[str, bool]]:
        for kind, command in _OF_THE_TABLE.items():
            yield kind, self._open(command, by)
        state = self._table.playing
        if state is not None:
            card = _undealt(state)
            corrections = (CorrectCard(place, card) for place in _first_cards(state))
            yield "deal_card", self._open(DealCard(card), by)
            yield "correct_card", any(self._open(command, by) for command in corrections)
            swaps = (SwapCards(*places) for places in combinations(_first_cards(state), 2))
            yield "swap_cards", any(self._open(command, by) for command in swaps)
            yield "confirm", self._open(Confirm(), by)
            asked = _irregularities(self._table, state)
            yield "irregularity", any(self._open(command, by) for command in asked)
        proposals = _adjustments(self._table, by)
        yield "propose_adjustment", any(self._open(command, by) for command in proposals)
        for played in self._table.played[-1:]:
            report = ReportMispayment(played.number, min(played.players), 1, _REASON)
            yield "report_mispayment", self._open(report, by)
        waiting = self._table.adjustments
        approvals = (ApproveAdjustment(number) for number in waiting)
        rejections = (RejectAdjustment(number, _REASON) for number in waiting)
        yield "approve_adjustment", any(self._open(command, by) for command in approvals)
        yield "reject_adjustment", any(self._open(command, by) for command in rejections)
        endings = (
            ResolveMispayment(number, Resolution.RECOVERED)
            for number in self._table.incidents.mispayments
        )
        yield "resolve_mispayment", any(self._open(command, by) for command in endings)
        yield "count_stub", self._open(CountStub(0), by)
        dealer = by.name if by.role is Role.DEALER else None
        yield "change_dealer", self._open(ChangeDealer(dealer), by)


def _adjustments(table: Table, by: Person) -> Iterator[ProposeAdjustment]:
    """For each round that can be adjusted, one payment to a player and one back.

    Staff may have played the round themselves, and propose nothing for their own hand.
    """
    for played in reversed(table.played):
        seats = (seat for seat, player in sorted(played.players.items()) if player != by.name)
        if (seat := next(seats, None)) is not None:
            for cents in (1, -1):
                yield ProposeAdjustment(played.number, seat, cents, _REASON)


def _irregularities(table: Table, state: Round) -> Iterator[DeclareIrregularity]:
    """One command for each irregularity that is possible now."""
    standing = [spot for spot in state.hands if spot not in state.dead_hands]
    with_play = [spot for spot in standing if state.hands[spot].stake_cents(WagerKind.PLAY)]
    for ruling in rulings(table):
        of_play = ruling.irregularity in (Irregularity.PLAY_DIFFERS, Irregularity.PLAY_DENIED)
        spots = with_play if of_play else standing
        about_hand = ruling.about in (About.HAND, About.CHIPS)
        yield DeclareIrregularity(
            irregularity=ruling.irregularity,
            about=ruling.about,
            spot=next(iter(spots), None) if about_hand else None,
            card=_undealt(state) if ruling.effect in TAKES_CARD else None,
        )


def _smallest(house: House) -> tuple[Wager, ...]:
    ante = house.wager(WagerKind.ANTE)
    return (Wager(WagerKind.ANTE, ante.min_cents),) if ante is not None else ()


def _decisions(state: Round | None, seat: int) -> Iterator[MakeDecision]:
    """For each hand of a seat that has to decide, a decision that is open to every such hand."""
    for hand in state.hands_of(seat) if state is not None else ():
        if state is not None and hand.spot in state.pending:
            draws = state.house.game is GameName.ULTIMATE_DRAW
            decision = Hold(()) if draws else clock_decision(state, hand.spot)
            yield MakeDecision(hand.spot, decision)


def _undealt(state: Round) -> Card:
    """A card that lies nowhere; any card if there is none."""
    dealt = {*state.dealer, *state.common, *state.burned}.union(
        *(hand.cards for hand in state.hands.values())
    )
    return next((card for card in FULL_DECK if card not in dealt), FULL_DECK[0])


def _first_cards(state: Round) -> Iterator[Place]:
    """The first cards, of those dealt, of the dealer, of two hands, and two of the board."""
    if state.dealer:
        yield Place(Lies.DEALER, None, 1)
    common = (Place(Lies.COMMON, None, number) for number in range(1, COMMON_CARDS + 1))
    yield from islice((place for place in common if card_at(state, place)), 2)
    hands = (hand for hand in state.hands.values() if hand.cards)
    for hand in islice(hands, 2):
        yield Place(Lies.HAND, hand.spot, 1)
