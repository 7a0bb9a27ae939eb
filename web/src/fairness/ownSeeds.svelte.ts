// The terminal's own seeds. It binds itself to a new one with the first bet of each round,
// reveals it when the table calls, and checks the round's proof by itself afterwards.

import { warn } from "../app/announcer.svelte";
import { api, ApiError } from "../protocol/api";
import type { AnyProofForm } from "../protocol/forms";
import type { TableLink } from "../protocol/tableLink.svelte";
import { roundToBetOn } from "../protocol/rounds";
import { t } from "../words/i18n.svelte";
import { hashOf, hexOf } from "./bytes";
import { lacksSeeds, verifyRound, withSeeds, type Checked, type OwnRound } from "./proof";
import { problemWords } from "./proofWords";
import { seedCommitment } from "./seeds";

const SEED_BYTES = 32;
/** For how many rounds this browser remembers what it saw before the bets. */
const ROUNDS_KEPT = 8;
/** Terminals of a hall fetch their proofs over this time for each player, not all at once. */
const SPREAD_MS = 10;
const ATTEMPTS_MAX = 8;

/** A round as this browser remembers it. */
export interface Remembered extends OwnRound {
  commitment: string;
  /** Whether a bet with this commitment was accepted. */
  sent: boolean;
}

/** How far the check of the last round has come. */
export interface Verdict {
  round: number;
  state: "checking" | "good" | "bad" | "unavailable";
  checked: Checked | null;
}

type Memory = Record<string, Remembered>;

