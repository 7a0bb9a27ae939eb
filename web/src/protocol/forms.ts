// Written from the forms in src/openfelt/protocol and those of proofs by `make docs`, and
// `make check` fails when they differ. Change those types, not this file.

/** Why a request was refused. */
export interface Problem {
  code: string;
  sentence: string;
}

/** The data that a browser needs to have a passkey sign a challenge. */
export interface PasskeyRequest {
  challenge: string;
  rp_id: string;
  passkeys: string[];
  timeout_ms: number;
}

/** The password is right; a passkey, or a code where the account has codes, is needed too. */
export interface PasskeyProblem {
  code: string;
  sentence: string;
  passkey: PasskeyRequest | null;
  codes: boolean;
}

/** A challenge that a passkey has signed. */
export interface PasskeyAssertion {
  id: string;
  client_data: string;
  authenticator_data: string;
  signature: string;
}

/** The second factor of an account: a code, or a challenge that a passkey has signed. */
export interface FactorForm {
  code?: string | null;
  passkey?: PasskeyAssertion | null;
}

/** The beginning of a set-up. Some minutes after the sign-in the password is needed; for an */
export interface SecondFactorBegin {
  code?: string | null;
  passkey?: PasskeyAssertion | null;
  password?: string | null;
}

/** The secret for an authenticator app, to be scanned or typed. */
export interface SecondFactorSecret {
  secret: string;
  uri: string;
  qr: string;
}

/** A code of the second factor. */
export interface CodeForm {
  code: string;
}

/** The password and the second factor, for what only the owner may do. */
export interface OwnerForm {
  code?: string | null;
  passkey?: PasskeyAssertion | null;
  password: string;
}

/** The data that a browser needs to create a passkey. */
export interface PasskeyCreation {
  challenge: string;
  rp_id: string;
  rp_name: string;
  user_id: string;
  user_name: string;
  algorithms: number[];
  passkeys: string[];
  timeout_ms: number;
}

/** A passkey that a browser has made. */
export interface NewPasskey {
  name: string;
  id: string;
  client_data: string;
  attestation: string;
}

/** A passkey of the caller's account. */
export interface PasskeyView {
  id: string;
  name: string;
  site: string;
  added_ms: number;
  used_ms: number | null;
}

/** Codes for the day when the app is lost; they are shown once, and each counts once. */
export interface RecoveryCodes {
  recovery_codes: string[];
}

/** The label of a device that is enrolled. */
export interface TerminalLabel {
  label: string;
  table?: string | null;
}

/** An enrolled device of the house. */
export interface TerminalView {
  id: string;
  label: string;
  by: string;
  at_ms: number;
  table: string | null;
  state: "in_service" | "locked" | "out_of_service";
  reason: string;
}

/** Another label of a device. */
export interface TerminalName {
  label: string;
}

/** Locks a device, takes it out of service, or puts it into service again. */
export interface TerminalState {
  state: "in_service" | "locked" | "out_of_service";
  reason: string;
}

/** The badge of an account, with a PIN that its owner changes at the first use. */
export interface BadgeForm {
  badge: string;
  pin: string;
}

/** The number of a badge and the PIN of its owner. */
export interface PinForm {
  badge: string;
  pin: string;
  new_pin?: string | null;
}

/** Signs a dealer on at the table of the terminal. */
export interface SignOnForm {
  badge: string;
  pin: string;
  new_pin?: string | null;
  approval?: string | null;
}

/** A dealer's time at one table, with its tips: the winnings of wagers for the dealer (S.5). */
export interface ShiftView {
  table: string;
  began_ms: number;
  ended_ms: number | null;
  tips_cents: number;
  tips: number;
}

/** A handover that the outgoing dealer has still to confirm. */
export interface HandoverView {
  outgoing: string;
  incoming: string;
  approval: string;
  seconds: number;
}

/** The outgoing dealer hands the table over. */
export interface HandoverConfirm {
  approval: string;
}

/** A supervisor approves one act of a dealer: by name and password, or by badge and PIN. */
export interface ApprovalForm {
  act: string;
  table: string;
  command?: string | null;
  name?: string | null;
  password?: string | null;
  code?: string | null;
  badge?: string | null;
  pin?: string | null;
  new_pin?: string | null;
}

/** A one-time approval. */
export interface ApprovalView {
  approval: string;
  by: string;
  act: string;
  seconds: number;
}

/** A significant event: who, when, what, and why. */
export interface LogEntryView {
  at_ms: number;
  stream: string;
  version: number;
  name: string;
  actor: string;
  terminal: string;
  why: string;
  fields: Record<string, unknown>;
}

/** A page of the log, the newest first. */
export interface LogPageView {
  entries: LogEntryView[];
  next: string | null;
  scanned: number;
}

/** One event in depth. */
export interface LogEventView {
  entry: LogEntryView;
  before: LogEntryView | null;
  values: Record<string, unknown>;
  command: string;
  hash: string;
  previous: string;
}

/** A finished round that is to be shown as it was seen. */
export interface RecallForm {
  table: string;
  round: number;
  seats?: number[];
}

/** History that was moved out of the database into a file. */
export interface ArchiveView {
  number: number;
  at_ms: number;
  checkpoint: number;
  transfer: number;
  sha256: string;
  file: string | null;
  problem: string;
}

/** All archives of the database, the newest first. */
export interface ArchivesView {
  archives: ArchiveView[];
  folder: boolean;
}

/** A finished round as the dealer and each seat saw it; the reading of it is recorded. */
export interface RecalledRound {
  replay: true;
  table: string;
  round: number;
  recalled_ms: number;
  frozen: string;
}

/** A verification of the record that has ended. */
export interface VerificationView {
  at_ms: number;
  by: string;
  full: boolean;
  asked: boolean;
  took_ms: number;
  events: number;
  rounds: number;
  transfers: number;
  findings: number;
  named: string[];
  problem: string;
}

