// The client of the REST endpoints.

import type {
  AccountView,
  AlertClosing,
  AlertView,
  AlertsView,
  AnyProofForm,
  ApprovalForm,
  ApprovalView,
  BadgeForm,
  CageCommand,
  CageView,
  CardCodesView,
  CashForm,
  CashThresholdsView,
  CheckpointForm,
  ChipBankView,
  ChipsRequest,
  ClauseView,
  ClockChange,
  CoachView,
  CodeForm,
  Credentials,
  DisputeNote,
  DisputeOutcome,
  DisputeSeatView,
  DisputeView,
  Done,
  DraftFiguresView,
  DraftFilesForm,
  DraftFilesView,
  DrawerClosing,
  DrawerOpening,
  DrawerView,
  ExclusionForm,
  ExportForm,
  ExportsView,
  FairnessPoint,
  FairnessView,
  FloorCheckpointView,
  ArchivesView,
  FigureTransfersView,
  HouseAcceptance,
  FloorMoneyView,
  FloorView,
  HandoverConfirm,
  HandoverView,
  HouseDraftForm,
  HouseDraftView,
  HouseExclusionForm,
  HouseLimitForm,
  HouseLine,
  HouseView,
  LastDrawerView,
  LimitForm,
  LimitsView,
  LinkAct,
  LinkBooksView,
  LinkChange,
  LinkEntriesView,
  LinkRatesChange,
  LinkRetirement,
  LinkView,
  LogEventView,
  LogPageView,
  Me,
  NewAccount,
  NewDispute,
  NewLink,
  NewPasskey,
  NewPassword,
  NewRole,
  NewTable,
  OwnRulesChoices,
  OwnerForm,
  PasskeyCreation,
  PasskeyRequest,
  PasskeyView,
  PayoutRefusal,
  PayoutRequest,
  PinForm,
  PlayedTable,
  PrivateTable,
  Problem,
  Reason,
  RecallForm,
  RecalledRound,
  RecoveryCodes,
  RoundLine,
  RoundSeedsForm,
  RulesChange,
  SecondFactorBegin,
  SecondFactorSecret,
  ShiftView,
  SignInForm,
  SignOnForm,
  SignedCheckpointsView,
  SignedOut,
  ServersView,
  SoftwareCheckView,
  TableCard,
  TableName,
  TableShiftsView,
  TableTermsView,
  TerminalLabel,
  TerminalName,
  TerminalState,
  TerminalView,
  TopUp,
  TrayCountForm,
  TrayRefusal,
  TrayView,
  Verdict,
  VerificationForm,
  VerificationsView,
  VisitCourse,
  VoucherCodeForm,
  VoucherOrder,
  VoucherSale,
  VoucherTaken,
  VoucherTicket,
  VoucherUse,
  VoucherView,
  Wallet,
  WalletView,
} from "./forms";
import { API, type ReplayView } from "./messages";

/** A request that the server refused or did not answer; the message is for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    /** The server's Retry-After in seconds, if it sent one. */
    readonly waitSeconds: number | null = null,
    /** The whole body of the refusal. */
    readonly problem: unknown = null,
  ) {
    super(sentence);
  }
}

async function ask<T>(
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin", headers: {}, signal: signal ?? null };
  if (body !== undefined) {
    init.body = JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(`${API}${path}`, init);
  } catch {
    throw new ApiError(0, "unreachable", "");
  }
  const text = await response.text();
  let parsed: unknown = null;
  try {
    parsed = text ? JSON.parse(text) : null;
  } catch {
    // An answer that is not JSON comes from a proxy; its status says enough.
  }
  if (response.ok) return parsed as T;
  const problem = (parsed ?? {}) as Partial<Problem>;
  const wait = response.headers.get("Retry-After");
  throw new ApiError(
    response.status,
    problem.code ?? "",
    problem.sentence ?? "",
    wait === null ? null : Number(wait),
    parsed,
  );
}

const at = encodeURIComponent;

function atDrawer<T>(drawer: string, what: string, sent: object): Promise<T> {
  return ask<T>("POST", `/cage/drawers/${at(drawer)}/${what}`, sent);
}

