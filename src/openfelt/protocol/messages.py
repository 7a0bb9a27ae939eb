"""Every message between server and terminal, defined once.

The browser's types are generated from this module (``openfelt.protocol.typescript``), and a
stale copy fails the build. Amounts are whole cents, cards are two letters such as ``As``,
a face-down card is null, and a hand is named by its seat and number: ``3.1``.
"""

from typing import Literal

import msgspec

PROTOCOL = 2
"""The version of the protocol, raised when an older client could misunderstand a message."""
API = "/api/v1"
"""The prefix of all REST endpoints, which have a version of their own."""
MESSAGE_BYTES_MAX = 16_384
"""The longest message that a client may send."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message from the server. Fields may be added; clients ignore those they do not know.

    A nullable field may also be missing, because a merge patch does not distinguish the two.
    """


class Asked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A message from a client. Unknown fields are refused."""


# Commands ------------------------------------------------------------------------

Spot = str
"""A hand's name: its seat, a point and its number, such as ``3.1``."""
CardText = str
"""A card in two letters, such as ``As`` or ``Td``."""


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


class CloseBets(Asked, frozen=True, kw_only=True, tag_field="kind", tag="close_bets"):
    """No more bets: deal."""


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


class DeclineBank(Asked, frozen=True, kw_only=True, tag_field="kind", tag="decline_bank"):
    """Pass the bank on."""

    seat: int


class OpenBets(Asked, frozen=True, kw_only=True, tag_field="kind", tag="open_bets"):
    """Dealer: begin a round."""


class DealCard(Asked, frozen=True, kw_only=True, tag_field="kind", tag="deal_card"):
    """Dealer: the card that was dealt next."""

    card: CardText


class CorrectCard(Asked, frozen=True, kw_only=True, tag_field="kind", tag="correct_card"):
    """Dealer: correct a card that was scanned wrongly."""

    lies: Literal["hand", "dealer", "common"]
    position: int
    card: CardText
    spot: Spot | None = None


class TurnCards(Asked, frozen=True, kw_only=True, tag_field="kind", tag="turn_cards"):
    """Dealer: turn over the next cards."""


class Confirm(Asked, frozen=True, kw_only=True, tag_field="kind", tag="confirm"):
    """Dealer: confirm the round, which settles it."""


class VoidRound(Asked, frozen=True, kw_only=True, tag_field="kind", tag="void_round"):
    """Staff: declare the round void."""

    reason: str


class ChangeDealer(Asked, frozen=True, kw_only=True, tag_field="kind", tag="change_dealer"):
    """Staff: another dealer takes over."""

    dealer: str | None = None


class CloseTable(Asked, frozen=True, kw_only=True, tag_field="kind", tag="close_table"):
    """Floor: close the table once its round is over."""

    reason: str


class ReopenTable(Asked, frozen=True, kw_only=True, tag_field="kind", tag="reopen_table"):
    """Floor: take wagers again."""