/** A verification in progress. */
export interface VerificationProgress {
  since_ms: number;
  by: string;
  full: boolean;
  done: number;
  total: number;
}

/** The state of the verifications of the record. */
export interface VerificationsView {
  running: VerificationProgress | null;
  results: VerificationView[];
  every_hours: number;
  next_ms: number | null;
}

/** A verification that is to begin. */
export interface VerificationForm {
  full?: boolean;
}

/** A checkpoint of the notary. */
export interface SignedCheckpointView {
  number: number;
  at_ms: number;
  streams: number;
  hash: string;
  key: string;
  restored: string | null;
}

/** The notary and its last checkpoints, the newest first. */
export interface SignedCheckpointsView {
  status: string;
  checkpoints: SignedCheckpointView[];
}

/** An export that is to be made. */
export interface ExportForm {
  tables: ("rounds" | "lines" | "transfers" | "events")[];
  format?: "csv" | "json" | "parquet";
  first: string;
  last: string;
}

/** A file of an export. */
export interface ExportedFileView {
  name: string;
  rows: number;
  sha256: string;
}

/** An export, in progress or ready. */
export interface ExportView {
  number: number;
  by: string;
  at_ms: number;
  tables: string[];
  format: string;
  done: number;
  total: number;
  ended: boolean;
  problem: string;
  files: ExportedFileView[];
  key: string;
}

/** The last export, null if there was none since the server started. */
export interface ExportsView {
  export: ExportView | null;
}

/** A finished round that is to be frozen. */
export interface NewDispute {
  table: string;
  round: number;
  note: string;
}

/** A note on a dispute. */
export interface DisputeNote {
  note: string;
}

/** The outcome of a dispute, which is final. */
export interface DisputeOutcome {
  outcome: "upheld" | "rejected" | "settled";
  note: string;
}

/** Something that was added to a dispute. */
export interface DisputeEntry {
  at_ms: number;
  by: string;
  note: string;
  outcome: "upheld" | "rejected" | "settled" | null;
}

/** A dispute. */
export interface DisputeView {
  number: number;
  table: string;
  round: number;
  at_ms: number;
  by: string;
  note: string;
  seats: number[];
  until_ms: number;
  purged: boolean;
  digest: string;
  outcome: "upheld" | "rejected" | "settled" | null;
  entries: DisputeEntry[];
}

/** The dealer's or one seat's view of a frozen round, step by step, and as a picture. */
export interface DisputeSeatView {
  seat: number;
  player: string;
  steps: Record<string, unknown>[];
  picture: string | null;
  picture_sha256: string | null;
  renderer: string | null;
  house: string;
  fingerprint: string;
  proof_missing: string | null;
}

/** The least hand with which the dealer qualifies. */
export interface DraftHand {
  hand: string;
  at_least?: string | null;
}

/** The payout of one row of a paytable; an empty text removes the row. */
export interface DraftRow {
  pays: string;
  envy?: number;
}

/** The terms of one wager. */
export interface DraftWager {
  kind: string;
  min_cents: number;
  max_cents: number;
  step_cents: number;
  paytable?: string | null;
  rows?: DraftRow[] | null;
}

/** The terms of a house, some of them changed. */
export interface HouseDraftForm {
  house: string;
  qualifying: DraftHand;
  before_flop: number[];
  on_flop: number[];
  on_river: number[];
  wagers: DraftWager[];
}

/** A draft that becomes a house file. */
export interface DraftFilesForm {
  house: string;
  qualifying: DraftHand;
  before_flop: number[];
  on_flop: number[];
  on_river: number[];
  wagers: DraftWager[];
  id: string;
  name: string;
  reason: string;
}

/** A paytable with which changes may begin. */
export interface DraftTable {
  name: string;
  labels: string[];
  rows: DraftRow[];
}

/** A wager of a house, and the paytables that it may have. */
export interface DraftWagerView {
  wager: DraftWager;
  tables: DraftTable[];
}

/** The terms of a house as they are, to be changed. */
export interface HouseDraftView {
  house: string;
  name: string;
  game: string;
  hands: string[];
  ranks: string[];
  qualifying: DraftHand;
  before_flop: number[];
  on_flop: number[];
  on_river: number[];
  wagers: DraftWagerView[];
}

/** A figure as a decimal number and, where it has one, as the exact fraction. */
export interface ExactFigure {
  decimal: string;
  fraction: string | null;
}

/** One figure of a house: of the draft, of the house that it began with, and the difference. */
export interface FigureLine {
  of: string;
  measure: string;
  unit: string;
  multiple: number | null;
  draft: ExactFigure | null;
  published: ExactFigure | null;
  difference: string | null;
  claimed: string | null;
}

/** Why terms cannot be offered. */
export interface DraftProblem {
  where: string;
  sentence: string;
}

/** How far the count has come of terms that change the best play. */
export interface CountingView {
  done: number;
  steps: number;
}

/** Every figure of a draft beside those of the house that it began with. */
export interface DraftFiguresView {
  problem: DraftProblem | null;
  counting: CountingView | null;
  best_play: boolean;
  lines: FigureLine[];
}

/** A file for an operator's folder of houses. */
export interface DraftFile {
  path: string;
  text: string;
}

/** The files of a drafted house. */
export interface DraftFilesView {
  files: DraftFile[];
}

/** An account as a supervisor sees it, without anything that its owner alone knows. */
export interface AccountView {
  name: string;
  role: string;
  guest: boolean;
  public_name: string;
  opened_ms: number;
  barred: string | null;
  wrong_passwords: number;
  wrong_pins: number;
  has_pin: boolean;
  second_factor: boolean;
  signed_in: boolean;
}

/** The figures of a table on the day of the view, UTC, counted from its record. */
export interface FloorFiguresView {
  rounds: number;
  rounds_voided: number;
  stakes_cents: number;
  progressive_cents: number;
  win_cents: number | null;
  corrections: number;
  holds: number;
  hour_rounds: number;
  hour_covers_ms: number;
}

