"""Tables as messages: what everybody sees, and what one viewer sees besides.

Both start from ``openfelt.table.view`` and ``openfelt.rules.view``, which show nothing that
the viewer may not see; here it only takes the form of messages.
"""

from collections.abc import Iterable
from typing import Final

from openfelt.cards import Card
from openfelt.rules.choices import Choices, clock_decision
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.decisions import Bet, Check, Decided, Fold, Hold
from openfelt.rules.house import House
from openfelt.rules.lines import Line
from openfelt.rules.round import Phase, Round
from openfelt.rules.view import HandView, RoundView
from openfelt.rules.view import view as round_view
from openfelt.rules.wagers import Beneficiary, Spot, Wager, total_cents
from openfelt.server import messages
from openfelt.server.permits import may
from openfelt.table.bank_commands import offered_bank
from openfelt.table.commands import Person, Role
from openfelt.table.state import Table
from openfelt.table.view import table_view

FELT_SEATS_MAX: Final = 12
"""At a table with more seats nobody is shown other people's hands."""


def public_view(
    table: Table, *, meter_cents: int | None, stopped: str | None
) -> messages.PublicView:
    """The table as everybody sees it."""
    all_hands = shows_all_hands(table.house)
    seen = table_view(table, player=None, own_hands_only=not all_hands)
    return messages.PublicView(
        table=seen.table,
        house=seen.house,
        fingerprint=seen.fingerprint,
        phase=seen.phase.value,
        dealer_mode=seen.dealer_mode.value,
        dealer=seen.dealer,
        private=table.opened.private_to is not None,
        clock=messages.ClockView(
            number=seen.clock.number,
            gives_time_for=seen.clock.gives_time_for.value,
            total_ms=seen.clock.ms,
        )
        if seen.clock
        else None,
        link=seen.link,
        meter_cents=meter_cents,
        seats_taken=[seat.seat for seat in seen.seats],
        bank_offered_to=seen.bank_offered_to,
        banks_next=offered_bank(table) if table.player_banked else None,
        commitments=seen.commitments if all_hands else _of_table_deck(seen.commitments),
        round=_round(table, seen.round) if seen.round and table.round else None,
        results=[
            messages.ResultView(
                number=result.number,
                dealer_hand=result.dealer_hand,
                void=result.void,
                wins=dict(result.wins),
                stand_offs=dict(result.stand_offs),
            )
            for result in seen.results
        ],
        stopped=stopped,
    )


def shows_all_hands(house: House) -> bool:
    """Whether everybody sees everybody's hands, as around a felt."""
    return house.seats <= FELT_SEATS_MAX


def _of_table_deck(commitments: dict[str, str]) -> dict[str, str]:
    """At a stadium each terminal's own commitment is its own affair."""
    return {deck: root for deck, root in commitments.items() if not deck.startswith("seat-")}


def _round(table: Table, seen: RoundView) -> messages.RoundView:
    state = table.round
    assert state is not None
    settlement = seen.settlement
    step, place = _step(state)
    return messages.RoundView(
        number=seen.number,
        id=table.round_id,
        phase=seen.phase.value,
        street=seen.street.value if seen.street else None,
        step=step,
        step_place=place,
        common=_cards(seen.common),
        common_made=seen.common_made,
        dealer=_cards(seen.dealer),
        dealer_made=seen.dealer_made,
        dealer_held=None if seen.dealer_held is None else [str(card) for card in seen.dealer_held],
        dealer_qualified=settlement.dealer_qualified if settlement else None,
        hands={str(hand.spot): _hand(hand, seen) for hand in seen.hands},
        hands_in_play=len(state.hands),
        hands_waited_for=len(state.pending),
        void_reason=seen.void_reason,
        banker_seat=seen.banker.seat if seen.banker else None,
        cover_cents=seen.banker.cover_cents if seen.banker else None,
        cover_left_cents=_cover_left_cents(seen),
    )


def _cover_left_cents(seen: RoundView) -> int | None:
    """What is left of a bank wager: all of it until the round is settled."""
    if seen.settlement is not None:
        return seen.settlement.cover_left_cents
    return seen.banker.cover_cents if seen.banker else None


def _step(state: Round) -> tuple[str | None, str | None]:
    """What the table waits for."""
    match state.current_step:
        case Deal(place=place):
            return "card", str(place)
        case Turn(lies=lies):
            return "turn", lies.value
    if state.street is not None:
        return "decisions", None
    return ("confirm" if state.phase is Phase.READY else None), None


def _hand(hand: HandView, seen: RoundView) -> messages.HandView:
    lines = seen.settlement.lines if seen.settlement else ()
    return messages.HandView(
        seat=hand.spot.seat,
        hand=hand.spot.hand,
        wagers=_wagers(hand.wagers),
        cards=_cards(hand.cards),
        made=hand.made,
        decisions=_decisions(hand.decisions),
        held_count=hand.held_count,
        due=hand.due,
        lines=_lines(line for line in lines if line.spot == hand.spot),
    )


