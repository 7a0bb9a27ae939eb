"""The forms that REST endpoints accept and return, as JSON. Amounts are whole cents."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from openfelt.protocol.factor_forms import FactorForm, OwnerForm
from openfelt.protocol.form_fields import (
    PublicName,
    Taken,
    TypedName,
    TypedPassword,
    TypedReason,
)
from openfelt.protocol.practice_forms import OwnRules, RuleChange

# People ------------------------------------------------------------------------------


class Credentials(Taken):
    """A name and its password."""

    name: TypedName
    password: TypedPassword


class SignInForm(Credentials, FactorForm):
    """A name, its password, and the second factor of an account that has one."""


class NewPassword(OwnerForm):
    """The new password, with the current one and the second factor of an account that has one."""

    new_password: TypedPassword


class NewAccount(Credentials):
    """An account that a supervisor opens."""

    role: TypedName
    public_name: PublicName | None = None
    """The name under which players see its owner."""
    temporary: bool = True
    """Whether the owner has to change the password at the first sign-in."""


class PublicNameForm(Taken):
    """The name under which players see the owner of an account."""

    public_name: PublicName


class NewRole(Taken):
    """A new role: ``player``, ``dealer``, ``cashier``, ``supervisor`` or ``auditor``."""

    role: TypedName


class Reason(Taken):
    """The reason for an action."""

    reason: TypedReason


class Me(BaseModel):
    """The account of a caller who has signed in."""

    name: str
    player: str
    """The name at tables and in statements; a guest who signs up keeps the guest's name there."""
    role: str
    guest: bool
    wallet_cents: int
    enrolled: bool
    play_money: bool
    """Whether the house uses play money."""
    step: Literal["password", "second_factor"] | None = None
    """The step that the owner has to take before anything else: change the password, or set up a
    second factor."""
    second_factor: bool = False
    """Whether one-time codes are set up."""
    passkeys: int = 0
    """How many passkeys the account has."""
    second_factor_required: bool = False
    recovery_codes_left: int = 0
    table: str | None = None
    """The only table for which the session is valid, if the owner signed on there by PIN."""
    terminal_of: str | None = None
    terminal_stopped: str = ""
    """The table of which the browser is the dealer's terminal."""
    practice_table: str | None = None
    """The live table at which any visitor on this machine may deal with play money."""
    pages: list[str] = []
    """The pages that the caller may open, by the first words of their addresses."""
    vouchers: bool = False
    """Whether this browser gives and takes vouchers."""


class SignedOut(BaseModel):
    """A caller who has not signed in, with the fields of an account."""

    name: None = None
    player: None = None
    role: None = None
    guest: Literal[False] = False
    wallet_cents: Literal[0] = 0
    enrolled: bool
    play_money: bool
    terminal_of: str | None = None
    terminal_stopped: str = ""
    """The table of which the browser is the dealer's terminal."""
    practice_table: str | None = None
    pages: list[str] = []
    """The pages that the caller may open, by the first words of their addresses."""


class Done(BaseModel):
    """The request has been carried out."""

    done: bool = True


class TopUp(Taken):
    """The id of a top-up, which makes it safe to send again."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=48)] | None = None


class Wallet(BaseModel):
    """The balance of a wallet."""

    wallet_cents: int
    fills_up_to_cents: int
    """Up to this amount the house gives play money."""


class UnfinishedView(BaseModel):
    """The unfinished rounds of a player that were cancelled and refunded."""

    player: str
    rounds: int
    returned_cents: int
    flagged: bool
    """Whether they are as many as the house flags."""


# The lobby ---------------------------------------------------------------------------


class TableFairness(BaseModel):
    """Counts from a table's first round on that no proof of a single round can show."""

    rounds: int
    """Rounds settled."""
    rounds_voided: int
    """Rounds declared void after bets were closed."""
    rounds_withdrawn: int
    """Rounds that ended void before bets were closed."""
    seeds: int
    """Seeds that players revealed in time."""
    seeds_withheld: int