/** A condition at a table that needs a supervisor. */
export interface FloorAlert {
  kind: "stopped" | "unreadable" | "house_held" | "on_hold" | "felt_differs" | "stub_differs" | "adjustments" | "mispayments" | "no_dealer" | "idle" | "voids" | "corrections";
  count: number | null;
  since_ms: number | null;
}

/** One table of the floor. */
export interface FloorTable {
  table: string;
  house: string;
  house_name: string;
  dealer_mode: string;
  phase: string;
  round_phase: "wagering" | "playing" | null;
  round: number;
  dealer: string | null;
  dealer_since_ms: number | null;
  players: number;
  seats: number;
  min_cents: number;
  max_cents: number;
  felt_cents: number;
  link: string | null;
  meter_cents: number | null;
  player_banked: boolean;
  figures: FloorFiguresView | null;
  alerts: FloorAlert[];
}

/** The figures of all tables together. */
export interface FloorTotals {
  rounds: number;
  stakes_cents: number;
  win_cents: number;
  players: number;
  alerts: number;
  tables_missing: number;
}

/** The limits at which the house raises alerts; 0 means never. Tables may have others. */
export interface AlertLimitsView {
  idle_minutes: number;
  voids: number;
  corrections: number;
}

/** Keeps the figures of the floor. */
export interface CheckpointForm {
  note: string;
}

/** The figures of a table on the day of a checkpoint, up to it. */
export interface CheckpointTable {
  rounds: number;
  stakes_cents: number;
  win_cents: number;
  players: number;
}

/** The figures of the floor as they were kept. */
export interface FloorCheckpointView {
  number: number;
  at_ms: number;
  by: string;
  note: string;
  day: string;
  tables: Record<string, CheckpointTable>;
}

/** The whole floor at one moment. */
export interface FloorView {
  at_ms: number;
  day: string;
  supervisors: string[];
  live_tables: number;
  vouchers_open: number | null;
  vouchers_cents: number | null;
  tables: FloorTable[];
  totals: FloorTotals;
  unreadable: string[];
  alert_limits: AlertLimitsView;
  alerts_open: number;
}

/** One wager of the house, a table or a dealer: what the bank won, and what theory says. */
export interface WagerFairness {
  kind: "house" | "table" | "dealer";
  name: string;
  wager: string;
  basis: "exact" | "best_play" | null;
  unknown: "meter" | "not_solved" | "not_counted" | null;
  left_out: number;
  rounds: number;
  hands: number;
  stakes_cents: number;
  win_cents: number;
  expected_cents: number;
  reach_cents: number;
  p_value: number;
  flagged: boolean;
}

/** How the hands that were dealt fit their exact probabilities. */
export interface DealtFairness {
  kind: "house" | "table" | "dealer";
  name: string;
  test: "dealer_hands" | "draw_dealer_hands" | "boards" | "first_hand";
  rounds: number;
  p_value: number | null;
  flagged: boolean;
}

/** A test of the shuffled decks. */
export interface ShuffleTest {
  test: string;
  p_value: number | null;
  decks_min: number;
  flagged: boolean;
}

/** The evidence in a player's rounds against chance: the largest N such that at most one honest */
export interface PlayerFairness {
  player: string;
  rounds: number;
  wins_one_in: number;
  follows_one_in: number;
}

/** Real play beside theory. */
export interface FairnessView {
  at_ms: number;
  since_ms: number | null;
  rounds: number;
  behind: number;
  unreadable: string[];
  wagers: WagerFairness[];
  dealt: DealtFairness[];
  decks: number;
  terminal_decks: number;
  shuffles: ShuffleTest[];
  shuffles_p_value: number | null;
  players: PlayerFairness[];
  comparisons: number;
}

/** The state of a wager after some rounds, with its band. */
export interface FairnessPoint {
  rounds: number;
  win_cents: number;
  expected_cents: number;
  reach_cents: number;
}

/** An alert with who saw it, who closed it and why. */
export interface AlertView {
  number: number;
  kind: string;
  subject: string;
  detail: string;
  at_ms: number;
  seen_by: string | null;
  seen_ms: number | null;
  closed_by: string | null;
  closed_ms: number | null;
  reason: string;
}

/** A limit of the house's file. */
export interface AlertSettingView {
  name: string;
  value: number;
  default: number;
  tables: Record<string, number>;
}

/** The open alerts and the last closed ones, the newest first, and the limits. */
export interface AlertsView {
  alerts: AlertView[];
  settings: AlertSettingView[];
}

/** Closes an alert. */
export interface AlertClosing {
  reason: string;
}

/** How a meter grows, and where it begins again. */
export interface LinkRatesView {
  percent: string;
  seed_cents: number;
  ceiling_cents: number | null;
}

/** Income and payouts of a link's meter and reserve, exact to the fraction of a cent. */
export interface MeterBooksView {
  opening: string;
  contributed: string;
  seeded: string;
  moved_in: string;
  awarded: string;
  envied: string;
  handed_back: string;
  moved_out: string;
  closing: string;
  difference: string;
  opening_meter: string;
  closing_meter: string;
  opening_reserve: string;
  closing_reserve: string;
}

/** The link's own books beside the two accounts of the ledger, at one moment. */
export interface ReconciliationView {
  at_ms: number;
  meter_cents: number;
  meter_ledger_cents: number;
  reserve_cents: number;
  reserve_ledger_cents: number;
  difference_cents: number;
}

/** A progressive link with its books. */
export interface LinkBooksView {
  link: string;
  phase: "open" | "paused" | "retired";
  pause_reason: string | null;
  tables: string[];
  rates: LinkRatesView;
  waiting: LinkRatesView | null;
  meter_cents: number;
  meter_exact: string;
  rounds: number;
  wins: number;
  since_ms: number | null;
  recent: MeterBooksView;
  whole: MeterBooksView;
  reconciliation: ReconciliationView;
}