# One viewer ------------------------------------------------------------------------


def private_view(table: Table, viewer: Person | None, *, wallet_cents: int) -> messages.PrivateView:
    """What only this viewer sees: the own seat, credit, hands and choices."""
    player = viewer.name if viewer is not None and viewer.role is Role.PLAYER else None
    seat = table.seat_of(player) if player is not None else None
    credit_cents = table.seats[seat].credit_cents if seat is not None else 0
    state = table.round
    own = _own_spots(state, seat)
    settlement = state.settlement if state else None
    lines = settlement.of_seat(seat) if settlement and seat is not None else ()
    bet_cents, net_cents = _meters(state, own, lines, seat)
    return messages.PrivateView(
        name=viewer.name if viewer else None,
        seat=seat,
        credit_cents=credit_cents,
        wallet_cents=wallet_cents,
        bet_cents=bet_cents,
        win_cents=bet_cents + net_cents if settlement else 0,
        net_cents=net_cents,
        hands={
            str(hand.spot): _own_hand(state, hand, lines)
            for hand in round_view(
                state, seat=seat, credit_cents=credit_cents, own_hands_only=True
            ).hands
        }
        if state and own
        else {},
        may=may(table, viewer),
    )


def _meters(
    state: Round | None, own: list[Spot], lines: Iterable[Line], seat: int | None
) -> tuple[int, int]:
    """What a seat has at stake, and what the round has brought it; a bank wager is a stake."""
    if state is None:
        return 0, 0
    banker = state.opened.banker
    if banker is not None and banker.seat == seat:
        return banker.cover_cents, state.settlement.bank_net_cents if state.settlement else 0
    return sum(total_cents(state.hands[spot].wagers) for spot in own), _net_cents(lines)


def _net_cents(lines: Iterable[Line]) -> int:
    """What lines have brought the player; what wagers for the dealer win is the dealer's."""
    return sum(
        line.returned_cents
        - line.stake_cents
        + (line.payout_cents if line.beneficiary is Beneficiary.PLAYER else 0)
        for line in lines
    )


def private_key(table: Table, viewer: Person | None) -> object:
    """Something that changes whenever a private view at a stadium does, and costs little.

    A bet of one terminal must not mean work for the thousand others. None at tables where
    everybody is shown everything, for there it is not worth the trouble.
    """
    if shows_all_hands(table.house) or viewer is None or viewer.role is not Role.PLAYER:
        return None
    seat, state = table.seat_of(viewer.name), table.round
    own = _own_spots(state, seat)
    return (
        table.seats.get(seat) if seat is not None else len(table.seats) < table.house.seats,
        len(table.seats) > 1,
        table.phase,
        table.rounds,
        state.phase if state else None,
        state.street if state else None,
        state.common_face_up if state else 0,
        tuple((state.hands[spot], spot in state.pending) for spot in own) if state else (),
    )


def _own_spots(state: Round | None, seat: int | None) -> list[Spot]:
    if state is None or seat is None:
        return []
    spots = (Spot(seat, hand) for hand in range(1, state.house.hands_per_seat + 1))
    return [spot for spot in spots if spot in state.hands]


def _own_hand(state: Round, hand: HandView, lines: Iterable[Line]) -> messages.OwnHandView:
    own_lines = [line for line in lines if line.spot == hand.spot]
    held = state.hands[hand.spot].held
    return messages.OwnHandView(
        seat=hand.spot.seat,
        hand=hand.spot.hand,
        wagers=_wagers(hand.wagers),
        cards=_cards(hand.cards),
        made=hand.made,
        decisions=_decisions(hand.decisions),
        held=None if held is None else [str(card) for card in held],
        due=hand.due,
        choices=_choices(hand.choices),
        may_hold=hand.choices.may_hold,
        clock_decides=str(clock_decision(state, hand.spot)) if hand.due else None,
        lines=_lines(own_lines),
        net_cents=_net_cents(own_lines) if own_lines else None,
    )


def _choices(choices: Choices) -> list[messages.ChoiceView]:
    return [
        messages.ChoiceView(
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


def _wagers(wagers: Iterable[Wager]) -> list[messages.WagerView]:
    return [
        messages.WagerView(
            kind=wager.kind.value,
            cents=wager.cents,
            for_dealer=wager.beneficiary is Beneficiary.DEALER,
        )
        for wager in wagers
    ]


def _decisions(decisions: Iterable[Decided]) -> list[messages.DecisionView]:
    return [
        messages.DecisionView(
            street=decided.street.value, decision=str(decided.decision), by=decided.by.value
        )
        for decided in decisions
    ]


def _lines(lines: Iterable[Line]) -> list[messages.LineView]:
    return [
        messages.LineView(
            wager=line.wager,
            for_dealer=line.beneficiary is Beneficiary.DEALER,
            stake_cents=line.stake_cents,
            returned_cents=line.returned_cents,
            payout_cents=line.payout_cents,
            result=line.result.value,
            clause=line.clause,
            because=line.because,
        )
        for line in lines
    ]
