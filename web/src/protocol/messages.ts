// Written from src/openfelt/protocol/{table_views,messages,replay,close_codes}.py by `make docs`,
// and `make check` fails when they differ. Change the messages, not this file.
//
// A change leaves out what is null, so a field that may be null may also be missing.

export const PROTOCOL = 3;
export const API = "/api/v1";
export const MESSAGE_BYTES_MAX = 16384;
/** Why a server has closed a socket. */
export const CLOSE_CODES = {
  policy: 1008,
  too_long: 1009,
  restarting: 1012,
  signed_out: 4001,
  other_protocol: 4002,
  terminal_changed: 4003,
  no_such_table: 4004,
  let_go: 4008,
  moved: 4009,
  stopped: 4010,
  too_many: 4029,
} as const;
/** Close codes after which coming back would only be refused again. */
export const FINAL_CODES: readonly number[] = [1008, 1009, 4001, 4002, 4004];

/** A JSON merge patch of T: what it names is replaced, and null takes a value away. */
export type Patch<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [K in keyof T]?: Patch<NonNullable<T[K]>> | null }
    : T;

/** The wager on a circle. */
export interface WagerView {
  kind: string;
  cents: number;
  for_dealer: boolean;
}

/** The reason for a wager's result: the values of ``openfelt.rules.lines.Why``, in its order. */
export interface WhyView {
  hand?: string | null;
  dealer_hand?: string | null;
  award?: string | null;
  pays?: string | null;
  meter_cents?: number | null;
  winners?: number | null;
  seat?: number | null;
  covered_cents?: number | null;
  aggregate_cents?: number | null;
}

/** The result of one wager. */
export interface LineView {
  wager: string;
  for_dealer: boolean;
  stake_cents: number;
  returned_cents: number;
  payout_cents: number;
  result: string;
  outcome: string;
  why: WhyView;
  clause: string;
  because: string;
}

/** A decision that was made, and by whom: the player, the clock or the floor. */
export interface DecisionView {
  street: string;
  decision: string;
  kind: string;
  multiple?: number | null;
  cards?: string[] | null;
  by: string;
}

/** A hand as every viewer sees it. */
export interface HandView {
  seat: number;
  hand: number;
  wagers: WagerView[];
  cards: (string | null)[];
  made?: string | null;
  decisions: DecisionView[];
  held_count?: number | null;
  due: boolean;
  ante_returned: boolean;
  void: boolean;
  fouled: boolean;
  lines: LineView[];
  net_cents?: number | null;
  bank_net_cents?: number | null;
}

/** Something that went wrong in the deal, and what followed from it. */
export interface IrregularityView {
  irregularity: string;
  about: string;
  effect: string;
  clause: string;
  spot?: string | null;
  card?: string | null;
  cents?: number | null;
}

/** The advantage of a player who saw cards, such as ``dealer_card``, before deciding. */
export interface FlashedView {
  seen: string;
  percent: string;
  ante_cents: number;
  cents: number;
}

/** An irregularity that staff may declare now, and what follows from it. */
export interface RulingView {
  irregularity: string;
  about: string;
  effect: string;
  clause: string;
  supervisor: boolean;
  flashed: FlashedView[];
}

/** An adjustment of a wrong payout that waits for a supervisor. */
export interface AdjustmentView {
  number: number;
  round: number;
  seat: number;
  cents: number;
  reason: string;
  by: string;
}

/** A confirmed round whose payouts can still be adjusted. */
export interface PlayedView {
  number: number;
  seats: number[];
}

/** The settlement if the round were confirmed: for a dealer, once all cards are turned. */
export interface PreviewView {
  order: string[];
  lines: Record<string, LineView[]>;
  taken_cents: number;
  paid_cents: number;
  returned_cents: number;
  progressive_paid_cents: number;
  cover_left_cents?: number | null;
}

/** The rest of the deck, as it was counted after the last round. */
export interface StubView {
  count: number;
  expected: number;
  missing: string[];
  extra: string[];
  whole: boolean;
}

/** The floor has been called: the table is on hold, and its clock is stopped. */
export interface HoldView {
  gives_time_for?: string | null;
  left_ms: number;
}

/** A spot whose chips were not its wagers. */
export interface SpotCountView {
  spot: string;
  counted_cents: number;
  booked_cents: number;
}

/** The chips that were counted on the felt before the first card. */
export interface FeltView {
  counted_cents: number;
  booked_cents: number;
  matches: boolean;
  spots: SpotCountView[];
}

/** Chips that were paid wrongly, of which the floor has not noted the end. */
export interface MispaymentView {
  number: number;
  round: number;
  seat: number;
  cents: number;
  reason: string;
  by: string;
}

/** How much of a bank wager one line uses up, and what is left after it. */
export interface CoverView {
  spot: string;
  wager: string;
  used_cents: number;
  left_cents: number;
}