function atTray(table: string, what: string, sent: object): Promise<TrayView> {
  return ask<TrayView>("POST", `/tables/${at(table)}/tray/${what}`, sent);
}

export const api = {
  me: () => ask<Me | SignedOut>("GET", "/me"),
  guest: () => ask<Me>("POST", "/guest"),
  /** Become the practice dealer of the demonstration table. */
  practiceDealer: () => ask<Me>("POST", "/practice-dealer"),
  signUp: (sent: Credentials) => ask<Me>("POST", "/sign-up", sent),
  signIn: (sent: SignInForm) => ask<Me>("POST", "/sign-in", sent),
  signOut: () => ask<Done>("POST", "/sign-out"),
  /** Sign a dealer on at the table of this terminal, by badge and PIN. */
  signOn: (sent: SignOnForm) => ask<Me>("POST", "/dealer/sign-on", sent),
  /** The incoming dealer signs on beside the outgoing one, who confirms it. */
  beginHandover: (sent: PinForm) => ask<HandoverView>("POST", "/dealer/handover", sent),
  confirmHandover: (sent: HandoverConfirm) => ask<Me>("POST", "/dealer/handover/confirm", sent),
  /** The tips of the dealer's own shift. */
  shift: () => ask<ShiftView | null>("GET", "/dealer/shift"),
  /** A supervisor approves one act of the dealer. */
  approve: (sent: ApprovalForm) => ask<ApprovalView>("POST", "/dealer/approvals", sent),
  setPassword: (sent: NewPassword) => ask<Me>("POST", "/password", sent),
  beginFactor: (sent: SecondFactorBegin) =>
    ask<SecondFactorSecret>("POST", "/second-factor", sent),
  confirmFactor: (sent: CodeForm) => ask<RecoveryCodes>("POST", "/second-factor/confirm", sent),
  removeFactor: (sent: OwnerForm) => ask<Done>("POST", "/second-factor/remove", sent),
  passkeys: () => ask<PasskeyView[]>("GET", "/passkeys"),
  beginPasskey: (sent: SecondFactorBegin) => ask<PasskeyCreation>("POST", "/passkeys", sent),
  addPasskey: (sent: NewPasskey) => ask<PasskeyView[]>("POST", "/passkeys/confirm", sent),
  passkeyChallenge: () => ask<PasskeyRequest>("POST", "/passkeys/challenge"),
  removePasskey: (passkey: string, sent: OwnerForm) =>
    ask<Done>("POST", `/passkeys/${at(passkey)}/remove`, sent),
  tables: () => ask<TableCard[]>("GET", "/tables"),
  privateTable: (sent: PrivateTable) => ask<TableName>("POST", "/tables/private", sent),
  houses: () => ask<HouseLine[]>("GET", "/houses"),
  house: (house: string, fingerprint: string) =>
    ask<HouseView>("GET", `/houses/${at(house)}?fingerprint=${at(fingerprint)}`),
  /** The codes that scanners send for cards at a table; only for staff. */
  cardCodes: (table: string) => ask<CardCodesView>("GET", `/tables/${at(table)}/card-codes`),
  /** What the player may change of a house, for practice. */
  ownRules: (house: string) => ask<OwnRulesChoices>("GET", `/houses/${at(house)}/own-rules`),
  clause: (clause: string) => ask<ClauseView>("GET", `/clauses/${at(clause)}`),
  playedTables: () => ask<PlayedTable[]>("GET", "/played-tables"),
  rounds: (table: string, limit: number, before: number | null = null) =>
    ask<RoundLine[]>(
      "GET",
      `/tables/${at(table)}/rounds?limit=${limit}${before === null ? "" : `&before=${before}`}`,
    ),
  /** The course of the player's last visit to a table. */
  visit: (table: string) => ask<VisitCourse>("GET", `/tables/${at(table)}/visit`),
  round: (table: string, number: number) =>
    ask<ReplayView>("GET", `/tables/${at(table)}/rounds/${number}`),
  /** What the coach says of an own round; the server stops counting when the signal aborts. */
  coach: (table: string, number: number, signal: AbortSignal) =>
    ask<CoachView>("GET", `/tables/${at(table)}/rounds/${number}/coach`, undefined, signal),
  /** A proof; in a hall it comes without the long list of seeds, unless it is to be whole. */
  proof: (table: string, number: number, { whole = false } = {}) =>
    ask<AnyProofForm>("GET", `/tables/${at(table)}/rounds/${number}/proof${whole ? "?whole=true" : ""}`),
  seeds: (table: string, number: number) =>
    ask<RoundSeedsForm>("GET", `/tables/${at(table)}/rounds/${number}/seeds`),
  verify: (proof: AnyProofForm) => ask<Verdict>("POST", "/verify", proof),
  /** The whole floor with the figures of the day; for supervisors and auditors. */
  floor: () => ask<FloorView>("GET", "/floor"),
  floorCheckpoints: () => ask<FloorCheckpointView[]>("GET", "/floor/checkpoints"),
  keepCheckpoint: (sent: CheckpointForm) => ask<FloorCheckpointView>("POST", "/floor/checkpoints", sent),
  links: () => ask<LinkView[]>("GET", "/links"),
  /** The terms of a table's next round, and their changes. */
  tableTerms: (table: string) => ask<TableTermsView>("GET", `/tables/${at(table)}/terms`),
  changeRules: (table: string, sent: RulesChange) => ask<TableTermsView>("POST", `/tables/${at(table)}/rules`, sent),
  changeClock: (table: string, sent: ClockChange) => ask<TableTermsView>("POST", `/tables/${at(table)}/clock`, sent),
  changeLink: (table: string, sent: LinkChange) => ask<TableTermsView>("POST", `/tables/${at(table)}/link`, sent),
  openTable: (sent: NewTable) => ask<TableName>("POST", "/tables", sent),
  account: (name: string) => ask<AccountView>("GET", `/accounts/${at(name)}`),
  openAccount: (sent: NewAccount) => ask<Done>("POST", "/accounts", sent),
  giveRole: (name: string, sent: NewRole) => ask<Done>("POST", `/accounts/${at(name)}/role`, sent),
  giveBadge: (name: string, sent: BadgeForm) => ask<Done>("POST", `/accounts/${at(name)}/badge`, sent),
  bar: (name: string, sent: Reason) => ask<Done>("POST", `/accounts/${at(name)}/bar`, sent),
  admit: (name: string) => ask<Done>("POST", `/accounts/${at(name)}/admit`),
  unlock: (name: string) => ask<Done>("POST", `/accounts/${at(name)}/unlock`),
  endSessions: (name: string) => ask<Done>("POST", `/accounts/${at(name)}/sign-out`),
  /** The limits of a player, and those that the house sets. */
  limitsOf: (name: string) => ask<LimitsView>("GET", `/accounts/${at(name)}/limits`),
  setLimitOf: (name: string, sent: HouseLimitForm) =>
    ask<LimitsView>("POST", `/accounts/${at(name)}/limits`, sent),
  excludePlayer: (name: string, sent: HouseExclusionForm) =>
    ask<LimitsView>("POST", `/accounts/${at(name)}/exclusion`, sent),
  /** The terms of a house, to try out others. */
  newDraft: (house: string) => ask<HouseDraftView>("GET", `/houses/${at(house)}/draft`),
  draftFigures: (sent: HouseDraftForm, signal: AbortSignal) => ask<DraftFiguresView>("POST", "/drafts/figures", sent, signal),
  draftFiles: (sent: DraftFilesForm) => ask<DraftFilesView>("POST", "/drafts/files", sent),
  fairness: () => ask<FairnessView>("GET", "/floor/fairness"),
  fairnessSeries: (kind: string, name: string, wager: string) =>
    ask<FairnessPoint[]>("GET", `/floor/fairness/series?${new URLSearchParams({ kind, name, wager })}`),
  alerts: () => ask<AlertsView>("GET", "/floor/alerts"),
  seeAlert: (alert: number) => ask<AlertView>("POST", `/floor/alerts/${alert}/seen`),
  closeAlert: (alert: number, sent: AlertClosing) => ask<AlertView>("POST", `/floor/alerts/${alert}/close`, sent),
  linkBooks: () => ask<LinkBooksView[]>("GET", "/floor/links"),
  linkEntries: (link: string, before: number | null) =>
    ask<LinkEntriesView>("GET", `/floor/links/${at(link)}/entries${before === null ? "" : `?before=${before}`}`),
  openLink: (sent: NewLink) => ask<LinkBooksView>("POST", "/links", sent),
  changeLinkRates: (link: string, sent: LinkRatesChange) => ask<LinkBooksView>("POST", `/links/${at(link)}/rates`, sent),
  pauseLink: (link: string, sent: LinkAct) => ask<LinkBooksView>("POST", `/links/${at(link)}/pause`, sent),
  resumeLink: (link: string, sent: LinkAct) => ask<LinkBooksView>("POST", `/links/${at(link)}/resume`, sent),
  retireLink: (link: string, sent: LinkRetirement) => ask<LinkBooksView>("POST", `/links/${at(link)}/retire`, sent),
  disputes: () => ask<DisputeView[]>("GET", "/disputes"),
  openDispute: (sent: NewDispute) => ask<DisputeView>("POST", "/disputes", sent),
  noteDispute: (dispute: number, sent: DisputeNote) =>
    ask<DisputeView>("POST", `/disputes/${dispute}/notes`, sent),
  decideDispute: (dispute: number, sent: DisputeOutcome) =>
    ask<DisputeView>("POST", `/disputes/${dispute}/outcome`, sent),
  dispute: (dispute: number) => ask<DisputeView>("GET", `/disputes/${dispute}`),
  /** What one seat of a frozen round saw; seat 0 is the dealer. */
  disputeSeat: (dispute: number, seat: number) => ask<DisputeSeatView>("GET", `/disputes/${dispute}/views/${seat}`),
  exportAddress: (dispute: number) => `${API}/disputes/${dispute}/export`,
  auditEvents: (wanted: Record<string, string>) =>
    ask<LogPageView>("GET", `/audit/events?${new URLSearchParams(wanted)}`),
  auditEvent: (stream: string, version: number) =>
    ask<LogEventView>("GET", `/audit/event?${new URLSearchParams({ stream, version: String(version) })}`),
  recallRound: (sent: RecallForm) => ask<RecalledRound>("POST", "/audit/recalls", sent),
  verifications: () => ask<VerificationsView>("GET", "/audit/verifications"),
  verifyRecord: (sent: VerificationForm) => ask<VerificationsView>("POST", "/audit/verifications", sent),
  signedCheckpoints: () => ask<SignedCheckpointsView>("GET", "/audit/checkpoints"),
  software: () => ask<SoftwareCheckView>("GET", "/software"),
  /** Accept house files that have changed, as they are now. */
  acceptHouses: (sent: HouseAcceptance) => ask<SoftwareCheckView>("POST", "/software/houses", sent),
  archives: () => ask<ArchivesView>("GET", "/audit/archives"),
  servers: () => ask<ServersView>("GET", "/servers"),
  checkSoftware: () => ask<SoftwareCheckView>("POST", "/software/checks"),
  exports: () => ask<ExportsView>("GET", "/audit/exports"),
  beginExport: (sent: ExportForm) => ask<ExportsView>("POST", "/audit/exports", sent),
  exportFile: (number: number) => `${API}/audit/exports/${number}/file`,
  terminals: () => ask<TerminalView[]>("GET", "/terminals"),
  enrol: (sent: TerminalLabel) => ask<Done>("POST", "/terminals", sent),
  renameTerminal: (terminal: string, sent: TerminalName) => ask<Done>("POST", `/terminals/${at(terminal)}/label`, sent),
  /** Lock a terminal, take it out of service, or put it into service again. */
  setTerminalState: (terminal: string, sent: TerminalState) => ask<Done>("POST", `/terminals/${at(terminal)}/state`, sent),
  /** The last shifts of a dealer, the newest first. */
  shiftsOf: (name: string) => ask<ShiftView[]>("GET", `/dealers/${at(name)}/shifts`),
  dismiss: (terminal: string) => ask<Done>("DELETE", `/terminals/${at(terminal)}`),
  topUp: (sent: TopUp) => ask<Wallet>("POST", "/wallet/top-up", sent),
  /** The player's own limits, and exclusion from play. */
  limits: () => ask<LimitsView>("GET", "/limits"),
  setLimit: (sent: LimitForm) => ask<LimitsView>("POST", "/limits", sent),
  exclude: (sent: ExclusionForm) => ask<LimitsView>("POST", "/exclusion", sent),
  /** Take money of the wallet as a voucher; the same id again gives the same voucher. */
  issueVoucher: (sent: VoucherOrder) => ask<VoucherTicket>("POST", "/vouchers", sent),
  redeemVoucher: (sent: VoucherUse) => ask<VoucherTaken>("POST", "/vouchers/redeem", sent),
  // The cage.
  cage: () => ask<CageView>("GET", "/cage"),
  cageWallet: (name: string) => ask<WalletView>("GET", `/cage/wallets/${at(name)}`),
  lookUpVoucher: (sent: VoucherCodeForm) => ask<VoucherView>("POST", "/cage/vouchers/look-up", sent),
  openDrawer: (drawer: string, sent: DrawerOpening) => atDrawer<DrawerView>(drawer, "open", sent),
  closeDrawer: (drawer: string, sent: DrawerClosing) => atDrawer<DrawerView>(drawer, "close", sent),
  cashIn: (drawer: string, sent: CashForm) => atDrawer<DrawerView>(drawer, "cash-in", sent),
  cashOut: (drawer: string, sent: CashForm) => atDrawer<DrawerView>(drawer, "cash-out", sent),
  voucherIn: (drawer: string, sent: VoucherUse) => atDrawer<DrawerView>(drawer, "voucher-in", sent),
  voucherOut: (drawer: string, sent: VoucherSale) => atDrawer<VoucherTicket>(drawer, "voucher-out", sent),
  requestPayout: (drawer: string, sent: PayoutRequest) => atDrawer<DrawerView>(drawer, "payouts", sent),
  approvePayout: (drawer: string, number: number, sent: CageCommand) =>
    atDrawer<DrawerView>(drawer, `payouts/${number}/approve`, sent),
  rejectPayout: (drawer: string, number: number, sent: PayoutRefusal) =>
    atDrawer<DrawerView>(drawer, `payouts/${number}/reject`, sent),
  // The chips of live tables, and the money of a shift.
  floorMoney: () => ask<FloorMoneyView>("GET", "/shift"),
  tableShifts: (table: string) => ask<TableShiftsView>("GET", `/tables/${at(table)}/shift`),
  /** The transfers behind a figure, a page at a time. */
  figureTransfers: (wanted: string) => ask<FigureTransfersView>("GET", `/floor/transfers?${wanted}`),
  figureFile: (wanted: string) => `${API}/floor/transfers/file?${wanted}`,
  /** The same of a cashier's own drawer. */
  ownTransfers: (drawer: string, wanted: string) =>
    ask<FigureTransfersView>("GET", `/cage/drawers/${at(drawer)}/transfers?${wanted}`),
  lastDrawer: () => ask<LastDrawerView>("GET", "/cage/last-drawer"),
  cashThresholds: () => ask<CashThresholdsView>("GET", "/cage/thresholds"),
  chipBank: () => ask<ChipBankView>("GET", "/cage/chips"),
  tray: (table: string) => ask<TrayView>("GET", `/tables/${at(table)}/tray`),
  countTray: (table: string, sent: TrayCountForm) => atTray(table, "counts", sent),
  signCount: (table: string, number: number, sent: CageCommand) => atTray(table, `counts/${number}/sign`, sent),
  dropCount: (table: string, number: number, sent: TrayRefusal) => atTray(table, `counts/${number}/drop`, sent),
  requestChips: (table: string, sent: ChipsRequest) => atTray(table, "chips", sent),
  giveChips: (table: string, number: number, sent: CageCommand) => atTray(table, `chips/${number}/give`, sent),
  receiveChips: (table: string, number: number, sent: CageCommand) => atTray(table, `chips/${number}/receive`, sent),
  refuseChips: (table: string, number: number, sent: TrayRefusal) => atTray(table, `chips/${number}/refuse`, sent),
  payPayout: (drawer: string, number: number, sent: CageCommand) =>
    atDrawer<DrawerView>(drawer, `payouts/${number}/pay`, sent),
};
