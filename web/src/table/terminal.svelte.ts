// The state of a player's terminal at a table, which all parts of the screen share.

import { getContext, setContext } from "svelte";
import { say, warn } from "../app/announcer.svelte";
import { countRound } from "../app/playSession.svelte";
import type { HouseView } from "../protocol/forms";
import type {
  ChoiceView,
  CommandAsked,
  DecisionAsked,
  OwnHandView,
  PrivateView,
  RoundView,
} from "../protocol/messages";
import { roundToBetOn } from "../protocol/betRound";
import type { TableLink } from "../protocol/tableLink.svelte";
import { t } from "../words/i18n.svelte";
import { money } from "../words/money";
import { refusalWords } from "../words/vocabulary";
import { OwnSeeds } from "../fairness/own/ownSeeds.svelte";
import { Favourites } from "./bets/favourites.svelte";
import { PlacedBets } from "./bets/placedBets.svelte";
import { TableCoach } from "./panels/tableCoach.svelte";
import type { Wagers } from "./bets/wagers";
import { banks } from "./dealer/speech";
import { wonCents } from "./hands/celebration";
import { Stage, type Scene } from "./stage.svelte";

export type PanelName =
  | "paytables"
  | "help"
  | "history"
  | "settings"
  | "credit"
  | "menu"
  | "coach"
  | "favourites"
  | "session"
  | "wager"
  | "collect";

/** A hand of the player as the screen shows it, with or without wagers. */
export interface ShownHand {
  spot: string;
  number: number;
  wagers: Wagers;
  view: OwnHandView | null;
}

export class Terminal {
  readonly stage: Stage;
  readonly seeds: OwnSeeds;
  readonly bets: PlacedBets;
  readonly favourites: Favourites;
  readonly coach: TableCoach;
  panel = $state<PanelName | null>(null);
  /** The wager that the open panel explains. */
  explained = $state("ante");
  /** The seat that a player who wants to sit down has picked. */
  pickedSeat = $state<number | null>(null);
  /** The hand that the keyboard acts on and that a phone shows. */
  activeHand = $state(1);
  /** The cards that the player has chosen to hold, by hand. */
  holds = $state<Record<string, string[]>>({});
  /** The street that the active hand was last set for. */
  private moment = "";
  /** Decisions that are being sent, by hand. */
  private deciding = $state<Record<string, boolean>>({});
  /** Whether a request to deal is being sent. */
  private dealing = false;
  /** The table version at which each hand's last decision was accepted. */
  private decidedAt = $state<Record<string, number>>({});

  constructor(
    readonly link: TableLink,
    readonly house: HouseView,
  ) {
    this.stage = new Stage(link, () => house.game === "ultimate_draw");
    this.seeds = new OwnSeeds(link, house);
    this.bets = new PlacedBets(link, house, this.stage, this.seeds);
    this.favourites = new Favourites(house, this.bets, () => this.seat);
    this.coach = new TableCoach(link, this.stage, this.draw);
  }

  /** Called whenever the views have changed. */
  follow(): void {
    this.seeds.follow();
    this.bets.follow();
    if (this.bets.begun) this.stage.release();
    const due = this.hands.filter((hand) => hand.view?.due);
    const first = due[0];
    if (first && !this.stage.busy && !due.some((hand) => hand.number === this.activeHand)) {
      this.activeHand = first.number;
    }
    countRound(this.stage.round, this.stage.own);
    this.coach.follow();
  }

  /** The hand that announcements are about. A new street starts with the first hand to decide. */
  mark({ round, own }: Scene): number {
    const moment = `${round?.id ?? ""} ${round?.street ?? ""}`;
    const first = Object.values(own?.hands ?? {}).find((hand) => hand.due);
    if (first && moment !== this.moment) {
      this.moment = moment;
      this.activeHand = first.hand;
    }
    return this.activeHand;
  }

  get live(): boolean {
    return this.link.status === "live";
  }

  get draw(): boolean {
    return this.house.game === "ultimate_draw";
  }

