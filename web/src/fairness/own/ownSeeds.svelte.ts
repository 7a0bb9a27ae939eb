// The terminal's own seeds. It binds itself to a new one with the first bet of each round,
// reveals it when the table calls, and checks the round's proof by itself afterwards.

import { getContext, setContext } from "svelte";
import { warn } from "../../app/announcer.svelte";
import { api, ApiError } from "../../protocol/api";
import { patiently, pause } from "../../protocol/busyRetries";
import type { AnyProofForm } from "../../protocol/forms";
import type { PrivateView, PublicView, RoundView } from "../../protocol/messages";
import type { TableLink } from "../../protocol/tableLink.svelte";
import { roundToBetOn } from "../../protocol/betRound";
import { t } from "../../words/i18n.svelte";
import { hashOf, hexOf } from "../bytes";
import { shownCards, type OwnRound } from "./ownRound";
import { seatDeck, TABLE_DECK } from "../plan";
import { lacksSeeds, verifyRound, withSeeds, type Asked, type Checked } from "../proof";
import { problemWords } from "../proofWords";
import { seedCommitment } from "../seeds";
import { Bindings, SeedWatch } from "./seedWatch";

const SEED_BYTES = 32;
/** For how many rounds, and how long, this browser remembers what it saw. */
const ROUNDS_KEPT = 8;
const KEPT_MS = 30 * 24 * 3600 * 1000;
/** Terminals of a hall fetch their proofs over this time for each player, not all at once. */
const SPREAD_MS = 10;
/** A proof that is missing is asked for again after this time, and so often before an alarm. */
const AGAIN_MS = 2000;
const TRIES_MAX = 3;

/** A round as this browser remembers it. */
interface Remembered extends OwnRound {
  commitment: string;
  /** Whether the seat had hands in the round, or banked it. */
  played: boolean;
  /** When the seed was made. */
  atMs: number;
  /** How often its proof was missing. */
  tries: number;
  /** Whether its proof was checked. */
  checked: boolean;
}

/** How far the check of a round has come. `unused`: it holds, without the terminal's own seed. */
export interface Verdict {
  round: number;
  state: "checking" | "good" | "unused" | "bad" | "unavailable";
  checked: Checked | null;
}

/** As much of a house as is needed here. */
type SeededHouse = NonNullable<Asked["house"]> & { deck: string };

type Memory = Record<string, Remembered>;

