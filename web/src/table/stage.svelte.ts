// What the screen shows at this moment. The table may be further: cards that came at once are
// laid down one after another, and no result is shown before the cards that make it.

import { say } from "../app/announcer.svelte";
import { mayMove } from "../app/settings.svelte";
import type { PrivateView, ResultView, RoundView } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { play } from "../ui/sound";
import { wonCents } from "./hands/celebration";
import { commonSpeech, endWords, resultSpeech } from "./dealer/speech";
import { cardsOf, NOTHING_LAID, revealSteps, type Laid, type RevealStep } from "./reveal";

export interface Scene {
  round: RoundView | null;
  own: PrivateView | null;
}

const NOTHING_SEEN: Scene = { round: null, own: null };
const SETTLE_MS = 520;
/** How long a card takes to turn over; only then is it named. */
export const TURN_OVER_MS = 300;
/** A clock no longer than this is short: own cards come faster where they cost time to decide. */
const SHORT_CLOCK_MS = 20_000;
const SHORT_PACE = 0.5;
/**
 * A result stays for at least this long, though the table may have begun or even dealt the next
 * round; and until the player's next press while bets are open.
 */
export const RESULT_MS = 4000;

/** How long the steps take, with the rest after the last one. */
export function durationMs(steps: readonly RevealStep[]): number {
  return steps.reduce((sum, step) => sum + step.waitMs, steps.length ? SETTLE_MS : 0);
}

function isOver(round: RoundView | null): boolean {
  return round?.phase === "settled" || round?.phase === "voided";
}

/** The scene with one own hand before the others, so that a sentence about one is about that. */
function facing(scene: Scene, number: number): Scene {
  if (!scene.own) return scene;
  const hands = Object.entries(scene.own.hands).sort(
    ([, left], [, right]) => Number(right.hand === number) - Number(left.hand === number),
  );
  return { ...scene, own: { ...scene.own, hands: Object.fromEntries(hands) } };
}

/** Of what the table shows, the player's cards and the common ones; all else as it lies. */
function ownCards(laid: Laid, target: Laid, own: PrivateView | null): Laid {
  const before = laid.round === target.round ? laid : { ...NOTHING_LAID, round: target.round };
  const mine = Object.keys(own?.hands ?? {}).map((spot) => [spot, target.hands[spot] ?? []]);
  return {
    ...before,
    common: target.common,
    hands: { ...before.hands, ...(Object.fromEntries(mine) as Laid["hands"]) },
  };
}

export class Stage {
  round = $state.raw<RoundView | null>(null);
  own = $state.raw<PrivateView | null>(null);
  /** Whether cards are still being laid or turned. */
  busy = $state(false);
  /** The last games, up to the one that the screen has shown the end of. */
  results = $state.raw<ResultView[]>([]);
  /** The last round that this screen has seen the player win. */
  won = $state.raw<string | null>(null);
  /** The version of the table that is on the screen, or on its way there. */
  version = $state(0);
  /** The number of the player's hand that is marked on the screen when it shows this scene. */
  marked: (scene: Scene) => number = () => 1;
  /** Called with every change before it is shown, so that a dealer is heard before the result. */
  beforeTake: () => void = () => {};

  private laid: Laid = NOTHING_LAID;
  private seen: Scene = NOTHING_SEEN;
  private target = $state.raw<Scene>(NOTHING_SEEN);
  private steps: RevealStep[] = [];
  private timer: ReturnType<typeof setTimeout> | null = null;
  /** Takes the next round when the result has stayed long enough. */
  private leaving: ReturnType<typeof setTimeout> | undefined;
  private naming: ReturnType<typeof setTimeout> | undefined;
  /** Whether a decision is asked for by a short clock that is running already. */
  private hurried = false;
  /** Until when the result on the screen stays in any case. */
  private staysUntil = $state(0);
  /** Whether the player has let the result on the screen go. */
  private released = false;

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

  /** The player has marked another hand: where it has to decide, it is spoken of now. */
  turnToMarked(): void {
    const hands = Object.values(this.seen.own?.hands ?? {});
    const marked = this.marked(this.seen);
    const due = hands.some((hand) => hand.due && hand.hand === marked);
    const scene = facing(this.seen, marked);
    if (due && !this.busy) say(() => resultSpeech(NOTHING_SEEN, scene));
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    clearTimeout(this.leaving);
    clearTimeout(this.naming);
  }

  /** Whether the screen shows a round that the table has left behind. */
  get behind(): boolean {
    return isOver(this.target.round) && this.target.round?.id !== this.link.public?.round?.id;
  }

  /** Whether cards are still being turned, so that no player bets on cards that are not seen yet. */
  get revealing(): boolean {
    return this.busy && isOver(this.target.round);
  }

  /** Let the result go: the player has seen enough of it, and bets. */
  release(): void {
    this.released = true;
    if (this.behind && !this.busy) this.update(false);
  }

  private get now(): Scene {
    return { round: this.link.public?.round ?? null, own: this.link.private };
  }