  get seat(): number | null {
    return this.link.private?.seat ?? null;
  }

  /** Whether the player has nothing in play, being sent or to decide, and no panel is open. */
  get quiet(): boolean {
    const chips = this.bets.begun && this.bets.betCents > 0;
    if (this.panel !== null || this.stage.busy || chips) return false;
    if (this.seat === null) return true;
    return this.link.may("leave_seat") && this.link.public?.bank_offered_to !== this.seat;
  }

  /** The round on the screen; the first new chip clears a finished one. */
  get round(): RoundView | null {
    const round = this.stage.round;
    return round && this.over && this.bets.begun ? null : round;
  }

  get over(): boolean {
    const phase = this.stage.round?.phase;
    return phase === "settled" || phase === "voided";
  }

  get own(): PrivateView | null {
    return this.stage.own;
  }

  get hands(): ShownHand[] {
    const seat = this.seat ?? 1;
    const begun = this.bets.begun;
    return Array.from({ length: this.house.hands_per_seat }, (_, at) => {
      const spot = `${seat}.${at + 1}`;
      const view = begun ? null : (this.own?.hands[spot] ?? null);
      const wagers = begun ? (this.bets.placed[spot] ?? []) : (view?.wagers ?? []);
      return { spot, number: at + 1, wagers, view };
    });
  }

  /** The hands that wait for a decision which is not on its way. */
  get dueHands(): ShownHand[] {
    return this.hands.filter((hand) => hand.view?.due && !this.blocked(hand.spot));
  }

  /** Whether the player banks the round on the screen, and so plays the dealer's hand. */
  get banks(): boolean {
    return banks({ round: this.stage.round, own: this.stage.own });
  }

  get active(): ShownHand | null {
    return this.hands[this.activeHand - 1] ?? this.hands[0] ?? null;
  }

  get creditCents(): number {
    if (this.bets.begun) return this.bets.creditCents;
    return this.own?.credit_cents ?? 0;
  }

  get betCents(): number {
    return this.bets.begun && !this.banks ? this.bets.betCents : (this.own?.bet_cents ?? 0);
  }

  get winCents(): number {
    return this.bets.begun ? 0 : (this.own?.win_cents ?? 0);
  }

  /** Whether the round returned more than was staked; only that is celebrated. */
  get gained(): boolean {
    return !this.bets.begun && wonCents(this.stage.round, this.own) > 0;
  }

  /**
   * Send a command. A refusal is announced, and the result is false. What a command changes
   * arrives before its answer, so the views show it already.
   */
  async ask(command: CommandAsked): Promise<boolean> {
    const answer = await this.link.command(command);
    if (!answer.accepted) warn(refusalWords(answer.refused, answer.sentence));
    return answer.accepted;
  }

  /** Open the panel that says what a wager pays on. */
  explain(kind: string): void {
    this.explained = kind;
    this.panel = "wager";
  }

  /** Whether a hand's buttons are off: a decision is on its way or not yet shown, or all waits. */
  blocked(spot: string): boolean {
    const unseen = (this.decidedAt[spot] ?? 0) > this.stage.version;
    const held = this.link.public?.hold != null;
    return !this.live || held || this.deciding[spot] === true || unseen;
  }

  /** Decide for a hand. The mark moves on at once, so that the next key is the next hand's. */
  async decide(spot: string, decision: DecisionAsked): Promise<void> {
    if (this.blocked(spot)) return;
    this.deciding[spot] = true;
    this.nextHand(spot);
    // The player decides by what the screen shows; the table may already be ahead of it.
    const { number = null, street = null } = this.stage.round ?? {};
    const answer = await this.link.command({ kind: "decide", spot, decision, round: number, street });
    if (answer.accepted) {
      this.decidedAt[spot] = answer.version;
    } else {
      warn(refusalWords(answer.refused, answer.sentence));
    }
    this.deciding[spot] = false;
    if (!answer.accepted) this.turnTo(spot);
  }