/** The bank of a table whose players bank, as its dealer follows it. */
export interface BankView {
  seat?: number | null;
  wager_cents?: number | null;
  rounds: number;
  rounds_max: number;
  offered_to?: number | null;
  next_seat?: number | null;
  declined: number[];
  order: string[];
  collection: Record<string, number>;
  cover: CoverView[];
}

/** The round as every viewer sees it. */
export interface RoundView {
  number: number;
  id: string;
  phase: string;
  street?: string | null;
  step?: string | null;
  step_place?: string | null;
  step_up_to?: number | null;
  procedure?: string | null;
  common: (string | null)[];
  common_made?: string | null;
  dealer: (string | null)[];
  dealer_made?: string | null;
  dealer_held?: string[] | null;
  dealer_qualified?: boolean | null;
  hands: Record<string, HandView>;
  hands_in_play: number;
  hands_waited_for: number;
  void_reason?: string | null;
  void_code?: string | null;
  banker_seat?: number | null;
  cover_cents?: number | null;
  cover_left_cents?: number | null;
  irregularities: IrregularityView[];
}

/** A running clock. */
export interface ClockView {
  number: number;
  gives_time_for: string;
  total_ms: number;
}

/** A change by staff at a table, until the first round with it is over. */
export interface ChangeView {
  round: number;
  kinds: string[];
  reason: string;
}

/** How long bets and decisions are open at a table. */
export interface ClockRuleView {
  wager_seconds: number;
  decision_seconds: number;
}

/** One of the last games. */
export interface ResultView {
  number: number;
  dealer_hand?: string | null;
  void: boolean;
  wins: Record<string, number>;
  stand_offs: Record<string, number>;
}

/** The seeds of the round in progress or of the last one, by which its decks are dealt. */
export interface SeedsView {
  committed: number;
  digest?: string | null;
  fixed: boolean;
  withheld: number;
}

/** Counts from the table's first round on that no proof of a single round can show. */
export interface FairnessView {
  rounds: number;
  rounds_voided: number;
  rounds_withdrawn: number;
  seeds: number;
  seeds_withheld: number;
}

/** The table as every viewer sees it. */
export interface PublicView {
  table: string;
  house: string;
  fingerprint: string;
  phase: string;
  dealer_mode: string;
  dealer?: string | null;
  private: boolean;
  clock?: ClockView | null;
  hold?: HoldView | null;
  clock_rule?: ClockRuleView | null;
  change?: ChangeView | null;
  link?: string | null;
  meter_cents?: number | null;
  seats_taken: number[];
  players: number;
  computer_seats: number[];
  bank_offered_to?: number | null;
  banks_next?: number | null;
  commitments: Record<string, string>;
  deck_round: number;
  seeds?: SeedsView | null;
  fairness: FairnessView;
  round?: RoundView | null;
  results: ResultView[];
  stopped?: string | null;
  stopped_code?: string | null;
}

/** One decision that is open to a hand, with what it costs. */
export interface ChoiceView {
  kind: string;
  multiple?: number | null;
  cost_cents: number;
}

/** A hand of the viewer: everything that its player may see of it. */
export interface OwnHandView {
  seat: number;
  hand: number;
  wagers: WagerView[];
  cards: (string | null)[];
  made?: string | null;
  decisions: DecisionView[];
  held?: string[] | null;
  due: boolean;
  choices: ChoiceView[];
  may_hold: boolean;
  clock_decides?: string | null;
  lines: LineView[];
  net_cents?: number | null;
  void: boolean;
  fouled: boolean;
}

/** The wagers for the dealer in a live round, as its dealer and supervisors see them (S.5). */
export interface DealerBetsView {
  wagers: number;
  cents: number;
  won_cents?: number | null;
}

/** The part that only this viewer may see. */
export interface PrivateView {
  name?: string | null;
  seat?: number | null;
  credit_cents: number;
  wallet_cents: number;
  bet_cents: number;
  win_cents: number;
  net_cents: number;
  collection_cents: number;
  deck_root?: string | null;
  deck_round: number;
  deck_sealed: boolean;
  seed_commitment?: string | null;
  seed_revealed: boolean;
  hands: Record<string, OwnHandView>;
  dealer_bets?: DealerBetsView | null;
  may: string[];
  rulings: RulingView[];
  adjustments: AdjustmentView[];
  played: PlayedView[];
  felt?: FeltView | null;
  mispayments: MispaymentView[];
  stub?: StubView | null;
  bank?: BankView | null;
  preview?: PreviewView | null;
}

/** An amount on one circle. */
export interface WagerAsked {
  kind: string;
  cents: number;
  for_dealer?: boolean;
}

/** Bet nothing now. */
export interface Check {
  kind: "check";
}

/** Make the Play wager. */
export interface Bet {
  kind: "bet";
  multiple: number;
}

