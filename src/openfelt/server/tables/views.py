"""Tables as messages: the public view, and the private view of one viewer.

What the public and a player see of cards and wagers comes from ``openfelt.table.view`` and
``openfelt.rules.view``, which show nothing that the viewer may not see. This module decides the
rest: what only dealers and supervisors see of a table, such as rulings, adjustments and wagers
for the dealer.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from openfelt.cards import UNKNOWN_CARD, Card, has_card
from openfelt.protocol import table_views
from openfelt.rules.choices import Choices, clock_decision
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.decisions import Bet, Check, Decided, Fold, Hold
from openfelt.rules.lines import Line
from openfelt.rules.player_hand import PlayerHand
from openfelt.rules.reasons import Reasons
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_events import IrregularityDeclared
from openfelt.rules.view import HandView, RoundView, views_of
from openfelt.rules.wagers import Beneficiary, Wager, total_cents
from openfelt.runtime.tables.stops import StopReason
from openfelt.server.tables.computer_players import computer_seats
from openfelt.server.tables.incident_views import (
    adjustment_views,
    felt_view,
    hold_view,
    mispayment_views,
    ruling_view,
)
from openfelt.table.collection import dues, void_hand_dues
from openfelt.table.commands import Person, Role
from openfelt.table.croupier.committed_decks import is_sealed
from openfelt.table.croupier.irregularity_commands import rulings
from openfelt.table.deck import seat_decks, seat_of_deck
from openfelt.table.events import StubCounted
from openfelt.table.incidents import ClockFor
from openfelt.table.permissions import CONTROL, STAFF
from openfelt.table.seeds import Seeds
from openfelt.table.state import RunningClock, Table
from openfelt.table.view import table_view
from openfelt.table.void_reasons import void_code


def public_view(
    table: Table, *, meter_cents: int | None, stopped: StopReason | None, dealer: str | None = None
) -> table_views.PublicView:
    """The table as every viewer sees it, with the name that players see of the dealer."""
    all_hands = table.house.shows_all_hands
    seen = table_view(table, player=None, own_hands_only=not all_hands)
    return table_views.PublicView(
        table=seen.table,
        house=seen.house,
        fingerprint=seen.fingerprint,
        phase=seen.phase.value,
        dealer_mode=seen.dealer_mode.value,
        dealer=dealer,
        private=table.opened.private_to is not None,
        clock=table_views.ClockView(
            number=seen.clock.number,
            gives_time_for=seen.clock.gives_time_for.value,
            total_ms=given_ms(table, seen.clock),
        )
        if seen.clock
        else None,
        hold=hold_view(seen.hold) if seen.hold else None,
        clock_rule=table_views.ClockRuleView(
            wager_seconds=seen.clock_rule.wager_seconds,
            decision_seconds=seen.clock_rule.decision_seconds,
        )
        if seen.clock_rule
        else None,
        change=_change(table),
        link=seen.link,
        meter_cents=meter_cents,
        seats_taken=[seat.seat for seat in seen.seats],
        players=len(table.seats),
        computer_seats=computer_seats(table) if all_hands else [],
        bank_offered_to=seen.bank_offered_to,
        banks_next=table.bank_offered_to if table.player_banked else None,
        commitments=seen.commitments if all_hands else _of_table_deck(seen.commitments),
        deck_round=table.deck_round,
        seeds=_seeds(table.seeds) if table.seeds else None,
        fairness=table_views.FairnessView(
            rounds=table.fairness.rounds,
            rounds_voided=table.fairness.rounds_voided,
            rounds_withdrawn=table.fairness.rounds_withdrawn,
            seeds=table.fairness.seeds,
            seeds_withheld=table.fairness.seeds_withheld,
        ),
        round=_round(table, seen.round) if seen.round and table.round else None,
        results=[
            table_views.ResultView(
                number=result.number,
                dealer_hand=result.dealer_hand,
                void=result.void,
                wins=dict(result.wins),
                stand_offs=dict(result.stand_offs),
            )
            for result in seen.results
        ],
        stopped=stopped.sentence if stopped else None,
        stopped_code=stopped.code.value if stopped else None,
    )


def given_ms(table: Table, clock: RunningClock) -> int:
    """The time of a clock, without the time in which terminals show the cards before a choice."""
    rule = table.clock_rule
    if rule is None or clock.gives_time_for not in (ClockFor.DECISIONS, ClockFor.BANK):
        return clock.ms
    return min(clock.ms, rule.decision_seconds * 1000)


def _change(table: Table) -> table_views.ChangeView | None:
    """The latest change by staff, None once a round with it is over."""
    notice = table.terms.notice
    rounds_over = table.rounds if table.playing is None else table.rounds - 1
    if notice is None or notice.round <= rounds_over:
        return None
    kinds = [kind.value for kind in notice.kinds]
    return table_views.ChangeView(round=notice.round, kinds=kinds, reason=notice.reason)


def _seeds(seeds: Seeds) -> table_views.SeedsView:
    """The seeds as the room sees them; what each seat has revealed is in the round's proof."""
    return table_views.SeedsView(
        committed=len(seeds.committed),
        digest=seeds.called,
        fixed=seeds.fixed,
        withheld=len(seeds.withheld or ()),
    )


