// Whether a terminal was there when its seed was due, and to which seed its seat was bound.

import type { PrivateView, PublicView } from "../../protocol/messages";

const BEAT_MS = 1000;
/** A page that did nothing for this long, such as one that a phone has put to sleep, was away. */
const STALL_MS = 2500;

/** Follows one round from before the call of its seeds until the deal begins. */
export class SeedWatch {
  /** The round that this page follows without a gap, until its deal begins. */
  private following: number | null = null;
  private beat: ReturnType<typeof setInterval> | null = null;
  private beaten = 0;

  constructor(
    /** Whether a round is one of this terminal's own. */
    private readonly isOwn: (round: number) => boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Take the views as they are now; `fresh` are the first ones of a connection. Gives the round
   * whose deal has begun while the terminal was there, if one has.
   */
  see(seen: PublicView, fresh: boolean): number | null {
    if (fresh || this.stalled()) this.stop();
    const round = seen.round;
    const over = round?.phase === "settled" || round?.phase === "voided";
    const begun = over || seen.seeds?.fixed === true;
    const due = round && !begun && this.isOwn(round.number) ? round.number : null;
    let dealt: number | null = null;
    if (this.following !== null && this.following !== due) {
      dealt = this.following;
      this.stop();
    }
    // Who comes back in the middle of a call is asked for the seed as well.
    if (due !== null && (fresh || !seen.seeds?.digest)) this.start(due);
    return dealt;
  }

  stop(): void {
    this.following = null;
    if (this.beat !== null) clearInterval(this.beat);
    this.beat = null;
  }

  private start(round: number): void {
    this.following = round;
    this.beaten = this.now();
    this.beat ??= setInterval(() => {
      if (this.stalled()) this.stop();
      this.beaten = this.now();
    }, BEAT_MS);
  }

  private stalled(): boolean {
    return this.beat !== null && this.now() - this.beaten > STALL_MS;
  }
}

/**
 * To which seed the player's own seat was bound, and since when. Between rounds, a view shows the
 * commitment of the last round, and the number of the next.
 */
export class Bindings {
  private round = 0;
  /** The commitment that was shown before any bet on this round. */
  private before: string | null = null;
  private commitment: string | null = null;
  private version = 0;

  see(seen: PublicView, own: PrivateView, version: number, fresh: boolean): void {
    const shown = own.seed_commitment ?? null;
    if (own.deck_round !== this.round) {
      const begun = fresh && seen.round?.number === own.deck_round;
      this.round = own.deck_round;
      this.commitment = null;
      this.before = begun ? null : shown;
    }
    if (this.commitment === null && shown !== null && shown !== this.before) {
      this.commitment = shown;
      this.version = version;
    }
  }

  /** Whether the seat was bound to no seed in this round, now or before a version. */
  free(round: number, before: number | null = null): boolean {
    if (this.round !== round || this.commitment === null) return true;
    return before !== null && this.version >= before;
  }
}