/** Give up the hand. */
export interface Fold {
  kind: "fold";
}

/** Keep these cards and draw for the others. */
export interface Hold {
  kind: "hold";
  cards: string[];
}

/** Sit down; without ``seat``, at the first free seat. */
export interface TakeSeat {
  kind: "take_seat";
  seat?: number | null;
}

/** Collect and stand up. */
export interface LeaveSeat {
  kind: "leave_seat";
  seat: number;
}

/** Move money from the wallet to the seat. */
export interface BuyIn {
  kind: "buy_in";
  seat: number;
  cents: number;
}

/** Move the whole credit back to the wallet. */
export interface Collect {
  kind: "collect";
  seat: number;
}

/** Set the wagers of a hand to exactly these; an empty list clears them. */
export interface SetWagers {
  kind: "set_wagers";
  spot: string;
  wagers: WagerAsked[];
  round?: number | null;
  seed_commitment?: string | null;
}

/** Reveal the seed that the seat is bound to, once the seeds are called. */
export interface RevealSeed {
  kind: "reveal_seed";
  seat: number;
  seed: string;
}

/** No more bets: deal. */
export interface CloseBets {
  kind: "close_bets";
  checked_cents?: number | null;
}

/** Decide for a hand. */
export interface Decide {
  kind: "decide";
  spot: string;
  decision: DecisionAsked;
  round?: number | null;
  street?: string | null;
}

/** Bank the next round with this bank wager. */
export interface TakeBank {
  kind: "take_bank";
  seat: number;
  cover_cents: number;
  seed_commitment?: string | null;
}

/** Pass the bank on. */
export interface DeclineBank {
  kind: "decline_bank";
  seat: number;
}

/** Dealer: begin a round. */
export interface OpenBets {
  kind: "open_bets";
}

/** Floor: take wagers again, before the first card. */
export interface ReopenBets {
  kind: "reopen_bets";
}

/** Dealer: the card that was dealt next. */
export interface DealCard {
  kind: "deal_card";
  card: string;
  round?: number | null;
  place?: string | null;
}

/** Dealer: correct a card that was scanned wrongly. */
export interface CorrectCard {
  kind: "correct_card";
  lies: "hand" | "dealer" | "common";
  position: number;
  card: string;
  spot?: string | null;
}

/** Dealer: exchange two cards that were scanned in the wrong order. */
export interface SwapCards {
  kind: "swap_cards";
  place: string;
  other: string;
  round?: number | null;
}

/** Dealer: turn over the next cards. */
export interface TurnCards {
  kind: "turn_cards";
}

/** Dealer: confirm the round, which settles it. */
export interface Confirm {
  kind: "confirm";
}

/** Staff: declare the round void. */
export interface VoidRound {
  kind: "void_round";
  reason: string;
}

/** Staff: something went wrong in the deal. ``rulings`` lists what may be declared now. */
export interface DeclareIrregularity {
  kind: "irregularity";
  irregularity: string;
  about: "deck" | "hand" | "dealer" | "common" | "chips";
  spot?: string | null;
  card?: string | null;
  cents?: number | null;
  note?: string;
  round?: number | null;
}

/** Staff: put a wrong payout of a confirmed round right, once a supervisor approves it. */
export interface ProposeAdjustment {
  kind: "propose_adjustment";
  round: number;
  seat: number;
  cents: number;
  reason: string;
}

/** Floor: approve an adjustment that another member of staff has proposed. */
export interface ApproveAdjustment {
  kind: "approve_adjustment";
  number: number;
}

/** Floor: reject a proposed adjustment. */
export interface RejectAdjustment {
  kind: "reject_adjustment";
  number: number;
  reason: string;
}

/** Staff: how many cards are left of the deck after a round, or which. */
export interface CountStub {
  kind: "count_stub";
  count?: number | null;
  cards?: string[] | null;
  round?: number | null;
}

/** Staff: the chips that lie on the felt before the first card, in sum or spot by spot. */
export interface CountFelt {
  kind: "count_felt";
  cents?: number | null;
  spots?: Record<string, number> | null;
  round?: number | null;
}

/** Staff: put the table on hold until a supervisor has come; its clock stands. */
export interface CallFloor {
  kind: "call_floor";
  note?: string;
}

/** Staff: go on where the table was put on hold, with the time that was left. */
export interface ResumePlay {
  kind: "resume_play";
}

/** Staff: chips of a confirmed round were paid wrongly by hand; the book is right. */
export interface ReportMispayment {
  kind: "report_mispayment";
  round: number;
  seat: number;
  cents: number;
  reason: string;
}

/** Floor: how a mispayment ended. */
export interface ResolveMispayment {
  kind: "resolve_mispayment";
  number: number;
  resolution: "recovered" | "not_recovered";
}