def _of_table_deck(commitments: dict[str, str]) -> dict[str, str]:
    """At a stadium each terminal's own commitment is private."""
    return {deck: root for deck, root in commitments.items() if seat_of_deck(deck) is None}


def _round(table: Table, seen: RoundView) -> table_views.RoundView:
    state = table.round
    assert state is not None
    settlement, reasons = seen.settlement, Reasons(state)
    step, place = _step(state)
    return table_views.RoundView(
        number=seen.number,
        id=table.round_id,
        phase=seen.phase.value,
        street=seen.street.value if seen.street else None,
        step=step,
        step_place=place,
        step_up_to=_turned_up_to(state),
        procedure=state.opened.procedure.value,
        common=_cards(seen.common),
        common_made=seen.common_made,
        dealer=_cards(seen.dealer),
        dealer_made=seen.dealer_made,
        dealer_held=None if seen.dealer_held is None else [str(card) for card in seen.dealer_held],
        dealer_qualified=settlement.dealer_qualified if settlement else seen.dealer_qualified,
        hands={str(hand.spot): _hand(hand, seen, reasons) for hand in seen.hands},
        hands_in_play=len(state.hands),
        hands_waited_for=len(state.pending),
        void_reason=seen.void_reason,
        void_code=void_reason_code(state),
        banker_seat=seen.banker.seat if seen.banker else None,
        cover_cents=seen.banker.cover_cents if seen.banker else None,
        cover_left_cents=_cover_left_cents(seen),
        irregularities=[irregularity_view(declared) for declared in seen.irregularities],
    )


def _turned_up_to(state: Round) -> int | None:
    step = state.current_step
    return step.up_to if isinstance(step, Turn) else None


def irregularity_view(declared: IrregularityDeclared) -> table_views.IrregularityView:
    """An irregularity as every viewer sees it, without what staff wrote about it."""
    return table_views.IrregularityView(
        irregularity=declared.irregularity.value,
        about=declared.about.value,
        effect=declared.effect.value,
        clause=declared.clause,
        spot=str(declared.spot) if declared.spot is not None else None,
        card=str(declared.card) if declared.card is not None else None,
        cents=declared.cents,
    )


def void_reason_code(state: Round) -> str | None:
    """The code of the reason for which a round is void, None where staff have written their own."""
    code = void_code(state)
    return code.value if code else None


def _cover_left_cents(seen: RoundView) -> int | None:
    """The rest of a bank wager: all of it until the round is settled."""
    if seen.settlement is not None:
        return seen.settlement.cover_left_cents
    return seen.banker.cover_cents if seen.banker else None


def _step(state: Round) -> tuple[str | None, str | None]:
    """The step that the table waits for."""
    match state.current_step:
        case Deal(place=place):
            return "card", str(place)
        case Turn(lies=lies, spot=spot):
            return "turn", lies.value if spot is None else f"hand {spot}"
    if state.street is not None:
        return "decisions", None
    return ("confirm" if state.phase is Phase.READY else None), None


def _hand(hand: HandView, seen: RoundView, reasons: Reasons) -> table_views.HandView:
    settlement, spot = seen.settlement, hand.spot
    lines = settlement.of_hand(spot) if settlement else ()
    banked = settlement is not None and seen.banker is not None
    return table_views.HandView(
        seat=hand.spot.seat,
        hand=hand.spot.hand,
        wagers=_wagers(hand.wagers),
        cards=_cards(hand.cards),
        made=hand.made,
        decisions=_decisions(hand.decisions),
        held_count=hand.held_count,
        due=hand.due,
        ante_returned=hand.ante_returned,
        void=hand.void,
        fouled=hand.fouled,
        lines=line_views(lines, reasons),
        net_cents=settlement.net_cents(spot.seat, spot.hand) if settlement and lines else None,
        bank_net_cents=settlement.bank_net_against_cents(spot) if settlement and banked else None,
    )


