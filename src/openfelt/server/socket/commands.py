"""Translation of a client's commands into those of the table; raises Refusal."""

from openfelt.cards import Card
from openfelt.protocol import messages
from openfelt.rules import decisions, round_actions
from openfelt.rules.action_checks import malformed, read_place
from openfelt.rules.dealing import Lies, Place, Street
from openfelt.rules.decisions import Decision
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.table import commands
from openfelt.table.commands import TableCommand
from openfelt.table.incidents import Resolution


def table_command(message: messages.CommandAsked) -> TableCommand:
    """The table's command for a client's message."""
    match message:
        case messages.TakeSeat(seat=seat):
            return commands.TakeSeat(seat)
        case messages.LeaveSeat(seat=seat):
            return commands.LeaveSeat(seat)
        case messages.BuyIn(seat=seat, cents=cents):
            return commands.BuyIn(seat, cents)
        case messages.Collect(seat=seat):
            return commands.Collect(seat)
        case messages.TakeBank(seat=seat, cover_cents=cents, seed_commitment=bound):
            return commands.TakeBank(seat, cents, bound)
        case messages.DeclineBank(seat=seat):
            return commands.DeclineBank(seat)
        case messages.SetWagers():
            return _wagers(message)
        case messages.RevealSeed(seat=seat, seed=seed):
            return commands.RevealSeed(seat, seed)
        case messages.Decide(spot=spot, decision=decision, round=number, street=street):
            return round_actions.MakeDecision(
                read_spot(spot), _decision(decision), round=number, street=_street(street)
            )
        case _:
            return _staff_command(message)


def _wagers(message: messages.SetWagers) -> round_actions.SetWagers | commands.SeededWagers:
    wagers = round_actions.SetWagers(
        read_spot(message.spot), tuple(map(_wager, message.wagers)), round=message.round
    )
    if message.seed_commitment is None:
        return wagers
    return commands.SeededWagers(wagers, message.seed_commitment)


def _staff_command(message: messages.CommandAsked) -> TableCommand:
    match message:
        case messages.CloseBets(checked_cents=checked_cents):
            return round_actions.CloseBets(checked_cents)
        case messages.OpenBets():
            return commands.OpenBets()
        case messages.ReopenBets():
            return commands.ReopenBets()
        case messages.DealCard(card=card, round=number, place=named):
            return round_actions.DealCard(
                read_card(card),
                round=number,
                place=read_place(named) if named is not None else None,
            )
        case messages.CorrectCard(lies=lies, position=position, card=card, spot=spot):
            at = Place(Lies(lies), read_spot(spot) if spot is not None else None, position)
            return round_actions.CorrectCard(at, read_card(card))
        case messages.TurnCards():
            return round_actions.TurnCards()
        case messages.Confirm():
            return round_actions.Confirm()
        case messages.VoidRound(reason=reason):
            return round_actions.VoidRound(reason)
        case messages.ChangeDealer(dealer=dealer):
            return commands.ChangeDealer(dealer)
        case messages.CloseTable() | messages.PauseTable() | messages.ReopenTable():
            return _phase_command(message)
        case _:
            return _mending_command(message)


def _phase_command(
    message: messages.CloseTable | messages.PauseTable | messages.ReopenTable,
) -> TableCommand:
    """The commands that close, pause and reopen a table."""
    match message:
        case messages.CloseTable(reason=reason):
            return commands.CloseTable(reason)
        case messages.PauseTable(reason=reason):
            return commands.PauseTable(reason)
        case messages.ReopenTable():
            return commands.ReopenTable()


def _mending_command(message: messages.CommandAsked) -> TableCommand:
    """The commands for irregularities."""
    match message:
        case messages.SwapCards(place=place, other=other, round=number):
            return round_actions.SwapCards(read_place(place), read_place(other), round=number)
        case messages.DeclareIrregularity():
            return _irregularity(message)
        case messages.ProposeAdjustment(round=number, seat=seat, cents=cents, reason=reason):
            return commands.ProposeAdjustment(number, seat, cents, reason)
        case messages.CountStub(count=count, cards=cards, round=number):
            scanned = None if cards is None else tuple(map(read_card, cards))
            return commands.CountStub(count, scanned, number)
        case messages.ApproveAdjustment(number=number):
            return commands.ApproveAdjustment(number)
        case messages.RejectAdjustment(number=number, reason=reason):
            return commands.RejectAdjustment(number, reason)
        case _:
            return _incident_command(message)


def _incident_command(message: messages.CommandAsked) -> TableCommand:
    """The commands for staff's notes besides the deal."""
    match message:
        case messages.CountFelt(cents=cents, spots=spots, round=number):
            counts = None if spots is None else [(read_spot(at), spots[at]) for at in spots]
            return commands.CountFelt(cents, None if counts is None else tuple(counts), number)
        case messages.CallFloor(note=note):
            return commands.CallFloor(note)
        case messages.ResumePlay():
            return commands.ResumePlay()
        case messages.ReportMispayment(round=number, seat=seat, cents=cents, reason=reason):
            return commands.ReportMispayment(number, seat, cents, reason)
        case messages.ResolveMispayment(number=number, resolution=resolution):
            return commands.ResolveMispayment(number, Resolution(resolution))
        case _:
            raise malformed("That is not a command of a table.")


def _irregularity(message: messages.DeclareIrregularity) -> commands.DeclareIrregularity:
    try:
        irregularity = Irregularity(message.irregularity)
    except ValueError as error:
        raise malformed(f"{message.irregularity[:20]!r} is not an irregularity.") from error
    return commands.DeclareIrregularity(
        irregularity=irregularity,
        about=About(message.about),
        spot=read_spot(message.spot) if message.spot is not None else None,
        card=read_card(message.card) if message.card is not None else None,
        cents=message.cents,
        note=message.note,
        round=message.round,
    )


def read_spot(text: str) -> Spot:
    """A hand by its name, such as ``3.1``.

    >>> read_spot("3.1")
    Spot(seat=3, hand=1)
    """
    try:
        return Spot.parse(text)
    except ValueError as error:
        raise malformed(f"{text[:20]!r} is not the name of a hand, such as 3.1.") from error


def read_card(text: str) -> Card:
    """A card by its two letters."""
    try:
        return Card.parse(text)
    except ValueError as error:
        raise malformed(f"{text[:20]!r} is not a card, such as As or Td.") from error


def _street(text: str | None) -> Street | None:
    if text is None:
        return None
    try:
        return Street(text)
    except ValueError as error:
        raise malformed(f"{text[:20]!r} is not a street.") from error


def _wager(message: messages.WagerAsked) -> Wager:
    try:
        kind = WagerKind(message.kind)
    except ValueError as error:
        raise malformed(f"{message.kind[:20]!r} is not a wager.") from error
    beneficiary = Beneficiary.DEALER if message.for_dealer else Beneficiary.PLAYER
    return Wager(kind, message.cents, beneficiary)


def _decision(message: messages.DecisionAsked) -> Decision:
    match message:
        case messages.Check():
            return decisions.Check()
        case messages.Bet(multiple=multiple):
            return decisions.Bet(multiple)
        case messages.Fold():
            return decisions.Fold()
        case messages.Hold(cards=cards):
            return decisions.Hold(tuple(map(read_card, cards)))