/** The award of one hand from a link. */
export interface LinkAwardView {
  seat: number;
  hand: number;
  player: string | null;
  wager: "progressive" | "envy";
  made: string | null;
  cents: number;
}

/** One line of a link's record that a person reads: an award, or an act. */
export interface LinkEntryView {
  version: number;
  at_ms: number;
  by: string | null;
  kind: "link_opened" | "link_table_joined" | "link_table_left" | "link_round_counted" | "link_rates_changed" | "link_paused" | "link_resumed" | "link_retired" | "link_received";
  reason: string;
  table: string | null;
  round: number | null;
  rates: LinkRatesView | null;
  other_link: string | null;
  awarded_cents: number;
  envied_cents: number;
  from_meter_cents: number;
  awards: LinkAwardView[];
}

/** A part of a link's record, the newest line first. */
export interface LinkEntriesView {
  entries: LinkEntryView[];
  before: number | null;
}

/** The rates of a meter. */
export interface LinkRatesForm {
  percent: string;
  seed_cents: number;
  ceiling_cents?: number | null;
}

/** A link to be opened. */
export interface NewLink {
  percent: string;
  seed_cents: number;
  ceiling_cents?: number | null;
  link: string;
  reason: string;
}

/** Rates that wait for the next win. */
export interface LinkRatesChange {
  percent: string;
  seed_cents: number;
  ceiling_cents?: number | null;
  reason: string;
}

/** Pauses or resumes a link. */
export interface LinkAct {
  reason: string;
}

/** Ends a link. */
export interface LinkRetirement {
  reason: string;
  into?: string | null;
}

/** A player's changes to a house, for practice at a private table. */
export interface OwnRules {
  paytables?: Record<string, string>;
  hands?: number | null;
}

/** The paytables of which a player may choose one for a wager. */
export interface WagerTables {
  wager: string;
  usual: string;
  names: string[];
}

/** The parts of a house that a player may change. */
export interface OwnRulesChoices {
  house: string;
  hands: number;
  hands_max: number;
  wagers: WagerTables[];
}

/** A difference between a table and the house that it is named after. */
export interface RuleChange {
  what: "hands" | "paytable";
  wager: string | null;
  value: string;
  usual: string;
}

/** A shuffler or card reader that a supervisor admits to one table. */
export interface NewReader {
  table: string;
  label: string;
}

/** The token of a new card reader. It is shown once. */
export interface ReaderToken {
  id: string;
  token: string;
}

/** A card reader of the house. */
export interface ReaderView {
  id: string;
  table: string;
  label: string;
  by: string;
  at_ms: number;
}

/** One card, as a reader has read it. */
export interface CardScan {
  id: string;
  card: string;
  round?: number | null;
  place?: string | null;
}

/** The step that a table waits for, as its card readers need to know it. */
export interface CardsDue {
  round: number | null;
  step: "bets" | "card" | "turn" | "decisions" | "seeds" | "confirm" | null;
  place: string | null;
  sentence: string;
}

/** A card that the table has taken; it is in the record. */
export interface CardTaken {
  card: string;
  place: string;
  due: CardsDue;
}

/** The codes that scanners send for cards at a table. */
export interface CardCodesView {
  codes: Record<string, string>;
}

/** A house whose file is not the accepted one; no round begins at its tables. */
export interface HeldHouseView {
  house: string;
  why: string;
  accepted: string;
  found: string;
}

/** A supervisor accepts the files of some houses as they are now. */
export interface HouseAcceptance {
  houses: string[];
  reason: string;
}

/** A check of the program's own files, including the rule data. */
export interface SoftwareCheckView {
  at_ms: number;
  why: string;
  version: string;
  fingerprint: string;
  files: number;
  listed: boolean;
  houses: string;
  faults: number;
  named: string[];
  held: HeldHouseView[];
}

/** A table that a server runs, and its lease. */
export interface RunTableView {
  table: string;
  fence: number;
  left_ms: number;
}

/** One server. */
export interface ServerStateView {
  name: string;
  role: string;
  version: string;
  started_ms: number;
  silent_ms: number;
  state: string;
  bus: string;
  bus_ms: number;
  lag_ms: number;
  tables: RunTableView[];
  duties: string[];
}

/** The servers that share the database. */
export interface ServersView {
  servers: ServerStateView[];
  waiting: string[];
  apart: string[];
}

/** A name and its password. */
export interface Credentials {
  name: string;
  password: string;
}

/** A name, its password, and the second factor of an account that has one. */
export interface SignInForm {
  code?: string | null;
  passkey?: PasskeyAssertion | null;
  name: string;
  password: string;
}

/** The new password, with the current one and the second factor of an account that has one. */
export interface NewPassword {
  code?: string | null;
  passkey?: PasskeyAssertion | null;
  password: string;
  new_password: string;
}

/** An account that a supervisor opens. */
export interface NewAccount {
  name: string;
  password: string;
  role: string;
  public_name?: string | null;
  temporary?: boolean;
}

/** The name under which players see the owner of an account. */
export interface PublicNameForm {
  public_name: string;
}

/** A new role: ``player``, ``dealer``, ``cashier``, ``supervisor`` or ``auditor``. */
export interface NewRole {
  role: string;
}

/** The reason for an action. */
export interface Reason {
  reason: string;
}

/** The account of a caller who has signed in. */
export interface Me {
  name: string;
  player: string;
  role: string;
  guest: boolean;
  wallet_cents: number;
  enrolled: boolean;
  play_money: boolean;
  step: "password" | "second_factor" | null;
  second_factor: boolean;
  passkeys: number;
  second_factor_required: boolean;
  recovery_codes_left: number;
  table: string | null;
  terminal_of: string | null;
  terminal_stopped: string;
  practice_table: string | null;
  pages: string[];
  vouchers: boolean;
}

