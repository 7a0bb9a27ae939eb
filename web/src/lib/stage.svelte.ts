// What the screen shows at this moment. The table may be further: cards that came at once are
// laid down one after another, and no result is shown before the cards that make it.

import { say } from "./announcer.svelte";
import type { PrivateView, RoundView } from "./messages";
import { cardsOf, NOTHING_LAID, revealSteps, type Laid, type RevealStep } from "./reveal";
import { mayMove } from "./settings.svelte";
import { commonSpeech, endWords, resultSpeech } from "./speech";
import type { TableLink } from "./table.svelte";

interface Scene {
  round: RoundView | null;
  own: PrivateView | null;
}

const SETTLE_MS = 520;
/** Both halves of a change, the public and the private one, come within so long. */
const TOGETHER_MS = 25;

export class Stage {
  round = $state.raw<RoundView | null>(null);
  own = $state.raw<PrivateView | null>(null);
  /** Whether cards are still being laid or turned. */
  busy = $state(false);
  /** The version of the table that is on the screen, or on its way there. */
  version = $state(0);

  private laid: Laid = NOTHING_LAID;
  private seen: Scene = { round: null, own: null };
  private target: Scene = { round: null, own: null };
  private steps: RevealStep[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  private gather: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly link: TableLink,
    private readonly isDraw: () => boolean,
  ) {
    link.onView = (fresh) => this.update(fresh);
  }

  /** Show the table as it stands, without moving anything. */
  catchUp(): void {
    if (this.link.public) this.take(true);
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    if (this.gather !== null) clearTimeout(this.gather);
  }

  private update(fresh: boolean): void {
    if (this.gather !== null) clearTimeout(this.gather);
    if (fresh) this.take(true);
    else this.gather = setTimeout(() => this.take(false), TOGETHER_MS);
  }

  private take(fresh: boolean): void {
    this.gather = null;
    this.version = this.link.version;
    this.target = { round: this.link.public?.round ?? null, own: this.link.private };
    const target = cardsOf(this.target.round, this.target.own);
    this.steps = revealSteps(this.laid, target, this.isDraw());
    const first = this.seen.own === null;
    if (fresh || !mayMove() || this.steps.length === 0) {
      this.laid = target;
      this.finish(first);
      return;
    }
    this.busy = true;
    this.blend();
    if (this.timer === null) this.wait();
  }

  private wait(): void {
    const step = this.steps[0];
    this.timer = setTimeout(() => this.next(), step ? step.waitMs : SETTLE_MS);
  }

  private next(): void {
    this.timer = null;
    const step = this.steps.shift();
    if (!step) {
      this.finish(false);
      return;
    }
    this.laid = step.change(this.laid);
    const done = this.steps[0]?.what !== step.what;
    if (done) say(commonSpeech(step.what, this.laid.common));
    this.blend();
    this.wait();
  }

  private finish(silent: boolean): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.steps = [];
    const before = silent ? { round: null, own: null } : this.seen;
    this.seen = this.target;
    this.round = this.target.round;
    this.own = this.target.own;
    this.busy = false;
    // A terminal that opens in the middle says what is to be done, not what has been.
    if (silent && !Object.values(this.own?.hands ?? {}).some((hand) => hand.due)) return;
    const { round, own } = this.target;
    const over = round?.phase === "settled" || round?.phase === "voided";
    const line = resultSpeech(before, this.target);
    say(line, over && round && own ? endWords(round, own) : line);
  }

  /** Show the cards that lie there, and everything else as it was before them. */
  private blend(): void {
    const { round, own } = this.target;
    if (!round || !own) return;
    const laid = this.laid;
    const old = this.seen.round?.id === round.id ? this.seen : null;
    const hands = Object.entries(round.hands).map(([spot, hand]) => [
      spot,
      {
        ...hand,
        cards: laid.hands[spot] ?? [],
        lines: [],
        made: old?.round?.hands[spot]?.made ?? null,
      },
    ]);
    this.round = {
      ...round,
      phase: round.phase === "wagering" ? "wagering" : "playing",
      common: laid.common,
      dealer: laid.dealer,
      common_made: null,
      dealer_made: null,
      dealer_held: null,
      dealer_qualified: null,
      cover_left_cents: round.cover_cents,
      hands: Object.fromEntries(hands) as RoundView["hands"],
    };
    this.own = this.blendOwn(own, old);
  }

  private blendOwn(own: PrivateView, old: Scene | null): PrivateView {
    const hands = Object.entries(own.hands).map(([spot, hand]) => [
      spot,
      {
        ...hand,
        cards: this.laid.hands[spot] ?? [],
        lines: [],
        net_cents: null,
        choices: [],
        may_hold: false,
        made: old?.own?.hands[spot]?.made ?? null,
      },
    ]);
    const before = old?.own;
    return {
      ...own,
      credit_cents: before ? before.credit_cents - (own.bet_cents - before.bet_cents) : own.credit_cents - own.win_cents,
      win_cents: 0,
      net_cents: 0,
      hands: Object.fromEntries(hands) as PrivateView["hands"],
    };
  }
}
