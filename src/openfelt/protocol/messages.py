"""Every message between server and terminal. What they show is defined in ``table_views``.

The browser's types are generated from these modules (``openfelt.protocol.typescript``), and a
stale copy fails the build.
"""

from typing import Literal

import msgspec

from openfelt.protocol.table_views import CardText, Message, PrivateView, PublicView, Spot

PROTOCOL = 3
"""The version of the protocol, raised when an older client could misunderstand a message."""
MESSAGE_BYTES_MAX = 16_384
"""The longest message that a client may send."""


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """A message from a client. Unknown fields are refused."""


# Commands ------------------------------------------------------------------------


class WagerAsked(Asked, frozen=True, kw_only=True):
    """An amount on one circle."""

    kind: str
    cents: int
    for_dealer: bool = False


class Check(Asked, frozen=True, kw_only=True, tag_field="kind", tag="check"):
    """Bet nothing now."""


class Bet(Asked, frozen=True, kw_only=True, tag_field="kind", tag="bet"):
    """Make the Play wager."""

    multiple: int


class Fold(Asked, frozen=True, kw_only=True, tag_field="kind", tag="fold"):
    """Give up the hand."""


class Hold(Asked, frozen=True, kw_only=True, tag_field="kind", tag="hold"):
    """Keep these cards and draw for the others."""

    cards: list[CardText]


DecisionAsked = Check | Bet | Fold | Hold


class TakeSeat(Asked, frozen=True, kw_only=True, tag_field="kind", tag="take_seat"):
    """Sit down; without ``seat``, at the first free seat."""

    seat: int | None = None


class LeaveSeat(Asked, frozen=True, kw_only=True, tag_field="kind", tag="leave_seat"):
    """Collect and stand up."""

    seat: int


class BuyIn(Asked, frozen=True, kw_only=True, tag_field="kind", tag="buy_in"):
    """Move money from the wallet to the seat."""

    seat: int
    cents: int


class Collect(Asked, frozen=True, kw_only=True, tag_field="kind", tag="collect"):
    """Move the whole credit back to the wallet."""

    seat: int


class SetWagers(Asked, frozen=True, kw_only=True, tag_field="kind", tag="set_wagers"):
    """Set the wagers of a hand to exactly these; an empty list clears them."""

    spot: Spot
    wagers: list[WagerAsked]
    round: int | None = None
    """The number of the round that they are for: the round that takes bets, or the next. If it
    is given, wagers that arrive too late are refused instead of counting for a later round."""
    seed_commitment: str | None = None
    """Binds the seat to a seed for the round, unless it is bound already. See ``SeedsView``."""


class RevealSeed(Asked, frozen=True, kw_only=True, tag_field="kind", tag="reveal_seed"):
    """Reveal the seed that the seat is bound to, once the seeds are called."""

    seat: int
    seed: str


class CloseBets(Asked, frozen=True, kw_only=True, tag_field="kind", tag="close_bets"):
    """No more bets: deal."""

    checked_cents: int | None = None
    """Dealer: the sum of the chips on the felt. Refused if the wagers have changed since."""


class Decide(Asked, frozen=True, kw_only=True, tag_field="kind", tag="decide"):
    """Decide for a hand."""

    spot: Spot
    decision: DecisionAsked
    round: int | None = None
    street: str | None = None
    """The moment that the player saw. If given, a decision that arrives too late is refused."""


class TakeBank(Asked, frozen=True, kw_only=True, tag_field="kind", tag="take_bank"):
    """Bank the next round with this bank wager."""

    seat: int
    cover_cents: int
    seed_commitment: str | None = None


class DeclineBank(Asked, frozen=True, kw_only=True, tag_field="kind", tag="decline_bank"):
    """Pass the bank on."""

    seat: int


class OpenBets(Asked, frozen=True, kw_only=True, tag_field="kind", tag="open_bets"):
    """Dealer: begin a round."""


class ReopenBets(Asked, frozen=True, kw_only=True, tag_field="kind", tag="reopen_bets"):
    """Floor: take wagers again, before the first card."""


class DealCard(Asked, frozen=True, kw_only=True, tag_field="kind", tag="deal_card"):
    """Dealer: the card that was dealt next."""

    card: CardText
    round: int | None = None
    place: str | None = None
    """The place that the dealer saw to be due, such as ``dealer card 1``. If it is given, a card
    that arrives too late is refused instead of going to another place."""