function freshSeed(): string {
  return hexOf(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/** The result of a check whose proof the table does not give. */
const MISSING: Checked = {
  ok: false,
  cards: 0,
  hidden: 0,
  seeds: null,
  withheld: 0,
  unused: null,
  problem: { what: "missing" },
};

export class OwnSeeds {
  /** The seed of the round that the next bet is for. */
  coming = $state.raw<Remembered | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  /** A failed check stays until the player has seen it, whatever rounds come after. */
  alarm = $state.raw<Verdict | null>(null);
  /** The last round whose seed was revealed. */
  private revealed = 0;
  /** The rounds that this page has checked or is checking. */
  private readonly looked = new Set<number>();
  private last = 0;
  /** How often the line was lost when the views were last seen. */
  private losses = -1;
  private readonly watch = new SeedWatch((round) => this.memory[round] !== undefined);
  private readonly bindings = new Bindings();
  /** Whether the seat was bound to no seed when the first bet on a round was sent. */
  private readonly wasFree = new Map<number, boolean>();
  /** What is remembered where the browser keeps nothing for the page. */
  private unkept: Memory | null = null;

  constructor(
    readonly link: TableLink,
    readonly house: SeededHouse,
  ) {}

  /** Called whenever the views have changed. */
  follow(): void {
    const seen = this.link.public;
    const own = this.link.private;
    if (!seen || !own || own.seat == null) {
      this.coming = null;
      return;
    }
    // What arrives before a resumed connection is complete is old.
    if (this.link.status === "lost") return;
    const fresh = this.losses !== this.link.losses;
    this.losses = this.link.losses;
    this.bindings.see(seen, own, this.link.version, fresh);
    this.see(seen, own, fresh);
    this.coming = this.remembered(roundToBetOn(seen.round));
    if (this.link.may("reveal_seed")) void this.reveal(seen.round?.number ?? 0);
    this.checkFinished(seen);
  }

  close(): void {
    this.watch.stop();
  }

  /** Whether every deck from which a bet on this round is dealt has shown its fingerprint. */
  sealed(round: number): boolean {
    const seen = this.link.public;
    if (this.link.private?.deck_sealed !== true || !seen) return false;
    const decks = this.decks;
    if (decks.length === 0) return true;
    // A round without seeds was opened by an earlier version of the server.
    if (seen.round?.phase === "wagering" && !seen.seeds) return false;
    const roots = this.rootsOf(round);
    return seen.deck_round === round && decks.every((deck) => roots[deck] !== undefined);
  }

  /** The commitment to send with a bet on a round; null where the table takes none. */
  commitmentFor(round: number): string | null {
    const own = this.remembered(round);
    if (own && !own.sent) this.wasFree.set(round, this.bindings.free(round));
    return own?.commitment ?? null;
  }

  /** Mix the player's own words into the seed of the next round, before the first bet on it. */
  mixIn(words: string): void {
    const round = roundToBetOn(this.link.public?.round);
    if (this.bound || !words) return;
    this.remember(round, hashOf(["openfelt.seed_words/1", freshSeed(), words]));
    this.coming = this.remembered(round);
  }

  /** A bet with the commitment of this round was accepted, with this version of the table. */
  sent(round: number, version: number): void {
    const own = this.memory[round];
    if (own && !own.sent) {
      // Another page or device of the player may have been quicker.
      const first = this.wasFree.get(round) === true && this.bindings.free(round, version);
      this.keep(round, { ...own, sent: true, bound: own.bound || first });
    }
    this.coming = this.remembered(round);
  }

  /** What is known of a round that this browser has bet on. */
  ofRound(round: number): OwnRound | null {
    const own = this.memory[round];
    return own?.sent ? own : null;
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
    if (this.unkept) return this.unkept;
    try {
      return JSON.parse(localStorage.getItem(this.key) ?? "{}") as Memory;
    } catch {
      return {};
    }
  }

  private keep(round: number, remembered: Remembered): void {
    const oldest = Date.now() - KEPT_MS;
    const rounds = Object.entries<Remembered>({ ...this.memory, [round]: remembered })
      .filter(([, { atMs }]) => atMs > oldest)
      .toSorted(([a], [b]) => Number(b) - Number(a))
      .slice(0, ROUNDS_KEPT);
    const memory = Object.fromEntries(rounds);
    try {
      localStorage.setItem(this.key, JSON.stringify(memory));
    } catch {
      // Without storage a page that is reloaded does not reveal its seed; the deal goes on.
      this.unkept = memory;
    }
  }

  /** What is known of a round, with a new seed as soon as its decks are sealed. */
  private remembered(round: number): Remembered | null {
    const remembered = this.memory[round];
    if (remembered && remembered.seat === this.link.private?.seat) return remembered;
    // A live dealer deals all cards from a real deck, unless the terminal has a deck of its own.
    if (this.decks.length === 0 || !this.sealed(round)) return null;
    return this.remember(round, freshSeed());
  }

  /** The decks from which a bet of this terminal is dealt. */
  private get decks(): string[] {
    const virtual = this.link.public?.dealer_mode !== "live";
    const own = this.house.deck === "per_terminal" ? [seatDeck(this.link.private?.seat ?? 0)] : [];
    return [...(virtual ? [TABLE_DECK] : []), ...own];
  }

  /** The fingerprints of these decks for a round, as far as they are shown. */
  private rootsOf(round: number): Record<string, string> {
    const own = this.link.private;
    const roots = { ...this.link.public?.commitments };
    if (own?.seat != null && own.deck_root != null && own.deck_round === round) {
      roots[seatDeck(own.seat)] = own.deck_root;
    }
    const decks = this.decks;
    return Object.fromEntries(Object.entries(roots).filter(([deck]) => decks.includes(deck)));
  }

  private remember(round: number, seed: string): Remembered | null {
    const seen = this.link.public;
    const own = this.link.private;
    if (!seen || !own || own.seat == null) return null;
    const commitment = seedCommitment(`${seen.table}/${round}`, own.seat, seed);
    const remembered: Remembered = {
      seat: own.seat,
      seed,
      roots: this.rootsOf(round),
      commitment,
      sent: false,
      bound: false,
      digest: null,
      revealed: false,
      here: false,
      ended: null,
      shown: {},
      played: false,
      atMs: Date.now(),
      tries: 0,
      checked: false,
    };
    this.keep(round, remembered);
    return remembered;
  }

  /** Remember what the views show of the terminal's rounds. */
  private see(seen: PublicView, own: PrivateView, fresh: boolean): void {
    const dealt = this.watch.see(seen, fresh);
    const before = dealt === null ? undefined : this.memory[dealt];
    if (dealt !== null && before) this.keep(dealt, { ...before, here: true });
    const round = seen.round;
    const remembered = round ? this.memory[round.number] : undefined;
    if (!round || !remembered || remembered.ended !== null) return;
    const phase = round.phase;
    const now: Remembered = {
      ...remembered,
      digest: remembered.digest ?? seen.seeds?.digest ?? null,
      ended: phase === "settled" || phase === "voided" ? phase : null,
      played: remembered.played || (phase !== "wagering" && this.inPlay(round, own)),
      shown: { ...remembered.shown, ...shownCards(round, own) },
    };
    if (JSON.stringify(now) !== JSON.stringify(remembered)) this.keep(round.number, now);
  }

  private inPlay(round: RoundView, own: PrivateView): boolean {
    return Object.keys(own.hands).length > 0 || round.banker_seat === own.seat;
  }

  // Revealing and checking.

  private async reveal(round: number): Promise<void> {
    const own = this.memory[round];
    if (!own || this.revealed === round) return;
    if (own.commitment !== this.link.private?.seed_commitment) return;
    // Without the digest, other seeds could still be chosen by this one.
    if (own.digest === null || own.digest !== this.link.public?.seeds?.digest) return;
    this.revealed = round;
    const answer = await this.link.command({ kind: "reveal_seed", seat: own.seat, seed: own.seed });
    const now = this.memory[round];
    if (answer.accepted && now) this.keep(round, { ...now, sent: true, revealed: true });
  }

  /** Check every round of this browser that is over, once on each page if it is the last. */
  private checkFinished(seen: PublicView): void {
    const last = seen.deck_round - 1;
    // What could not be checked is tried again after the next round.
    if (last !== this.last) this.looked.clear();
    this.last = last;
    const finished = Object.entries(this.memory).filter(
      ([number, { sent }]) => sent && Number(number) <= last,
    );
    const newest = Math.max(...finished.map(([number]) => Number(number)));
    for (const [key, { checked }] of finished) {
      const number = Number(key);
      if (this.looked.has(number) || (checked && (number !== newest || number < last))) continue;
      this.looked.add(number);
      void this.check(number, seen.players);
    }
  }

  /** The proof of a round, complete with its list of seeds. */
  private async proofOf(table: string, round: number): Promise<AnyProofForm> {
    const proof = await patiently(() => api.proof(table, round));
    return lacksSeeds(proof)
      ? withSeeds(proof, await patiently(() => api.seeds(table, round)))
      : proof;
  }

  private async check(number: number, players: number): Promise<void> {
    const table = this.link.public?.table ?? "";
    this.show({ round: number, state: "checking", checked: null });
    await pause(Math.random() * players * SPREAD_MS);
    try {
      const proof = await this.proofOf(table, number);
      const own = this.memory[number] ?? null;
      const checked = verifyRound(proof, own, { table, number, house: this.house });
      if (own) this.keep(number, { ...own, checked: true });
      this.conclude(number, checked);
    } catch (error) {
      await this.miss(number, players, error);
    }
  }

  private conclude(round: number, checked: Checked): void {
    const good = checked.unused === null ? "good" : "unused";
    const verdict: Verdict = { round, state: checked.ok ? good : "bad", checked };
    this.show(verdict);
    if (checked.ok) return;
    this.alarm = verdict;
    warn(t("fair.bad", { place: problemWords(checked.problem) }));
  }

  /** There is no proof. A settled round must have one; the server may not be well for a while. */
  private async miss(round: number, players: number, error: unknown): Promise<void> {
    const own = this.memory[round];
    if (!own) return;
    const result = this.link.public?.results?.find(({ number }) => number === round);
    const ended = own.ended ?? (result && (result.void ? "voided" : "settled")) ?? null;
    // A round that was void before its bets closed has no proof.
    const none = ended === "voided" || (ended === "settled" && !own.played && own.here);
    this.show({ round, state: "unavailable", checked: null }, none);
    // A page without a connection, or whose session has ended, cannot say that a proof is missing.
    if (none || !(error instanceof ApiError) || [401, 403].includes(error.status)) return;
    const tries = own.tries + 1;
    this.keep(round, { ...own, tries });
    if (tries >= TRIES_MAX && ended === "settled" && own.played) {
      this.conclude(round, MISSING);
    } else if ([404, 409, 410].includes(error.status) && tries < TRIES_MAX) {
      await pause(AGAIN_MS);
      await this.check(round, players);
    }
  }

  /** Show how a check went, unless a later round is shown already. */
  private show(verdict: Verdict, none = false): void {
    if (this.verdict && this.verdict.round > verdict.round) return;
    this.verdict = none ? null : verdict;
  }
}

const KEY = Symbol("own seeds");

/** Called by the page of a table, for the proofs that are shown on it. */
export function provideOwnSeeds(seeds: OwnSeeds): void {
  setContext(KEY, seeds);
}

export function useOwnSeeds(): OwnSeeds {
  return getContext<OwnSeeds>(KEY);
}