# A room makes thousands of these views at once, and looking a member up in an enumeration takes as
# long as a call.
_DEALER: Final = Beneficiary.DEALER
_PLAYER: Final = Role.PLAYER

# One viewer ------------------------------------------------------------------------


def private_view(
    table: Table,
    viewer: Person | None,
    *,
    wallet_cents: int,
    may: list[str],
    preview: table_views.PreviewView | None = None,
    bank: table_views.BankView | None = None,
) -> table_views.PrivateView:
    """What only this viewer sees: the seat, its credit and hands, and what the viewer may do."""
    player = viewer.name if viewer is not None and viewer.role is _PLAYER else None
    seat = table.seat_of(player) if player is not None else None
    credit_cents = table.seats[seat].credit_cents if seat is not None else 0
    state = table.round
    # A player who has sat down since the last round was over did not play it.
    played = seat if seat not in table.vacated else None
    own = state.hands_of(played) if state is not None and played is not None else ()
    bet_cents, net_cents = _meters(state, own, played)
    staff = is_staff(viewer)
    return table_views.PrivateView(
        name=viewer.name if viewer else None,
        seat=seat,
        credit_cents=credit_cents,
        wallet_cents=wallet_cents,
        bet_cents=bet_cents,
        win_cents=max(net_cents, 0),
        net_cents=net_cents,
        collection_cents=_collection_cents(state, played),
        deck_root=_deck_root(table, seat),
        deck_round=table.deck_round,
        deck_sealed=seat is None or is_sealed(table, seat),
        seed_commitment=table.seeds.committed.get(played or 0) if table.seeds else None,
        seed_revealed=table.seeds is not None and played in table.seeds.revealed,
        hands=_own_hands(state, own, played, credit_cents) if state is not None and own else {},
        dealer_bets=_dealer_bets(table, viewer),
        may=may,
        rulings=_rulings(table) if staff else [],
        adjustments=adjustment_views(table) if staff else [],
        played=_played(table) if staff else [],
        felt=felt_view(felt) if staff and (felt := table.incidents.felt) else None,
        mispayments=mispayment_views(table) if staff else [],
        stub=_stub(table.stub) if staff and table.stub is not None else None,
        preview=preview if staff else None,
        bank=bank if staff else None,
    )


def _rulings(table: Table) -> list[table_views.RulingView]:
    state = table.round
    return [] if state is None else [ruling_view(state, ruling) for ruling in rulings(table)]


def _played(table: Table) -> list[table_views.PlayedView]:
    return [
        table_views.PlayedView(number=past.number, seats=sorted(past.players))
        for past in reversed(table.played)
    ]


def _stub(stub: StubCounted) -> table_views.StubView:
    return table_views.StubView(
        count=stub.count,
        expected=stub.expected,
        missing=[str(card) for card in stub.missing],
        extra=[str(card) for card in stub.extra],
        whole=stub.whole,
    )


_STAFF_ROLES: Final = frozenset((*STAFF, *CONTROL))


def is_staff(viewer: Person | None) -> bool:
    """Whether a viewer deals at tables, supervises them or audits them."""
    return viewer is not None and viewer.role in _STAFF_ROLES


def _dealer_bets(table: Table, viewer: Person | None) -> table_views.DealerBetsView | None:
    """The wagers for the dealer, for the dealer of the table, supervisors and auditors."""
    state = table.round
    if state is None or table.virtual or viewer is None:
        return None
    if viewer != Person(Role.DEALER, table.dealer or "") and viewer.role not in CONTROL:
        return None
    wagers = [
        wager
        for hand in state.hands.values()
        for wager in hand.wagers
        if wager.beneficiary is Beneficiary.DEALER
    ]
    if not wagers:
        return None
    won_cents = None
    if state.phase is Phase.SETTLED and state.settlement is not None:
        tips = [line for line in state.settlement.lines if line.beneficiary is Beneficiary.DEALER]
        won_cents = sum(line.payout_cents for line in tips)
    return table_views.DealerBetsView(
        wagers=len(wagers), cents=total_cents(wagers), won_cents=won_cents
    )


def _deck_root(table: Table, seat: int | None) -> str | None:
    """The commitment to the deck from which a seat's own cards come."""
    decks = seat_decks(table.house, [seat]) if seat is not None else ()
    return next((table.commitments.get(deck) for deck in decks), None)


