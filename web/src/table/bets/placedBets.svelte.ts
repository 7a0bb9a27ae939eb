// The player's chips on the felt: shown at once, then sent to the table, and taken back if the
// table refuses them.

import { say, warn } from "../../app/announcer.svelte";
import type { HouseView } from "../../protocol/forms";
import { roundToBetOn } from "../../protocol/betRound";
import type { TableLink } from "../../protocol/tableLink.svelte";
import { play } from "../../ui/sound";
import { t } from "../../words/i18n.svelte";
import { chipMoney } from "../../words/money";
import { refusalWords, wagerWords } from "../../words/vocabulary";
import {
  addChip,
  doubled,
  firstChip,
  repeatable,
  samePlaced,
  sameWagers,
  toSend,
  totalPlaced,
  trayChips,
  type Placed,
  type Wagers,
} from "./wagers";

const REFUSED = {
  above_maximum: "bet.above_maximum",
  fixed: "bet.above_maximum",
  not_offered: "bet.not_offered",
  too_many: "bet.too_many",
} as const;

function stored(key: string): Placed {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? "{}") as Placed;
  } catch {
    return {};
  }
}

export class PlacedBets {
  /** The chips of the tray, the smallest first. */
  readonly chips: readonly number[];
  /** The chip that a tap places. */
  chipCents = $state(0);
  /** Whether chips are bet for the dealer. It is switched off when bets close. */
  forDealer = $state(false);
  /** The wagers that the player has placed, until the table's view shows them. */
  private wanted = $state.raw<Placed | null>(null);
  /** The wagers before the last action, to restore if it is refused. */
  private backTo: Placed = {};
  private past = $state.raw<Placed[]>([]);
  private last = $state.raw<Placed>({});
  private sending = false;
  /** Whether the table accepts what is being sent; resolved when all of it is answered. */
  private told: Promise<boolean> = Promise.resolve(true);
  /** The last round whose bets are closed. */
  private closed: string | null = null;
  private looked = false;

  constructor(
    private readonly link: TableLink,
    private readonly house: HouseView,
    private readonly stage: { readonly behind: boolean; readonly revealing: boolean },
    private readonly seeds: {
      commitmentFor(round: number): string | null;
      sealed(round: number): boolean;
      sent(round: number, version: number): void;
    },
  ) {
    this.chips = trayChips(house);
    this.chipCents = firstChip(house);
  }

  private get key(): string {
    return `openfelt.last.${this.link.public?.table ?? ""}.${this.link.private?.name ?? ""}`;
  }

  get open(): boolean {
    // No bet before the deck is sealed: its fingerprint has to be known by then.
    const sealed = this.seeds.sealed(roundToBetOn(this.link.public?.round));
    return this.link.may("set_wagers") && sealed && !this.stage.revealing;
  }

  /** Whether a new bet has been started, which clears the last round's results. */
  get begun(): boolean {
    const wagering = this.link.public?.round?.phase === "wagering";
    return this.wanted !== null || (wagering && !this.stage.behind);
  }

  get placed(): Placed {
    return this.wanted ?? this.atTable;
  }

  get betCents(): number {
    return totalPlaced(this.placed);
  }

  /** The credit less all wagers on the felt, including those still being sent. */
  get creditCents(): number {
    const credit = this.link.private?.credit_cents ?? 0;
    return this.wanted ? credit + totalPlaced(this.atTable) - totalPlaced(this.wanted) : credit;
  }

  get canUndo(): boolean {
    return this.open && this.past.length > 0;
  }

  /** Whether re-bet would change anything; a second press has nothing to repeat. */
  get canRepeat(): boolean {
    const again = this.repeatedBets;
    return this.open && totalPlaced(again) > 0 && !samePlaced(again, this.placed);
  }

  /** What re-bet places: the wagers of the last game, on the hands of the seat. */
  get repeatedBets(): Placed {
    const seat = this.link.private?.seat;
    const own = Object.entries(this.last).map(([spot, wagers]) => [
      `${seat}.${spot.split(".")[1] ?? "1"}`,
      wagers,
    ]);
    return Object.fromEntries(own) as Placed;
  }

  private get atTable(): Placed {
    const round = this.link.public?.round;
    if (round?.phase !== "wagering") return {};
    const hands = Object.entries(this.link.private?.hands ?? {});
    return Object.fromEntries(hands.map(([spot, hand]) => [spot, hand.wagers]));
  }

  /**
   * Follow the table's views. When bets close they are remembered for re-bet, undo is cleared and
   * betting for the dealer is switched off.
   */
  follow(): void {
    const round = this.link.public?.round ?? null;
    if (!this.looked && this.link.private) {
      this.looked = true;
      this.last = stored(this.key);
    }
    if (!round || round.phase === "wagering" || round.id === this.closed) return;
    this.closed = round.id;
    this.past = [];
    this.forDealer = false;
    this.remember();
  }