class TableCard(BaseModel):
    """A table as the lobby shows it."""

    table: str
    house: str
    house_name: str
    fingerprint: str
    game: str
    dealer_mode: str
    phase: str
    seats: int
    seats_taken: int
    hands_per_seat: int
    min_cents: int
    max_cents: int
    clock_seconds: int | None
    """How long bets are open; null if the table waits for its players."""
    round_phase: Literal["wagering", "playing"] | None
    """Whether bets are open or cards are dealt; null between rounds."""
    clock_left_ms: int | None
    """The time left on the running clock; null if none runs, or if another process runs it."""
    link: str | None
    meter_cents: int | None
    enrolled_only: bool
    private: bool
    own_rules: bool
    """Whether it is a private table with rules that its player has chosen."""
    player_banked: bool
    computer_players: int
    """How many of the seated players are computer players."""
    own_seat: int | None
    """The caller's seat, null if the caller has none."""
    own_credit_cents: int | None
    """The caller's credit at that seat."""
    own_staked_cents: int
    """The caller's stake in the round in progress there, or the bank wager."""
    own_in_play: bool
    """Whether the caller has wagers or a bank in a round in progress."""
    fairness: TableFairness


class PrivateTable(Taken):
    """The house of a private table."""

    house: TypedName
    rules: OwnRules | None = None
    """For a house of the player's own: what is changed of it, from the next round on."""


class TableClock(Taken):
    """A clock that replaces the one of the table's house."""

    wager_seconds: Annotated[int, Field(ge=1, le=3600)]
    decision_seconds: Annotated[int, Field(ge=1, le=3600)]


class NewTable(Taken):
    """A table that a supervisor opens."""

    table: TypedName
    house: TypedName
    dealer_mode: Literal["live", "virtual"] | None = None
    """Required if the house allows live and virtual dealers."""
    clock: TableClock | None = None
    link: TypedName | None = None


class TableName(BaseModel):
    """The name of a table."""

    table: str


class LinkView(BaseModel):
    """A progressive link."""

    link: str
    meter_cents: int
    seed_cents: int
    phase: str
    tables: list[str]
    rounds: int
    wins: int


# Houses ------------------------------------------------------------------------------


class PaytableRow(BaseModel):
    """One award, in words."""

    label: str
    pays: str
    envy: str | None = None


class PaytableView(BaseModel):
    """A paytable, as it is printed on the felt."""

    name: str
    rows: list[PaytableRow]


class WagerRuleView(BaseModel):
    """A wager that the house offers."""

    kind: str
    words: str
    min_cents: int
    max_cents: int
    multiple_of_cents: int
    requires: list[str]
    paytable: PaytableView | None
    payout_aggregate_cents: int | None
    """The most that all such wagers of a round are paid today; null without such a limit."""


class DealerWagersView(BaseModel):
    """The limits of wagers for the dealer."""

    min_cents: int
    max_cents: int
    multiple_of_cents: int


class PlayView(BaseModel):
    """The Play wager as multiples of the Ante."""

    before_flop: list[int]
    on_flop: list[int]
    on_river: list[int]


class BandView(BaseModel):
    """The collection for an Ante of up to this size."""

    ante_up_to_cents: int
    player_cents: int
    banker_cents: int


class ClockRuleView(BaseModel):
    """The clock of a house: how long bets and decisions are open."""

    wager_seconds: int
    decision_seconds: int


class EndingView(BaseModel):
    """One way in which a wager may end."""

    outcome: str
    """As settlement lines name it, such as ``blind.push``."""
    result: str
    """``win``, ``lose``, ``push`` or ``returned``."""
    clause: str


class ExampleView(BaseModel):
    """A stake that wins, and what it is paid."""

    stake_cents: int
    award: str | None
    """The row of the paytable, null for even money."""
    pays: str
    payout_cents: int
    stake_returned: bool
    """Whether the stake goes back beside the payout; an award *for one* includes it."""


class WagerTermsView(BaseModel):
    """The terms of a wager: its endings, and an example of a win."""

    wager: str
    """The wager's kind, ``ante_bonus``, ``envy``, or ``any`` for endings of every wager."""
    endings: list[EndingView]
    example: ExampleView | None
    reads: str | None
    """Which cards make the hand of a progressive wager."""