  choose(spot: string, choice: ChoiceView): Promise<void> {
    if (choice.kind === "bet") {
      return this.decide(spot, { kind: "bet", multiple: choice.multiple ?? 1 });
    }
    return this.decide(spot, { kind: choice.kind === "fold" ? "fold" : "check" });
  }

  toggleHold(spot: string, card: string): void {
    const held = this.holds[spot] ?? [];
    this.holds[spot] = held.includes(card)
      ? held.filter((other) => other !== card)
      : [...held, card];
  }

  async drawCards(spot: string): Promise<void> {
    const cards = this.holds[spot] ?? [];
    await this.decide(spot, { kind: "hold", cards });
    this.holds[spot] = [];
  }

  /** Deal, for exactly the bets that the screen shows. */
  async deal(): Promise<void> {
    if (this.dealing || this.bets.betCents === 0) return;
    this.dealing = true;
    try {
      // A chip that is still being sent opens the round in which bets can be closed.
      const agreed = await this.bets.atRest();
      const mayDeal = this.link.may("close_bets") && this.bets.betCents > 0;
      if (agreed && mayDeal) await this.ask({ kind: "close_bets" });
    } finally {
      this.dealing = false;
    }
  }

  /** Move the credit back to the wallet, and announce it; gives what was moved. */
  async collect(): Promise<number> {
    const cents = this.link.private?.credit_cents ?? 0;
    if (this.seat === null || !(await this.ask({ kind: "collect", seat: this.seat }))) return 0;
    say(() => t("credit.collected", { amount: money(cents) }));
    return cents;
  }

  /** Collect, or in a house with vouchers ask first whether to the wallet or as a voucher. */
  async pressCollect(vouchers: boolean): Promise<void> {
    if (vouchers) this.panel = "collect";
    else await this.collect();
  }

  /** Whether the player's bets can still be taken back. */
  get mayTakeBack(): boolean {
    const betting = this.link.public?.round?.phase === "wagering";
    return betting && this.bets.open && this.bets.betCents > 0;
  }

  /** Take all bets back; false if the table kept some. */
  async takeBack(): Promise<boolean> {
    this.bets.clear();
    return (await this.bets.atRest()) && this.bets.betCents === 0;
  }

  /** Leave the seat with the credit. The announcement is shown on the next page. */
  async leave(): Promise<boolean> {
    const cents = this.link.private?.credit_cents ?? 0;
    if (this.seat === null) return true;
    if (!(await this.ask({ kind: "leave_seat", seat: this.seat }))) return false;
    if (cents > 0) warn(t("credit.collected", { amount: money(cents) }));
    return true;
  }

  /** Take a seat and buy in. */
  async sit(seat: number | null, cents: number): Promise<void> {
    if (!(await this.ask({ kind: "take_seat", seat }))) return;
    if (cents > 0) await this.buyIn(cents);
  }

  async buyIn(cents: number): Promise<boolean> {
    const seat = this.seat;
    return seat !== null && this.ask({ kind: "buy_in", seat, cents });
  }

  /** Bank the next round, with a seed of this terminal as with any bet. */
  async takeBank(seat: number, cents: number): Promise<void> {
    const round = roundToBetOn(this.link.public?.round);
    const bound = this.seeds.commitmentFor(round);
    const command = { kind: "take_bank", seat, cover_cents: cents, seed_commitment: bound } as const;
    const answer = await this.link.command(command);
    if (answer.accepted) this.seeds.sent(round, answer.version);
    else warn(refusalWords(answer.refused, answer.sentence));
  }

  private nextHand(spot: string): void {
    const next = this.dueHands.find((hand) => hand.spot !== spot);
    if (next) this.activeHand = next.number;
  }

  private turnTo(spot: string): void {
    const hand = this.dueHands.find((due) => due.spot === spot);
    if (hand) this.activeHand = hand.number;
  }
}

const KEY = Symbol("terminal");

export function provideTerminal(terminal: Terminal): void {
  setContext(KEY, terminal);
}

export function useTerminal(): Terminal {
  return getContext<Terminal>(KEY);
}