/** A caller who has not signed in, with the fields of an account. */
export interface SignedOut {
  name: null;
  player: null;
  role: null;
  guest: false;
  wallet_cents: 0;
  enrolled: boolean;
  play_money: boolean;
  terminal_of: string | null;
  terminal_stopped: string;
  practice_table: string | null;
  pages: string[];
}

/** The request has been carried out. */
export interface Done {
  done: boolean;
}

/** The id of a top-up, which makes it safe to send again. */
export interface TopUp {
  id?: string | null;
}

/** The balance of a wallet. */
export interface Wallet {
  wallet_cents: number;
  fills_up_to_cents: number;
}

/** The unfinished rounds of a player that were cancelled and refunded. */
export interface UnfinishedView {
  player: string;
  rounds: number;
  returned_cents: number;
  flagged: boolean;
}

/** Counts from a table's first round on that no proof of a single round can show. */
export interface TableFairness {
  rounds: number;
  rounds_voided: number;
  rounds_withdrawn: number;
  seeds: number;
  seeds_withheld: number;
}

/** A table as the lobby shows it. */
export interface TableCard {
  table: string;
  house: string;
  house_name: string;
  fingerprint: string;
  game: string;
  dealer_mode: string;
  phase: string;
  seats: number;
  seats_taken: number;
  hands_per_seat: number;
  min_cents: number;
  max_cents: number;
  clock_seconds: number | null;
  round_phase: "wagering" | "playing" | null;
  clock_left_ms: number | null;
  link: string | null;
  meter_cents: number | null;
  enrolled_only: boolean;
  private: boolean;
  own_rules: boolean;
  player_banked: boolean;
  computer_players: number;
  own_seat: number | null;
  own_credit_cents: number | null;
  own_staked_cents: number;
  own_in_play: boolean;
  fairness: TableFairness;
}

/** The house of a private table. */
export interface PrivateTable {
  house: string;
  rules?: OwnRules | null;
}

/** A clock that replaces the one of the table's house. */
export interface TableClock {
  wager_seconds: number;
  decision_seconds: number;
}

/** A table that a supervisor opens. */
export interface NewTable {
  table: string;
  house: string;
  dealer_mode?: "live" | "virtual" | null;
  clock?: TableClock | null;
  link?: string | null;
}

/** The name of a table. */
export interface TableName {
  table: string;
}

/** A progressive link. */
export interface LinkView {
  link: string;
  meter_cents: number;
  seed_cents: number;
  phase: string;
  tables: string[];
  rounds: number;
  wins: number;
}

/** One award, in words. */
export interface PaytableRow {
  label: string;
  pays: string;
  envy: string | null;
}

/** A paytable, as it is printed on the felt. */
export interface PaytableView {
  name: string;
  rows: PaytableRow[];
}

/** A wager that the house offers. */
export interface WagerRuleView {
  kind: string;
  words: string;
  min_cents: number;
  max_cents: number;
  multiple_of_cents: number;
  requires: string[];
  paytable: PaytableView | null;
  payout_aggregate_cents: number | null;
}

/** The limits of wagers for the dealer. */
export interface DealerWagersView {
  min_cents: number;
  max_cents: number;
  multiple_of_cents: number;
}

/** The Play wager as multiples of the Ante. */
export interface PlayView {
  before_flop: number[];
  on_flop: number[];
  on_river: number[];
}

/** The collection for an Ante of up to this size. */
export interface BandView {
  ante_up_to_cents: number;
  player_cents: number;
  banker_cents: number;
}

/** The clock of a house: how long bets and decisions are open. */
export interface ClockRuleView {
  wager_seconds: number;
  decision_seconds: number;
}

/** One way in which a wager may end. */
export interface EndingView {
  outcome: string;
  result: string;
  clause: string;
}

/** A stake that wins, and what it is paid. */
export interface ExampleView {
  stake_cents: number;
  award: string | null;
  pays: string;
  payout_cents: number;
  stake_returned: boolean;
}

/** The terms of a wager: its endings, and an example of a win. */
export interface WagerTermsView {
  wager: string;
  endings: EndingView[];
  example: ExampleView | null;
  reads: string | null;
}

/** A clause of a published document or of the rulings, in Openfelt's own words. */
export interface ClauseView {
  id: string;
  document: string;
  text: string;
}

/** The long-run return of a wager. */
export interface ReturnView {
  label: string;
  of: string;
  measure: "return" | "advantage";
  value: string;
  source: string;
  basis: "staked" | "wager" | null;
}

/** A house in the list of houses. */
export interface HouseLine {
  id: string;
  name: string;
  document: string;
  game: string;
  seats: number;
  hands_per_seat: number;
  dealer_mode: string;
  remote_play: boolean;
  own_rules: boolean;
  private_tables: boolean;
  fingerprint: string;
}

/** A limit of its document that a house does not keep, and why. */
export interface DepartureView {
  clause: string;
  reason: string;
}

/** A house with its rules, limits, paytables and returns. */
export interface HouseView {
  id: string;
  name: string;
  document: string;
  game: string;
  seats: number;
  hands_per_seat: number;
  dealer_mode: string;
  remote_play: boolean;
  own_rules: boolean;
  private_tables: boolean;
  fingerprint: string;
  version: number;
  source: string;
  game_words: string;
  chips_cents: number[];
  notices: string[];
  departures: DepartureView[];
  changes: RuleChange[];
  wagers: WagerRuleView[];
  wagers_per_hand_max: number | null;
  table_aggregate_max_cents: number | null;
  dealer_wagers: DealerWagersView | null;
  play: PlayView | null;
  reserve_play: boolean;
  ante_bonus: PaytableView | null;
  bank: string;
  collection: BandView[];
  bank_wager_min_cents: number;
  clock: ClockRuleView | null;
  returns: ReturnView[];
  returns_pending: boolean;
  terms: WagerTermsView[];
  player_cards_face_up: boolean;
  deck: string;
  settlement_order: string;
  dealer_qualifies: string;
  progressive_seed_cents: number | null;
  unfinished_days: number | null;
  unfinished: string;
}