class ClauseView(BaseModel):
    """A clause of a published document or of the rulings, in Openfelt's own words."""

    id: str
    document: str
    text: str


class ReturnView(BaseModel):
    """The long-run return of a wager."""

    label: str
    of: str
    """The wager, or ``game`` for the wagers that the game itself requires."""
    measure: Literal["return", "advantage"]
    """The player's return, or the house's advantage."""
    value: str
    source: str
    basis: Literal["staked", "wager"] | None
    """The basis of the figure: everything that is staked in a game, or the wager; null where a
    document does not say."""


class HouseLine(BaseModel):
    """A house in the list of houses."""

    id: str
    name: str
    document: str
    game: str
    seats: int
    hands_per_seat: int
    dealer_mode: str
    remote_play: bool
    own_rules: bool
    """Whether players may change it for a private table, to practise."""
    private_tables: bool
    """Whether players may open their own tables: dealt by the program, banked by the house."""
    fingerprint: str


class DepartureView(BaseModel):
    """A limit of its document that a house does not keep, and why."""

    clause: str
    reason: str


class HouseView(HouseLine):
    """A house with its rules, limits, paytables and returns."""

    version: int
    source: str
    game_words: str
    chips_cents: list[int]
    notices: list[str]
    departures: list[DepartureView]
    """Where the house departs from its document."""
    changes: list[RuleChange]
    """Differences from the house as it is today: paytables, and the number of hands."""
    wagers: list[WagerRuleView]
    wagers_per_hand_max: int | None
    """How many wagers a hand may carry today, a Play wager for each Ante included."""
    table_aggregate_max_cents: int | None
    """The most that all wagers of a round may come to today, before Play wagers."""
    dealer_wagers: DealerWagersView | None
    play: PlayView | None
    reserve_play: bool
    ante_bonus: PaytableView | None
    bank: str
    collection: list[BandView]
    bank_wager_min_cents: int
    """The smallest bank wager of a house whose players bank (R.30)."""
    clock: ClockRuleView | None
    returns: list[ReturnView]
    returns_pending: bool
    """Whether the exact returns are still being computed, which takes seconds for a new house."""
    terms: list[WagerTermsView]
    player_cards_face_up: bool
    deck: str
    settlement_order: str
    """The order in which a dealer settles the hands: ``right_to_left``, ``left_to_right`` or
    ``from_bankers_left``."""
    dealer_qualifies: str
    progressive_seed_cents: int | None
    unfinished_days: int | None
    unfinished: str
    """``refund`` or ``clock``: how a round ends after that many days."""


# Rounds ------------------------------------------------------------------------------


class RoundLine(BaseModel):
    """A round of the caller in the list of rounds."""

    round: str
    number: int
    at_ms: int
    credit_change_cents: int
    """The change of the caller's credit in the round, the collection included."""
    staked_cents: int
    void: bool
    banked: bool
    adjusted_cents: int = 0
    """The amount paid to the caller's wallet later, or charged, because a payout was wrong (R.38).
    """


class VisitView(BaseModel):
    """The caller's last visit to a table: the finished rounds since the last collecting there.

    A pause of an hour begins a new visit too.
    """

    rounds: int
    credit_change_cents: int
    """The change of the caller's credit in these rounds, the collection included."""


class VisitPoint(BaseModel):
    """A round of a visit, and the result of the visit after it."""

    number: int
    credit_change_cents: int
    """The change of the caller's credit in the round, the collection included."""
    total_cents: int
    """The change of the caller's credit in the visit up to here."""


class VisitCourse(VisitView):
    """The course of the caller's last visit to a table, round by round."""

    points: list[VisitPoint]
    """The oldest first; of a long visit only the last rounds."""


class PlayedTable(BaseModel):
    """A table at which the caller has finished rounds."""

    table: str
    house: str
    house_name: str
    private: bool
    last: RoundLine
    """The caller's last finished round there."""
    visit: VisitView


class Verdict(BaseModel):
    """The result of checking a proof."""

    ok: bool
    cards_checked: int
    cards_never_shown: int
    problem: str | None
