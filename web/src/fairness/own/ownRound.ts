// What one terminal saw of a round of its own, and how the proof of the round compares with it.

import type { AnyProofForm } from "../../protocol/forms";
import type { PrivateView, RoundView } from "../../protocol/messages";
import { seatDeck, TABLE_DECK } from "../plan";
import type { ProofProblem } from "../proof";
import { seedCommitment, type RoundSeeds } from "../seeds";

/** What a terminal knows of a round that it bet on. */
export interface OwnRound {
  seat: number;
  seed: string;
  /** The roots that were published before the first bet, by deck. */
  roots: Record<string, string>;
  /** Whether a bet with the commitment to this seed was accepted. */
  sent: boolean;
  /** Whether that was the first bet of the seat, so that no other seed can be bound to it. */
  bound: boolean;
  /** The digest with which the table called the seeds, before this one was revealed. */
  digest: string | null;
  /** Whether the table has accepted the revealed seed. */
  revealed: boolean;
  /** Whether the terminal followed the table until the deal began, while the seed was due. */
  here: boolean;
  /** How the round ended, if the terminal knows. */
  ended: "settled" | "voided" | null;
  /** The cards as they were last shown, by place: the player's own hands, the dealer's and the board. */
  shown: Record<string, string>;
}

/** Why a round was dealt without the terminal's seed, where the house may not be at fault. */
export type Unused = "away" | "elsewhere";

/** A place as a key: where a card lies, its spot, and its position there. */
function placeKey(lies: string, spot: string | null, position: number): string {
  return `${lies} ${spot ?? ""} ${position}`;
}

/** The cards that lie face up for a terminal, by place. */
export function shownCards(round: RoundView, own: PrivateView): Record<string, string> {
  const lying: [string, string | null, readonly (string | null)[]][] = [
    ["dealer", null, round.dealer ?? []],
    ["common", null, round.common ?? []],
    ...Object.entries(own.hands).map(
      ([spot, hand]) => ["hand", spot, hand.cards] as [string, string, (string | null)[]],
    ),
  ];
  return Object.fromEntries(
    lying.flatMap(([lies, spot, cards]) =>
      cards.flatMap((card, at) => (card ? [[placeKey(lies, spot, at + 1), card]] : [])),
    ),
  );
}

/** What only the terminal knows: the roots before its bet, the call, its seed, and its cards. */
export function ownProblem(
  proof: AnyProofForm,
  seeds: RoundSeeds | null,
  own: OwnRound,
): ProofProblem | null {
  for (const deck of [TABLE_DECK, seatDeck(own.seat)]) {
    const root = proof.commitments.find((commitment) => commitment.deck === deck)?.root;
    if (own.roots[deck] !== root) return { what: "own_root", deck };
  }
  if (own.digest !== null && seeds?.digest !== own.digest) return { what: "own_digest" };
  return cardProblem(proof, own) ?? seedProblem(proof, seeds, own);
}

function cardProblem(proof: AnyProofForm, own: OwnRound): ProofProblem | null {
  const proved: Record<string, string | null> = {};
  for (const { lies, spot, position, proof: opened } of proof.cards) {
    proved[placeKey(lies, spot, position)] = opened?.card ?? null;
  }
  const scanned = proof.format === "openfelt.round_proof/3" ? proof.scanned : [];
  for (const { lies, position, card, corrected } of scanned) {
    proved[placeKey(lies, null, position)] = corrected ?? card;
  }
  for (const [place, card] of Object.entries(own.shown)) {
    // A live dealer may have corrected a card after the terminal was gone.
    const unsure = scanned.length > 0 && !place.startsWith("hand") && own.ended === null;
    if (!unsure && proved[place] !== card) return { what: "own_card", shown: card };
  }
  return null;
}

function ownSeedOf(seeds: RoundSeeds | null, own: OwnRound) {
  return seeds?.seeds.find(({ seat }) => seat === own.seat);
}

/** Whether the deal began without the seed of the terminal. */
function isUnused(proof: AnyProofForm, seeds: RoundSeeds | null, own: OwnRound): boolean {
  const given = ownSeedOf(seeds, own);
  const ours = given?.commitment === seedCommitment(`${proof.table}/${proof.number}`, own.seat, own.seed);
  return !ours || (given?.seed !== own.seed && seeds?.fixed !== null);
}

function isElsewhere(proof: AnyProofForm, seeds: RoundSeeds | null, own: OwnRound): boolean {
  const given = ownSeedOf(seeds, own);
  const ours = seedCommitment(`${proof.table}/${proof.number}`, own.seat, own.seed);
  return given !== undefined && given.commitment !== ours;
}

function seedProblem(
  proof: AnyProofForm,
  seeds: RoundSeeds | null,
  own: OwnRound,
): ProofProblem | null {
  if (!isUnused(proof, seeds, own)) return null;
  const given = ownSeedOf(seeds, own);
  const atFault = isElsewhere(proof, seeds, own)
    ? own.bound
    : given === undefined || own.revealed || own.here;
  return atFault ? { what: "own_seed" } : null;
}

/** Why a proof that holds is still of a round without the terminal's seed; null if it was used. */
export function unusedSeed(
  proof: AnyProofForm,
  seeds: RoundSeeds | null,
  own: OwnRound,
): Unused | null {
  if (!isUnused(proof, seeds, own)) return null;
  return isElsewhere(proof, seeds, own) ? "elsewhere" : "away";
}