/** Staff: another dealer takes over. */
export interface ChangeDealer {
  kind: "change_dealer";
  dealer?: string | null;
}

/** Floor: close the table once its round is over. */
export interface CloseTable {
  kind: "close_table";
  reason: string;
}

/** Floor: open no more rounds for a while, once the round is over. */
export interface PauseTable {
  kind: "pause_table";
  reason: string;
}

/** Floor: take wagers again, after the table was closed or paused. */
export interface ReopenTable {
  kind: "reopen_table";
}

/** The first message on a socket. */
export interface Hello {
  type: "hello";
  protocol: number;
  seen?: number | null;
}

/** A command for the table. The client makes the id and keeps it until the answer arrives. */
export interface Command {
  type: "command";
  id: string;
  command: CommandAsked;
  approval?: string | null;
}

/** Check that the connection is alive. */
export interface Ping {
  type: "ping";
}

/** The first answer on a socket: the whole table. */
export interface Welcome {
  type: "welcome";
  protocol: number;
  version: number;
  public: PublicView;
  private: PrivateView;
  clock_left_ms?: number | null;
}

/** The changes at the table; an unchanged part is left out. */
export interface Change {
  type: "change";
  version: number;
  public?: Patch<PublicView>;
  private?: Patch<PrivateView>;
  whole?: boolean;
  clock_left_ms?: number | null;
}

/** The answer to a command, sent after the change that the command has caused. */
export interface Answered {
  type: "answer";
  id: string;
  version: number;
  accepted: boolean;
  refused?: string | null;
  sentence?: string | null;
}

/** The answer to a ping. */
export interface Pong {
  type: "pong";
}

/** The fault of a message, or why the socket is about to be closed. */
export interface Problem {
  type: "problem";
  code: string;
  sentence: string;
}

/** Dealer and floor: a card reader has sent a card that the table has not taken. */
export interface ScanRefused {
  type: "scan_refused";
  id: string;
  reader: string;
  read?: string | null;
  refused: string;
  sentence: string;
}

/** No more bets. */
export interface BetsClosed {
  kind: "bets_closed";
}

/** A card was dealt; it is null if it is face down for the player. */
export interface CardDealt {
  kind: "card_dealt";
  lies: "hand" | "dealer" | "common";
  seat?: number | null;
  hand?: number | null;
  position: number;
  card?: string | null;
}

/** A card that was scanned wrongly was corrected. */
export interface CardCorrected {
  kind: "card_corrected";
  lies: "hand" | "dealer" | "common";
  seat?: number | null;
  hand?: number | null;
  position: number;
  card?: string | null;
}

/** Cards were turned over: the dealer's, or all common cards so far; none for hands. */
export interface CardsTurned {
  kind: "cards_turned";
  lies: "hand" | "dealer" | "common";
  cards: string[];
  seat?: number | null;
  hand?: number | null;
}

/** The dealer does not qualify: the Antes went back before any hand was turned. */
export interface AntesReturned {
  kind: "antes_returned";
}

/** A hand has decided; another player's decision is null. */
export interface DecisionMade {
  kind: "decision_made";
  seat: number;
  hand: number;
  decision?: DecisionView | null;
}

/** Something went wrong in the deal, and this followed from it. */
export interface IrregularityDeclared {
  kind: "irregularity_declared";
  irregularity: string;
  about: string;
  effect: string;
  clause: string;
  seat?: number | null;
  hand?: number | null;
  card?: string | null;
}

/** The round is settled, with the player's net result. */
export interface RoundSettled {
  kind: "round_settled";
  net_cents: number;
}

/** The round is void. */
export interface RoundVoided {
  kind: "round_voided";
  reason: string;
  code?: string | null;
}

/** One moment: what had just happened, and the table as its player saw it. */
export interface ReplayStep {
  what: Happened;
  text: string;
  at_ms: number;
  public: RoundView;
  own: Record<string, OwnHandView>;
}

/** A player's own round, card by card. */
export interface ReplayView {
  round: string;
  number: number;
  at_ms: number;
  house: string;
  fingerprint: string;
  void: boolean;
  seat: number;
  steps: ReplayStep[];
  lines: LineView[];
  staked_cents: number;
  credit_change_cents: number;
  purged: boolean;
  replay: boolean;
}

export type DecisionAsked =
  | Check
  | Bet
  | Fold
  | Hold;

export type CommandAsked =
  | TakeSeat
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
  | ReopenTable;

export type FromClient =
  | Hello
  | Command
  | Ping;

export type FromServer =
  | Welcome
  | Change
  | Answered
  | Pong
  | Problem
  | ScanRefused;

export type Happened =
  | BetsClosed
  | CardDealt
  | CardCorrected
  | CardsTurned
  | AntesReturned
  | DecisionMade
  | IrregularityDeclared
  | RoundSettled
  | RoundVoided;