class CorrectCard(Asked, frozen=True, kw_only=True, tag_field="kind", tag="correct_card"):
    """Dealer: correct a card that was scanned wrongly."""

    lies: Literal["hand", "dealer", "common"]
    position: int
    card: CardText
    spot: Spot | None = None


class SwapCards(Asked, frozen=True, kw_only=True, tag_field="kind", tag="swap_cards"):
    """Dealer: exchange two cards that were scanned in the wrong order."""

    place: str
    """A place by its name, such as ``hand 3.1 card 2`` or ``common card 4``."""
    other: str
    round: int | None = None


class TurnCards(Asked, frozen=True, kw_only=True, tag_field="kind", tag="turn_cards"):
    """Dealer: turn over the next cards."""


class Confirm(Asked, frozen=True, kw_only=True, tag_field="kind", tag="confirm"):
    """Dealer: confirm the round, which settles it."""


class VoidRound(Asked, frozen=True, kw_only=True, tag_field="kind", tag="void_round"):
    """Staff: declare the round void."""

    reason: str


class DeclareIrregularity(Asked, frozen=True, kw_only=True, tag_field="kind", tag="irregularity"):
    """Staff: something went wrong in the deal. ``rulings`` lists what may be declared now."""

    irregularity: str
    about: Literal["deck", "hand", "dealer", "common", "chips"]
    spot: Spot | None = None
    """The hand, if it is about one or its chips."""
    card: CardText | None = None
    """The card that is taken out of play, where one is."""
    cents: int | None = None
    """The chips that it is about, if they were counted."""
    note: str = ""
    """For the record, in one line; players do not see it."""
    round: int | None = None


class ProposeAdjustment(
    Asked, frozen=True, kw_only=True, tag_field="kind", tag="propose_adjustment"
):
    """Staff: put a wrong payout of a confirmed round right, once a supervisor approves it."""

    round: int
    seat: int
    cents: int
    """The amount that the player receives; negative if the player pays back."""
    reason: str


class ApproveAdjustment(
    Asked, frozen=True, kw_only=True, tag_field="kind", tag="approve_adjustment"
):
    """Floor: approve an adjustment that another member of staff has proposed."""

    number: int


class RejectAdjustment(Asked, frozen=True, kw_only=True, tag_field="kind", tag="reject_adjustment"):
    """Floor: reject a proposed adjustment."""

    number: int
    reason: str


class CountStub(Asked, frozen=True, kw_only=True, tag_field="kind", tag="count_stub"):
    """Staff: how many cards are left of the deck after a round, or which."""

    count: int | None = None
    cards: list[CardText] | None = None
    round: int | None = None


class CountFelt(Asked, frozen=True, kw_only=True, tag_field="kind", tag="count_felt"):
    """Staff: the chips that lie on the felt before the first card, in sum or spot by spot."""

    cents: int | None = None
    spots: dict[Spot, int] | None = None
    """The chips on every spot that has a hand, and on others where chips lie."""
    round: int | None = None


class CallFloor(Asked, frozen=True, kw_only=True, tag_field="kind", tag="call_floor"):
    """Staff: put the table on hold until a supervisor has come; its clock stands."""

    note: str = ""
    """For the record, in one line; players do not see it."""


class ResumePlay(Asked, frozen=True, kw_only=True, tag_field="kind", tag="resume_play"):
    """Staff: go on where the table was put on hold, with the time that was left."""


class ReportMispayment(Asked, frozen=True, kw_only=True, tag_field="kind", tag="report_mispayment"):
    """Staff: chips of a confirmed round were paid wrongly by hand; the book is right."""

    round: int
    seat: int
    cents: int
    """The amount that the player got too much; negative if it was too little."""
    reason: str


class ResolveMispayment(
    Asked, frozen=True, kw_only=True, tag_field="kind", tag="resolve_mispayment"
):
    """Floor: how a mispayment ended."""

    number: int
    resolution: Literal["recovered", "not_recovered"]


class ChangeDealer(Asked, frozen=True, kw_only=True, tag_field="kind", tag="change_dealer"):
    """Staff: another dealer takes over."""

    dealer: str | None = None


class CloseTable(Asked, frozen=True, kw_only=True, tag_field="kind", tag="close_table"):
    """Floor: close the table once its round is over."""

    reason: str


class PauseTable(Asked, frozen=True, kw_only=True, tag_field="kind", tag="pause_table"):
    """Floor: open no more rounds for a while, once the round is over."""

    reason: str