/** A round of the caller in the list of rounds. */
export interface RoundLine {
  round: string;
  number: number;
  at_ms: number;
  credit_change_cents: number;
  staked_cents: number;
  void: boolean;
  banked: boolean;
  adjusted_cents: number;
}

/** The caller's last visit to a table: the finished rounds since the last collecting there. */
export interface VisitView {
  rounds: number;
  credit_change_cents: number;
}

/** A round of a visit, and the result of the visit after it. */
export interface VisitPoint {
  number: number;
  credit_change_cents: number;
  total_cents: number;
}

/** The course of the caller's last visit to a table, round by round. */
export interface VisitCourse {
  rounds: number;
  credit_change_cents: number;
  points: VisitPoint[];
}

/** A table at which the caller has finished rounds. */
export interface PlayedTable {
  table: string;
  house: string;
  house_name: string;
  private: boolean;
  last: RoundLine;
  visit: VisitView;
}

/** The result of checking a proof. */
export interface Verdict {
  ok: boolean;
  cards_checked: number;
  cards_never_shown: number;
  problem: string | null;
}

/** One decision that the rules offered, and what it is worth. */
export interface PricedChoice {
  kind: "check" | "fold" | "bet";
  multiple: number | null;
  ev: number;
  ev_fraction: string;
  cost: number;
}

/** One decision of a hand, beside the best one. */
export interface CoachedDecision {
  hand: number;
  street: string;
  by: string;
  ante_cents: number;
  choices: PricedChoice[];
  chosen: number;
}

/** The best decisions of the caller's own round, and the cost of the caller's own decisions. */
export interface CoachView {
  round: string;
  number: number;
  decisions: CoachedDecision[];
  missing: "game" | "terms" | "cards" | null;
}

/** The id of a command, which makes it safe to send again. */
export interface CageCommand {
  id: string;
}

/** A voucher against the caller's wallet. */
export interface VoucherOrder {
  id: string;
  cents?: number | null;
}

/** A voucher that is used. */
export interface VoucherUse {
  id: string;
  code: string;
}

/** The code of a voucher that is looked up. */
export interface VoucherCodeForm {
  code: string;
}

/** A voucher, without its code. */
export interface VoucherView {
  cents: number;
  state: "open" | "redeemed" | "expired";
  issued_ms: number;
  expires_ms: number;
  ended_ms: number | null;
  source: string;
  to: string | null;
}

/** A voucher for its holder, to be shown and printed. */
export interface VoucherTicket {
  code: string | null;
  qr: string | null;
  voucher: VoucherView;
  wallet_cents: number | null;
}

/** A voucher that has been taken to the caller's wallet. */
export interface VoucherTaken {
  cents: number;
  wallet_cents: number;
}

/** How many pieces of one denomination were counted. */
export interface CountLine {
  denomination_cents: number;
  pieces: number;
}

/** The float of a drawer, as it was counted. */
export interface DrawerOpening {
  id: string;
  count: CountLine[];
}

/** The cash of a drawer, as it was counted. */
export interface DrawerClosing {
  id: string;
  count: CountLine[];
  reason?: string | null;
}

/** Cash that is paid in to a player's account, or out of it. */
export interface CashForm {
  id: string;
  player: string;
  cents: number;
  note?: string | null;
}

/** A voucher that is sold for cash. */
export interface VoucherSale {
  id: string;
  cents: number;
}

/** A payout above the limit: of a player's account, or of a voucher. */
export interface PayoutRequest {
  id: string;
  player?: string | null;
  cents?: number | null;
  code?: string | null;
  note?: string | null;
}

/** Why a payout is not made. */
export interface PayoutRefusal {
  id: string;
  reason: string;
}

/** A payout above the limit that is not paid yet. */
export interface PayoutView {
  number: number;
  cents: number;
  player: string | null;
  by: string;
  at_ms: number;
  note: string;
  state: "waiting" | "approved";
  approved_by: string | null;
}

/** A drawer of the cage. */
export interface DrawerView {
  drawer: string;
  cashier: string | null;
  opened_ms: number | null;
  limit_cents: number;
  cents: number;
  opening_cents: number;
  cash_in_cents: number;
  cash_out_cents: number;
  vouchers_sold_cents: number;
  vouchers_cashed_cents: number;
  payouts: PayoutView[];
}

/** A drawer from its opening to its closing, for the cashier whose it was. */
export interface ClosedDrawerView {
  drawer: string;
  opened_ms: number;
  closed_ms: number;
  cents: number;
  opening_cents: number;
  cash_in_cents: number;
  cash_out_cents: number;
  vouchers_sold_cents: number;
  vouchers_cashed_cents: number;
  counted_cents: number;
  difference_cents: number;
  reason: string;
}

/** The drawer that the caller has had open last. */
export interface LastDrawerView {
  drawer: ClosedDrawerView | null;
}

/** The cage at one moment. */
export interface CageView {
  drawers: DrawerView[];
  limit_cents: number;
  vouchers_open: number;
  vouchers_cents: number;
  unclaimed_cents: number;
}

/** The account of a player at the window. */
export interface WalletView {
  player: string;
  wallet_cents: number;
  barred: boolean;
}

/** One payment of cash at a window. */
export interface CashEntryView {
  at_ms: number;
  drawer: string;
  cents: number;
  way: "in" | "out";
}

/** The cash of one person on the day; in and out are added up alone, and never netted. */
export interface PersonCashView {
  player: string | null;
  in_cents: number;
  out_cents: number;
  logged: boolean;
  reported: boolean;
  entries: CashEntryView[];
}

/** All people who have reached a cash threshold on the day, the largest sums first. */
export interface CashThresholdsView {
  day: string;
  log_cents: number;
  report_cents: number;
  people: PersonCashView[];
}