  /** Take the table as it stands, unless the screen still shows the result before it. */
  private update(fresh: boolean): void {
    clearTimeout(this.leaving);
    if (fresh) {
      this.take(true);
      return;
    }
    this.beforeTake();
    // Cards that are still being turned come first; `finish` looks again.
    if (this.behind && this.busy) return;
    if (!this.stays) this.take(false);
    else if (this.staysMs > 0) this.leaving = setTimeout(() => this.update(false), this.staysMs);
  }

  /** Whether the result on the screen stays, though the table has begun another round. */
  private get stays(): boolean {
    const next = this.link.public?.round;
    if (!this.behind || this.released || !next) return false;
    // A player with chips in the next round has let the result go, on this or another terminal.
    const { seat = null, hands = {} } = this.link.private ?? {};
    const plays = Object.keys(hands).length > 0 || next.banker_seat === (seat ?? 0);
    if (plays) return false;
    return this.staysMs > 0 || (seat !== null && next.phase === "wagering");
  }

  private get staysMs(): number {
    return this.staysUntil - performance.now();
  }

  private take(fresh: boolean): void {
    this.version = this.link.version;
    this.target = this.now;
    const target = cardsOf(this.target.round, this.target.own);
    this.steps = this.stepsTo(target);
    const first = this.seen.own === null;
    if (fresh || !mayMove() || this.steps.length === 0) {
      if (!fresh && this.steps.length) play("card");
      this.finish(first);
      return;
    }
    this.busy = true;
    this.blend();
    if (this.timer === null) this.wait();
  }

  /**
   * The steps to the cards of the table. If they take longer than the clock of a decision waits
   * for them, only their own cards and the common ones move, and by a short clock twice as fast.
   */
  private stepsTo(target: Laid): RevealStep[] {
    const all = revealSteps(this.laid, target, this.isDraw());
    const clock = this.link.public?.clock;
    const decides = clock?.gives_time_for === "decisions" && this.target.round?.phase === "playing";
    this.hurried = false;
    if (!clock || !decides) return all;
    const givenMs = (this.link.clockEndsAt ?? 0) - performance.now() - clock.total_ms;
    if (durationMs(all) <= givenMs) return all;
    const own = revealSteps(this.laid, ownCards(this.laid, target, this.target.own), this.isDraw());
    this.hurried = clock.total_ms <= SHORT_CLOCK_MS && durationMs(own) > givenMs;
    return own;
  }

  private wait(): void {
    const step = this.steps[0];
    const restMs = this.hurried ? TURN_OVER_MS : SETTLE_MS;
    const waitMs = step ? step.waitMs * (this.hurried ? SHORT_PACE : 1) : restMs;
    this.timer = setTimeout(() => this.next(), waitMs);
  }

  private next(): void {
    this.timer = null;
    const step = this.steps.shift();
    if (!step) {
      this.finish(false);
      return;
    }
    this.laid = step.change(this.laid);
    play("card");
    const done = this.steps[0]?.what !== step.what;
    if (done) this.name(step.what);
    this.blend();
    this.wait();
  }

  /** Name the common cards that are being turned, as soon as they can be seen. */
  private name(what: RevealStep["what"]): void {
    const common = this.laid.common;
    if (!commonSpeech(what, common)) return;
    clearTimeout(this.naming);
    this.naming = setTimeout(() => say(() => commonSpeech(what, common)), TURN_OVER_MS);
  }

  private finish(silent: boolean): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.steps = [];
    this.laid = cardsOf(this.target.round, this.target.own);
    const before = silent ? NOTHING_SEEN : this.seen;
    this.seen = this.target;
    this.round = this.target.round;
    this.own = this.target.own;
    this.results = this.link.public?.results ?? [];
    this.busy = false;
    const shown = before.round?.id === this.round?.id && isOver(before.round);
    if (isOver(this.round) && !shown && !silent) {
      this.staysUntil = performance.now() + RESULT_MS;
      this.released = false;
    }
    // A terminal that opens in the middle says what is to be done, not what has been.
    if (!silent || Object.values(this.own?.hands ?? {}).some((hand) => hand.due)) {
      this.speak(before, this.target);
    }
    if (this.behind) this.update(false);
  }

  private speak(before: Scene, after: Scene): void {
    const { round, own } = after;
    if (!round || !own || !isOver(round)) {
      const scene = facing(after, this.marked(after));
      say(() => resultSpeech(before, scene));
      return;
    }
    clearTimeout(this.naming);
    const line = resultSpeech(before, after);
    say(
      () => resultSpeech(before, after),
      () => endWords(round, own),
    );
    if (line && wonCents(round, own) > 0) {
      this.won = round.id;
      play("win");
    }
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
        net_cents: null,
        bank_net_cents: null,
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
    const paidBack = isOver(this.target.round) ? own.bet_cents + own.net_cents : 0;
    return {
      ...own,
      credit_cents: before ? before.credit_cents - (own.bet_cents - before.bet_cents) : own.credit_cents - paidBack,
      win_cents: 0,
      net_cents: 0,
      hands: Object.fromEntries(hands) as PrivateView["hands"],
    };
  }
}