class ReopenTable(Asked, frozen=True, kw_only=True, tag_field="kind", tag="reopen_table"):
    """Floor: take wagers again, after the table was closed or paused."""


CommandAsked = (
    TakeSeat
    | LeaveSeat
    | BuyIn
    | Collect
    | SetWagers
    | RevealSeed
    | CloseBets
    | Decide
    | TakeBank
    | DeclineBank
    | OpenBets
    | ReopenBets
    | DealCard
    | CorrectCard
    | SwapCards
    | TurnCards
    | Confirm
    | VoidRound
    | DeclareIrregularity
    | ProposeAdjustment
    | ApproveAdjustment
    | RejectAdjustment
    | CountStub
    | CountFelt
    | CallFloor
    | ResumePlay
    | ReportMispayment
    | ResolveMispayment
    | ChangeDealer
    | CloseTable
    | PauseTable
    | ReopenTable
)


# Client to server ------------------------------------------------------------------


class Hello(Asked, frozen=True, kw_only=True, tag_field="type", tag="hello"):
    """The first message on a socket."""

    protocol: int
    seen: int | None = None
    """The version of the last message that the client has, when it reconnects."""


class Command(Asked, frozen=True, kw_only=True, tag_field="type", tag="command"):
    """A command for the table. The client makes the id and keeps it until the answer arrives."""

    id: str
    command: CommandAsked
    approval: str | None = None
    """A supervisor's one-time approval of this command, from ``POST /api/v1/dealer/approvals``."""


class Ping(Asked, frozen=True, kw_only=True, tag_field="type", tag="ping"):
    """Check that the connection is alive."""


FromClient = Hello | Command | Ping


# Server to client --------------------------------------------------------------------


class Welcome(Message, frozen=True, kw_only=True, tag_field="type", tag="welcome"):
    """The first answer on a socket: the whole table."""

    protocol: int
    version: int
    public: PublicView
    private: PrivateView
    clock_left_ms: int | None = None


class Change(
    Message, frozen=True, kw_only=True, tag_field="type", tag="change", omit_defaults=True
):
    """The changes at the table; an unchanged part is left out.

    ``version`` is the version of the table as of this message, and a viewer's versions never
    decrease. The private view is always that of ``version``. The public view is that of the
    last message with a ``public`` part, which may be an older version: at a stadium a bet or a
    decision is told to its player at once, and to the room a moment later, together with others.

    A viewer at version 12 therefore has every public change of version 11 and below, and may or
    may not have those of version 12. That is enough to resume: the server sends every public
    change from version 12 on, and applying a sequence of patches twice changes nothing. The reasons
    are in ``docs/why/choices.md`` (*At a stadium, other players see a bet a moment later*).
    """

    version: int
    public: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """A JSON merge patch of the public view."""
    private: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    """A JSON merge patch of the private view."""
    whole: bool = False
    """True at the end of a resumed connection: ``private`` is the whole view, not a patch."""
    clock_left_ms: int | None = None
    """How much time the running clock has left, null if no clock is running."""


class Answered(Message, frozen=True, kw_only=True, tag_field="type", tag="answer"):
    """The answer to a command, sent after the change that the command has caused."""

    id: str
    version: int
    accepted: bool
    refused: str | None = None
    """The code of the refusal."""
    sentence: str | None = None


class Pong(Message, frozen=True, kw_only=True, tag_field="type", tag="pong"):
    """The answer to a ping."""


class Problem(Message, frozen=True, kw_only=True, tag_field="type", tag="problem"):
    """The fault of a message, or why the socket is about to be closed."""

    code: str
    sentence: str


class ScanRefused(Message, frozen=True, kw_only=True, tag_field="type", tag="scan_refused"):
    """Dealer and floor: a card reader has sent a card that the table has not taken."""

    id: str
    """The id that the reader gave the card, which a retry repeats."""
    reader: str
    """The label of the reader."""
    read: str | None = None
    """The text that the reader sent, if it is not a card. A card is not named: it may lie face
    down.
    """
    refused: str
    sentence: str


FromServer = Welcome | Change | Answered | Pong | Problem | ScanRefused


# Text --------------------------------------------------------------------------------

encoder = msgspec.json.Encoder()


def encode(message: FromServer) -> str:
    """Encode a message as the text that is sent over the socket."""
    return encoder.encode(message).decode()