/** The chips of a tray, as they were counted, with the first signature. */
export interface TrayCountForm {
  id: string;
  moment: "opening" | "closing";
  count: CountLine[];
  reason?: string | null;
}

/** Chips that are to be brought to a tray or taken from it. */
export interface ChipsRequest {
  id: string;
  kind: "fill" | "credit";
  count: CountLine[];
  note?: string | null;
}

/** Why a count is not signed, or a request is not carried out. */
export interface TrayRefusal {
  id: string;
  reason: string;
}

/** A fill or a credit that has not come yet. */
export interface ChipMoveView {
  table: string;
  number: number;
  kind: "fill" | "credit";
  count: CountLine[];
  cents: number;
  by: string;
  by_supervisor: boolean;
  at_ms: number;
  note: string;
  given_by: string | null;
  given_ms: number | null;
  slip: number | null;
}

/** A count with one signature. */
export interface WaitingCountView {
  number: number;
  moment: "opening" | "closing";
  count: CountLine[];
  cents: number;
  by: string;
  by_supervisor: boolean;
  at_ms: number;
  reason: string;
}

/** The tray of a live table, for the people who sign for its chips. */
export interface TrayView {
  table: string;
  open: boolean;
  opened_ms: number | null;
  opening_cents: number | null;
  book_cents: number | null;
  waiting: WaitingCountView | null;
  moves: ChipMoveView[];
}

/** A slip of the chip bank, as it is printed. Slips are numbered in one row without a gap. */
export interface SlipView {
  slip: number;
  table: string;
  request: number;
  kind: "fill" | "credit";
  count: CountLine[];
  cents: number;
  requested_by: string;
  given_by: string;
  received_by: string | null;
  refused_by: string | null;
  reason: string;
  at_ms: number;
}

/** The chip bank at the cage: what waits there, and the newest slips. */
export interface ChipBankView {
  moves: ChipMoveView[];
  slips: SlipView[];
}

/** The play at a table, added up from its record, in cents. */
export interface TablePlayView {
  bought_in_cents: number;
  collected_cents: number;
  win_cents: number;
  tips_cents: number;
  contributed_cents: number;
  awarded_cents: number;
  collections_cents: number;
  corrections_cents: number;
}

/** One kind of wager, in rounds that were settled. */
export interface WagerPlayView {
  wager: string;
  stakes_cents: number;
  win_cents: number;
}

/** A count that both have signed. */
export interface SignedCountView {
  number: number;
  at_ms: number;
  count: CountLine[];
  cents: number;
  dealer: string;
  supervisor: string;
  difference_cents: number | null;
  reason: string;
}

/** The tray of a table from its opening to its closing. */
export interface TrayShiftView {
  opening: SignedCountView;
  closing: SignedCountView | null;
  fills_cents: number;
  credits_cents: number;
  book_cents: number;
  counted_win_cents: number | null;
  before: TablePlayView;
}

/** The money of a shift at one table. */
export interface TableMoneyView {
  table: string;
  house_name: string;
  live: boolean;
  covers: "shift" | "day";
  from_ms: number;
  to_ms: number;
  rounds: number;
  play: TablePlayView;
  wagers: WagerPlayView[];
  stakes_cents: number;
  shift: TrayShiftView | null;
  waiting: WaitingCountView | null;
  moves: ChipMoveView[];
}

/** Win to drop of a table, or of the house, in a period, beside the 365 days before it. */
export interface WinToDropView {
  table: string | null;
  span: "day" | "month" | "year";
  first: string;
  last: string;
  days: number;
  drop_cents: number;
  win_cents: number;
  days_before: number;
  usual: number | null;
  low: number | null;
  high: number | null;
  outside: boolean;
}

/** The money of a shift at all tables. */
export interface FloorMoneyView {
  at_ms: number;
  tables: TableMoneyView[];
  missing: string[];
  win_to_drop: WinToDropView[];
}

/** The money of one table: the shift in progress or the last one, and those before it. */
export interface TableShiftsView {
  now: TableMoneyView;
  before: TrayShiftView[];
  slips: SlipView[];
}

/** One transfer of the ledger, as a part of a figure. */
export interface FigureTransferView {
  number: number;
  at_ms: number;
  reason: string;
  round: string | null;
  slip: number | null;
  debit: string;
  credit: string;
  cents: number;
  clause: string | null;
  note: string;
  stream: string;
  version: number;
  event: string;
  actor: string;
}

/** A count that a figure begins with, which is not a transfer. */
export interface StartLineView {
  what: "opening_count" | "closing_count";
  cents: number;
  at_ms: number;
  by: string;
}

/** A figure, what its transfers add up to, and a page of them, the newest first. */
export interface FigureTransfersView {
  figure_cents: number;
  sum_cents: number;
  count: number;
  starts: StartLineView[];
  from_ms: number | null;
  to_ms: number | null;
  found: number;
  found_cents: number;
  rows: FigureTransferView[];
  next: number | null;
  archived_ms: number | null;
}

/** Sets a limit of the caller; null removes it. */
export interface LimitForm {
  id: string;
  kind: "deposit" | "loss" | "time";
  period: "day" | "week" | "month";
  most?: number | null;
}

/** Sets a limit of a player for the house. */
export interface HouseLimitForm {
  id: string;
  kind: "deposit" | "loss" | "time";
  period: "day" | "week" | "month";
  most?: number | null;
  reason: string;
}

/** Excludes the caller from play for a term, which nothing shortens. */
export interface ExclusionForm {
  id: string;
  term: "day" | "week" | "month" | "half_year" | "year" | "five_years" | "for_good";
}

/** Excludes a player at the player's wish, or for the house. */
export interface HouseExclusionForm {
  id: string;
  term: "day" | "week" | "month" | "half_year" | "year" | "five_years" | "for_good";
  reason: string;
}