CommandAsked = (
    TakeSeat
    | LeaveSeat
    | BuyIn
    | Collect
    | SetWagers
    | CloseBets
    | Decide
    | TakeBank
    | DeclineBank
    | OpenBets
    | DealCard
    | CorrectCard
    | TurnCards
    | Confirm
    | VoidRound
    | ChangeDealer
    | CloseTable
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


class Ping(Asked, frozen=True, kw_only=True, tag_field="type", tag="ping"):
    """Check that the connection is alive."""


FromClient = Hello | Command | Ping


# Views -----------------------------------------------------------------------------


class WagerView(Message, frozen=True, kw_only=True):
    """What lies on a circle."""

    kind: str
    cents: int
    for_dealer: bool


class WhyView(Message, frozen=True, omit_defaults=True):
    """What decided a wager: the values of ``openfelt.rules.lines.Why``, in its order."""

    hand: str | None = None
    dealer_hand: str | None = None
    award: str | None = None
    pays: str | None = None
    meter_cents: int | None = None
    winners: int | None = None
    seat: int | None = None
    covered_cents: int | None = None


class LineView(Message, frozen=True, kw_only=True):
    """What became of one wager."""

    wager: str
    for_dealer: bool
    stake_cents: int
    returned_cents: int
    payout_cents: int
    result: str
    outcome: str
    """The wager and how it ended, such as ``blind.push``."""
    why: WhyView
    clause: str
    because: str
    """The same as ``outcome`` and ``why``, as a sentence in English."""


class DecisionView(Message, frozen=True, kw_only=True):
    """A decision that was made, and by whom: the player, the clock or the floor."""

    street: str
    decision: str
    """The decision in one word or two: ``check``, ``bet 4x``, ``hold Ks Kd``."""
    kind: str
    multiple: int | None = None
    cards: list[CardText] | None = None
    """The cards that were held, where cards were."""
    by: str


class HandView(Message, frozen=True, kw_only=True):
    """A hand as every viewer sees it."""

    seat: int
    hand: int
    wagers: list[WagerView]
    cards: list[CardText | None]
    made: str | None = None
    decisions: list[DecisionView]
    held_count: int | None = None
    due: bool
    """Whether the round waits for this hand."""
    lines: list[LineView]


class RoundView(Message, frozen=True, kw_only=True):
    """The round as every viewer sees it."""

    number: int
    id: str
    phase: str
    street: str | None = None
    step: str | None = None
    """What the table waits for: ``card``, ``turn``, ``decisions`` or ``confirm``."""
    step_place: str | None = None
    """For a live dealer: where the next card goes."""
    common: list[CardText | None]
    common_made: str | None = None
    dealer: list[CardText | None]
    dealer_made: str | None = None
    dealer_held: list[CardText] | None = None
    dealer_qualified: bool | None = None
    hands: dict[Spot, HandView]
    """All hands at a felt table; none at a stadium, where players see only their own hands."""
    hands_in_play: int
    hands_waited_for: int
    void_reason: str | None = None
    """Why the round is void, in the words of the staff or of the table."""
    void_code: str | None = None
    """The code of a standard reason, null if staff wrote a reason of their own."""
    banker_seat: int | None = None
    cover_cents: int | None = None
    cover_left_cents: int | None = None


class ClockView(Message, frozen=True, kw_only=True):
    """A running clock."""

    number: int
    gives_time_for: str
    """``wagers``, ``decisions``, or ``bank`` for the seat to which the bank is offered."""
    total_ms: int


class ResultView(Message, frozen=True, kw_only=True):
    """One of the last games."""

    number: int
    dealer_hand: str | None = None
    void: bool
    wins: dict[str, int]
    stand_offs: dict[str, int]


class PublicView(Message, frozen=True, kw_only=True):
    """The table as every viewer sees it."""

    table: str
    house: str
    fingerprint: str
    phase: str
    dealer_mode: str
    dealer: str | None = None
    private: bool
    clock: ClockView | None = None
    link: str | None = None
    meter_cents: int | None = None
    seats_taken: list[int]
    """The taken seats around a felt; none at a stadium, which has too many to list."""
    players: int
    """How many seats are taken."""
    house_seats: list[int]
    """Of the taken seats around a felt, those of the house's own players."""
    bank_offered_to: int | None = None
    """The seat that may take the bank now."""
    banks_next: int | None = None
    """The seat to which the bank of the next round will go, during a round as well."""
    commitments: dict[str, str]
    round: RoundView | None = None
    results: list[ResultView]
    stopped: str | None = None
    """Why the table is out of service, as a sentence."""
    stopped_code: str | None = None
    """The code with which it refuses every command meanwhile."""


class ChoiceView(Message, frozen=True, kw_only=True):
    """One decision that is open to a hand, with what it costs."""

    kind: str
    multiple: int | None = None
    cost_cents: int


class OwnHandView(Message, frozen=True, kw_only=True):
    """A hand of the viewer: everything that its player may see of it."""

    seat: int
    hand: int
    wagers: list[WagerView]
    cards: list[CardText | None]
    made: str | None = None
    decisions: list[DecisionView]
    held: list[CardText] | None = None
    due: bool
    choices: list[ChoiceView]
    may_hold: bool
    clock_decides: str | None = None
    """What happens to the hand if its time ends."""
    lines: list[LineView]
    net_cents: int | None = None


class PrivateView(Message, frozen=True, kw_only=True):
    """What only this viewer may see."""

    name: str | None = None
    seat: int | None = None
    credit_cents: int
    wallet_cents: int
    bet_cents: int
    """What the viewer has at stake: the wagers of the hands, or the bank wager."""
    win_cents: int
    """What the last round has paid back, stakes included; of a bank, what it has won."""
    net_cents: int
    """What the last round has brought, less what was staked."""
    collection_cents: int
    """What the seat has paid to the house before the deal; it is no part of the net."""
    deck_root: str | None = None
    """The fingerprint of the terminal's own deck, if it has one."""
    hands: dict[Spot, OwnHandView]
    may: list[str]
    """The kinds of commands that are open to the viewer now."""


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
    """What has changed at the table; a part that has not changed is left out.

    ``version`` is the version of the table as of this message, and a viewer's versions never
    decrease. The private view is always that of ``version``. The public view is that of the
    last message with a ``public`` part, which may be an older version: at a stadium a bet or a
    decision is told to its player at once, and to the room a moment later, together with others.

    A viewer at version 12 therefore has every public change of version 11 and below, and may or
    may not have those of version 12. That is enough to resume: the server sends every public
    change from version 12 on, and applying a sequence of patches twice changes nothing.
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
    """What was wrong with a message, or why the socket is about to be closed."""

    code: str
    sentence: str


FromServer = Welcome | Change | Answered | Pong | Problem


# Text --------------------------------------------------------------------------------

encoder = msgspec.json.Encoder()


def encode(message: FromServer) -> str:
    """Encode a message as the text that is sent over the socket."""
    return encoder.encode(message).decode()