  private remember(): void {
    const hands = Object.entries(this.link.private?.hands ?? {});
    if (hands.length === 0) return;
    const seat = this.link.private?.seat;
    const own = hands.filter(([, hand]) => hand.seat === seat);
    this.last = repeatable(Object.fromEntries(own.map(([spot, hand]) => [spot, hand.wagers])));
    sessionStorage.setItem(this.key, JSON.stringify(this.last));
  }

  /** Switch betting for the dealer on or off, and announce it. */
  toggleForDealer(): void {
    this.forDealer = !this.forDealer;
    const key = this.forDealer ? "bet.for_dealer_hint" : "say.place_bets";
    say(() => t(key));
  }

  place(spot: string, kind: string, chipCents = this.chipCents): void {
    if (!this.open) return;
    const wagers = this.placed[spot] ?? [];
    const changed = addChip(this.house, wagers, kind, chipCents, this.forDealer);
    const words = wagerWords(kind);
    if (!changed.ok) {
      const key = REFUSED[changed.reason];
      const most = this.house.wagers_per_hand_max ?? 0;
      this.refuse(t(key, { wager: words, max: chipMoney(changed.cents), count: most }));
      return;
    }
    const after: Placed = { ...this.placed, [spot]: changed.wagers };
    if (totalPlaced(after) - totalPlaced(this.placed) > this.creditCents) {
      this.refuse(t("bet.credit_short"));
      return;
    }
    if (changed.raisedToMinimum) this.refuse(t("bet.raised_to_minimum", { wager: words }));
    this.want(after);
  }

  double(): void {
    const result = doubled(this.house, this.placed, this.creditCents);
    if (result.ok) this.want(result.placed);
    else if (result.reason === "credit_short") warn(t("bet.double_credit"));
    else if (result.reason === "above_maximum") {
      warn(t("bet.double_maximum", { max: chipMoney(result.cents) }));
    }
  }

  undo(): void {
    const before = this.past.at(-1);
    if (!this.open || !before) return;
    this.past = this.past.slice(0, -1);
    this.send(before);
  }

  repeat(): void {
    if (!this.canRepeat) return;
    this.lay(this.repeatedBets);
  }

  /** Lay a whole set of bets in place of those on the felt; false if it cannot be laid. */
  lay(placed: Placed): boolean {
    if (!this.open) return false;
    if (totalPlaced(placed) - this.betCents > this.creditCents) {
      warn(t("bet.credit_short"));
      return false;
    }
    this.want(placed);
    return true;
  }

  clear(): void {
    if (this.open && this.betCents > 0) this.want({});
  }

  clearHand(spot: string): void {
    if (this.open && this.placed[spot]?.length) this.want({ ...this.placed, [spot]: [] });
  }

  /** Announce why an action was refused; chips for the dealer have their own limits. */
  private refuse(words: string): void {
    warn(this.forDealer ? t("bet.for_dealer_on", { words }) : words);
  }

  private want(after: Placed): void {
    this.past = [...this.past, this.placed];
    this.send(after);
  }

  private send(after: Placed): void {
    if (totalPlaced(after) > totalPlaced(this.placed)) play("chip");
    this.backTo = this.placed;
    this.wanted = after;
    if (!this.sending) this.told = this.sendAll();
  }

  /**
   * Wait until the table has the wagers that the screen shows; false if it refused some. A player
   * who takes a chip back and deals at once must not play with that chip.
   */
  async atRest(): Promise<boolean> {
    let taken = true;
    while (this.sending) taken = await this.told;
    return taken;
  }

  /** Send the wagers hand by hand. If a part of an action is refused, all of it is taken back. */
  private async sendAll(): Promise<boolean> {
    this.sending = true;
    let taken = true;
    const before = this.atTable;
    const round = roundToBetOn(this.link.public?.round);
    let accepted: Placed = before;
    for (;;) {
      const spot = this.nextDifference(accepted);
      if (spot === null) break;
      const wagers: Wagers = this.wanted?.[spot] ?? [];
      const answer = await this.link.command({
        kind: "set_wagers",
        spot,
        wagers: toSend(wagers),
        round,
        seed_commitment: this.seeds.commitmentFor(round),
      });
      if (answer.accepted) {
        if (wagers.length > 0) this.seeds.sent(round, answer.version);
        accepted = { ...accepted, [spot]: wagers };
      } else {
        taken = false;
        this.refuse(refusalWords(answer.refused, answer.sentence));
        this.past = this.past.slice(0, -1);
        // Do not retry: what was refused once would be refused again.
        const late = answer.refused === "wagers_closed" || answer.refused === "too_late";
        if (this.wanted === before || late) break;
        this.wanted = this.wanted === this.backTo ? before : this.backTo;
      }
    }
    this.sending = false;
    // The table's own view has what was accepted: a change arrives before its answer.
    this.wanted = null;
    return taken;
  }

  private nextDifference(accepted: Placed): string | null {
    const wanted = this.wanted ?? {};
    const spots = new Set([...Object.keys(accepted), ...Object.keys(wanted)]);
    for (const spot of spots) {
      if (!sameWagers(accepted[spot] ?? [], wanted[spot] ?? [])) return spot;
    }
    return null;
  }
}