def _own_hands(
    state: Round, own: tuple[PlayerHand, ...], seat: int | None, credit_cents: int
) -> dict[str, table_views.OwnHandView]:
    if seat is None:
        return {}
    hands, reasons = views_of(state, own, seat=seat, credit_cents=credit_cents), Reasons(state)
    return {str(hand.spot): _own_hand(state, hand, reasons) for hand in hands}


def _meters(state: Round | None, own: tuple[PlayerHand, ...], seat: int | None) -> tuple[int, int]:
    """A seat's stake and its result of the round; a bank wager is a stake."""
    if state is None or seat is None:
        return 0, 0
    banker = state.opened.banker
    if banker is not None and state.banked_by(seat):
        return banker.cover_cents, state.net_cents(seat)
    return sum([total_cents(hand.wagers) for hand in own]), state.net_cents(seat)


def _collection_cents(state: Round | None, seat: int | None) -> int:
    """The collection that a seat paid before the deal (R.20); a void round returns it (R.13)."""
    if state is None or seat is None or not state.house.bank.collection:
        return 0
    if state.phase in (Phase.WAGERING, Phase.VOIDED):
        return 0
    returned = void_hand_dues(state) if state.phase is Phase.SETTLED else {}
    return dues(state).get(seat, 0) - returned.get(seat, 0)


def _own_hand(state: Round, hand: HandView, reasons: Reasons) -> table_views.OwnHandView:
    settlement, spot = state.settlement, hand.spot
    lines = settlement.of_hand(spot) if settlement else ()
    dealt = state.hands[spot]
    held, cards = dealt.held, dealt.cards
    return table_views.OwnHandView(
        seat=hand.spot.seat,
        hand=hand.spot.hand,
        wagers=_wagers(hand.wagers),
        cards=_cards(hand.cards),
        made=hand.made,
        decisions=_decisions(hand.decisions),
        held=None if held is None or has_card(held, UNKNOWN_CARD) else [str(card) for card in held],
        due=hand.due,
        choices=_choices(hand.choices),
        may_hold=hand.choices.may_hold,
        clock_decides=str(clock_decision(state, hand.spot))
        if hand.due and not has_card(cards, UNKNOWN_CARD)
        else None,
        lines=line_views(lines, reasons),
        net_cents=settlement.net_cents(spot.seat, spot.hand) if settlement and lines else None,
        void=hand.void,
        fouled=hand.fouled,
    )


def _choices(choices: Choices) -> list[table_views.ChoiceView]:
    return [
        table_views.ChoiceView(
            kind=_KINDS[type(option.decision)],
            multiple=option.decision.multiple if isinstance(option.decision, Bet) else None,
            cost_cents=option.cost_cents,
        )
        for option in choices.options
    ]


_KINDS: Final = {Bet: "bet", Check: "check", Fold: "fold", Hold: "hold"}


# Parts -----------------------------------------------------------------------------


def _cards(cards: Iterable[Card | None]) -> list[str | None]:
    return [None if card is None else str(card) for card in cards]


def _wagers(wagers: Iterable[Wager]) -> list[table_views.WagerView]:
    return [
        table_views.WagerView(
            kind=wager.kind._value_,
            cents=wager.cents,
            for_dealer=wager.beneficiary is _DEALER,
        )
        for wager in wagers
    ]


def _decisions(decisions: Iterable[Decided]) -> list[table_views.DecisionView]:
    return [decision_view(decided) for decided in decisions]


def decision_view(decided: Decided) -> table_views.DecisionView:
    """A decision as a message."""
    decision = decided.decision
    return table_views.DecisionView(
        street=decided.street._value_,
        decision=str(decision),
        kind=_KINDS[type(decision)],
        multiple=decision.multiple if isinstance(decision, Bet) else None,
        cards=[str(card) for card in decision.cards if card is not UNKNOWN_CARD]
        if isinstance(decision, Hold)
        else None,
        by=decided.by._value_,
    )


def line_views(lines: Sequence[Line], reasons: Reasons) -> list[table_views.LineView]:
    """The lines of one hand."""
    return [
        table_views.LineView(
            wager=line.wager,
            for_dealer=line.beneficiary is _DEALER,
            stake_cents=line.stake_cents,
            returned_cents=line.returned_cents,
            payout_cents=line.payout_cents,
            result=line.result._value_,
            outcome=line.outcome,
            why=table_views.WhyView(*why),
            clause=line.clause,
            because=line.because,
        )
        for line, why in zip(lines, reasons.of_hand(lines), strict=True)
    ]