/** A limit of one side: the player's own, or that of the house. */
export interface LimitSetting {
  most: number | null;
  next_most: number | null;
  next_ms: number | null;
}

/** The subject of a limit in a period, and how much of it is used. */
export interface LimitLine {
  kind: "deposit" | "loss" | "time";
  period: "day" | "week" | "month";
  own: LimitSetting;
  house: LimitSetting;
  most: number | null;
  used: number;
}

/** The limits of a player, what is used of them, and whether the player is excluded. */
export interface LimitsView {
  player: string;
  lines: LimitLine[];
  excluded: boolean;
  excluded_until_ms: number | null;
}

/** The id of a change, and its reason, for the players and the record. */
export interface ReasonedChange {
  id: string;
  reason: string;
}

/** A wager that the table offers. */
export interface OfferedWager {
  kind: string;
  min_cents: number;
  max_cents: number;
  paytable?: string | null;
}

/** Other rules from the next round on. */
export interface RulesChange {
  id: string;
  reason: string;
  house: string;
  wagers?: OfferedWager[] | null;
}

/** How long bets and decisions are open. */
export interface ClockTimes {
  wager_seconds: number;
  decision_seconds: number;
}

/** Another clock from the next round on; null for none. */
export interface ClockChange {
  id: string;
  reason: string;
  clock: ClockTimes | null;
}

/** Another progressive link from the next round on; null for none. */
export interface LinkChange {
  id: string;
  reason: string;
  link: string | null;
}

/** A wager of a table, or one that it could offer. */
export interface TableWagerView {
  kind: string;
  offered: boolean;
  optional: boolean;
  min_cents: number;
  max_cents: number;
  step_cents: number;
  paytable: string | null;
  paytables: string[];
}

/** The terms of a table's next round, and what they may be changed to. */
export interface TableTermsView {
  table: string;
  house: string;
  fingerprint: string;
  houses: string[];
  wagers: TableWagerView[];
  clock: ClockTimes | null;
  link: string | null;
  links: string[];
}

/** A card's proof in JSON. */
export interface CardProofForm {
  index: number;
  card: string;
  salt: string;
  path: string[];
}

/** A dealt card in JSON; a card that was never shown has no proof. */
export interface DealtCardForm {
  lies: "hand" | "dealer" | "common";
  spot: string | null;
  position: number;
  deck: string;
  index: number;
  proof: CardProofForm | null;
}

/** The root of a deck and when it was published, in JSON. */
export interface CommitmentForm {
  deck: string;
  root: string;
  version: number;
}

/** The proof of a whole round without seeds in JSON. */
export interface RoundProofForm {
  format: "openfelt.round_proof/1";
  table: string;
  number: number;
  house: string;
  fingerprint: string;
  procedure: "handheld" | "community_first" | "shoe" | "terminals" | "draw" | "draw_from_five";
  deck: "shared" | "per_terminal";
  ended: "settled" | "voided";
  spots: string[];
  bets_closed_version: number;
  commitments: CommitmentForm[];
  cards: DealtCardForm[];
}

/** The root of a deck, when it was published, and when the first wager on it was made. */
export interface SealForm {
  deck: string;
  root: string;
  version: number;
  wager_version: number;
}

/** The seed of one seat; null if it was withheld. */
export interface SeedForm {
  seat: number;
  commitment: string;
  version: number;
  seed: string | null;
}

/** The seeds of a round, when they were called, and when they were fixed. */
export interface SeedsForm {
  digest: string | null;
  called_version: number | null;
  fixed_version: number | null;
  seeds: SeedForm[];
}

/** A card of a terminal's deck that was passed over, in JSON. */
export interface PassedCardForm {
  deck: string;
  index: number;
  proof: CardProofForm | null;
}

/** The proof of a whole round with seeds in JSON. */
export interface BoundProofForm {
  format: "openfelt.round_proof/2";
  table: string;
  number: number;
  house: string;
  fingerprint: string;
  procedure: "handheld" | "community_first" | "shoe" | "terminals" | "draw" | "draw_from_five";
  deck: "shared" | "per_terminal";
  ended: "settled" | "voided";
  spots: string[];
  bets_closed_version: number;
  commitments: SealForm[];
  seeds: SeedsForm;
  cards: DealtCardForm[];
  passed: PassedCardForm[];
}

/** The seeds by seat, and the commitments to those that were withheld. */
export interface SeedListForm {
  revealed: Record<string, string>;
  withheld: Record<string, string>;
}

/** The seeds of a round: when they were bound, called and fixed, and what they make together. */
export interface MixedSeedsForm {
  bound_version: number | null;
  digest: string | null;
  called_version: number | null;
  fixed_version: number | null;
  mixed: string | null;
  list: SeedListForm | null;
}

/** A card that a live dealer scanned; null if it was never shown. */
export interface ScannedCardForm {
  lies: "dealer" | "common";
  position: number;
  version: number;
  card: string | null;
  corrected: string | null;
}

/** The proof of a whole round with seeds in JSON. */
export interface SeededProofForm {
  format: "openfelt.round_proof/3";
  table: string;
  number: number;
  house: string;
  fingerprint: string;
  procedure: "handheld" | "community_first" | "shoe" | "terminals" | "draw" | "draw_from_five";
  deck: "shared" | "per_terminal";
  ended: "settled" | "voided";
  spots: string[];
  bets_closed_version: number;
  dealer: "virtual" | "live";
  commitments: SealForm[];
  seeds: MixedSeedsForm;
  cards: DealtCardForm[];
  scanned: ScannedCardForm[];
  passed: PassedCardForm[];
}

/** The list of the seeds of one round, as a separate document. */
export interface RoundSeedsForm {
  format: "openfelt.round_seeds/1";
  table: string;
  number: number;
  list: SeedListForm;
}

export type AnyProofForm =
  | RoundProofForm
  | BoundProofForm
  | SeededProofForm;