function freshSeed(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/** Ask again while the server is busy: all terminals of a hall verify at the same time. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const busy = error instanceof ApiError && [429, 503].includes(error.status);
      if (!busy || attempt === ATTEMPTS_MAX) throw error;
      await pause((error.waitSeconds ?? 1) * 1000 * (1 + Math.random()) * attempt);
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export class OwnSeeds {
  /** The seed of the round that the next bet is for. */
  coming = $state.raw<Remembered | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  /** A failed check stays until the player has seen it, whatever rounds come after. */
  alarm = $state.raw<Verdict | null>(null);
  /** The last round whose seed was revealed, and the last whose proof was fetched. */
  private revealed = 0;
  private checkedUpTo = 0;

  constructor(private readonly link: TableLink) {}

  /** Called whenever the views have changed. */
  follow(): void {
    const seen = this.link.public;
    const own = this.link.private;
    if (!seen || !own || own.seat == null) {
      this.coming = null;
      return;
    }
    this.coming = this.remembered(roundToBetOn(seen.round));
    if (this.link.may("reveal_seed")) void this.reveal(seen.round?.number ?? 0);
    const last = seen.deck_round - 1;
    if (last > this.checkedUpTo) {
      this.checkedUpTo = last;
      if (this.memory[last]?.sent) void this.check(last, seen.players);
    }
  }

  /** The commitment to send with a bet on a round; null where the table takes none. */
  commitmentFor(round: number): string | null {
    return this.remembered(round)?.commitment ?? null;
  }

  /** Mix the player's own words into the seed of the next round, before the first bet on it. */
  mixIn(words: string): void {
    const round = roundToBetOn(this.link.public?.round);
    if (this.bound || !words) return;
    this.remember(round, hashOf(["openfelt.seed_words/1", freshSeed(), words]));
    this.coming = this.remembered(round);
  }

  /** A bet with the commitment of this round was accepted. */
  sent(round: number): void {
    const own = this.memory[round];
    if (own && !own.sent) this.keep(round, { ...own, sent: true });
    this.coming = this.remembered(round);
  }

  /** Whether the seat is bound to a seed in the round that takes bets or is played. */
  get bound(): boolean {
    const phase = this.link.public?.round?.phase;
    const over = phase === undefined || phase === "settled" || phase === "voided";
    return !over && this.link.private?.seed_commitment != null;
  }

  /** Whether that seed was made by another page or device of the player. */
  get elsewhere(): boolean {
    const number = this.link.public?.round?.number ?? 0;
    return this.bound && this.memory[number]?.commitment !== this.link.private?.seed_commitment;
  }

  seenAlarm(): void {
    this.alarm = null;
  }

  // What this browser remembers. All pages of one player share it, and so one seed.

  private get key(): string {
    return `openfelt.seeds.${this.link.public?.table ?? ""}.${this.link.private?.name ?? ""}`;
  }

  private get memory(): Memory {
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? "{}") as Memory;
    } catch {
      return {};
    }
  }

  private keep(round: number, remembered: Remembered): void {
    const rounds = Object.entries({ ...this.memory, [round]: remembered });
    const newest = rounds.toSorted(([a], [b]) => Number(b) - Number(a)).slice(0, ROUNDS_KEPT);
    try {
      localStorage.setItem(this.key, JSON.stringify(Object.fromEntries(newest)));
    } catch {
      // Without storage a page that is reloaded does not reveal its seed; the deal goes on.
    }
  }

  /** What is known of a round, with a new seed as soon as its decks are sealed. */
  private remembered(round: number): Remembered | null {
    const own = this.link.private;
    const known = this.memory[round];
    if (known && known.seat === own?.seat) return known;
    // A round that an earlier version of the server opened takes no seeds.
    if (this.link.public?.round?.phase === "wagering" && !this.link.public.seeds) return null;
    if (this.link.public?.deck_round !== round || !own?.deck_sealed) return null;
    // A live dealer deals all cards from a real deck, unless the terminal has a deck of its own.
    if (this.link.public.dealer_mode === "live" && own.deck_root == null) return null;
    return this.remember(round, freshSeed());
  }

  private remember(round: number, seed: string): Remembered | null {
    const seen = this.link.public;
    const own = this.link.private;
    if (!seen || !own || own.seat == null) return null;
    const roots = { ...seen.commitments };
    if (own.deck_root != null && own.deck_round === round) roots[`seat-${own.seat}`] = own.deck_root;
    const commitment = seedCommitment(`${seen.table}/${round}`, own.seat, seed);
    const remembered = { seat: own.seat, seed, revealed: false, roots, commitment, sent: false };
    this.keep(round, remembered);
    return remembered;
  }

  // Revealing and checking.

  private async reveal(round: number): Promise<void> {
    const own = this.memory[round];
    if (!own || this.revealed === round) return;
    if (own.commitment !== this.link.private?.seed_commitment) return;
    this.revealed = round;
    const answer = await this.link.command({ kind: "reveal_seed", seat: own.seat, seed: own.seed });
    if (answer.accepted) this.keep(round, { ...own, sent: true, revealed: true });
  }

  /** The proof of a round, complete with its list of seeds. */
  private async proofOf(table: string, round: number): Promise<AnyProofForm> {
    const proof = await patiently(() => api.proof(table, round));
    return lacksSeeds(proof)
      ? withSeeds(proof, await patiently(() => api.seeds(table, round)))
      : proof;
  }

  private async check(round: number, players: number): Promise<void> {
    const table = this.link.public?.table ?? "";
    const elsewhere = this.link.private?.seed_commitment !== this.memory[round]?.commitment;
    this.verdict = { round, state: "checking", checked: null };
    await pause(Math.random() * players * SPREAD_MS);
    try {
      const own = elsewhere && this.link.private?.seed_commitment ? null : this.memory[round];
      const checked = verifyRound(await this.proofOf(table, round), own ?? null);
      this.verdict = { round, state: checked.ok ? "good" : "bad", checked };
      if (!checked.ok) {
        this.alarm = this.verdict;
        warn(t("fair.bad", { place: problemWords(checked.problem) }));
      }
    } catch {
      // A round that was void before its bets closed has no proof.
      this.verdict = { round, state: "unavailable", checked: null };
    }
  }
}
