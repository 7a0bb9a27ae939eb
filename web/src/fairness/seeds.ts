// The players' seeds: their commitments, and the order in which they let the decks be dealt.

import type { AnyProofForm, SeedListForm } from "../protocol/forms";
import { bytesOf, fourBytes, hashOf, withLengths } from "./bytes";
import { sha256 } from "./sha256";

/** A seed of one seat; null if it was withheld. */
interface GivenSeed {
  seat: number;
  commitment: string;
  seed: string | null;
}

/** The seeds of a round, whatever the version of its proof. */
export interface RoundSeeds {
  /** The number of the event with the last commitment to a seed. */
  bound: number | null;
  digest: string | null;
  called: number | null;
  fixed: number | null;
  /** The hash of all seeds, from which the dealing order follows; null without any seed. */
  mixed: string | null;
  /** In the order of the seats. */
  seeds: readonly GivenSeed[];
}

/** The seeds of a proof; null in a round without seeds, or if their list is elsewhere. */
export function roundSeeds(proof: AnyProofForm): RoundSeeds | null {
  const seeded = ["openfelt.round_proof/2", "openfelt.round_proof/3"].includes(proof.format);
  if (!seeded || proof.format === "openfelt.round_proof/1") return null;
  const { digest, called_version: called, fixed_version: fixed } = proof.seeds;
  const round = `${proof.table}/${proof.number}`;
  if (proof.format === "openfelt.round_proof/2") {
    const { seeds } = proof.seeds;
    const bound = seeds.length > 0 ? Math.max(...seeds.map(({ version }) => version)) : null;
    return { bound, digest, called, fixed, mixed: mixedSeeds(round, seeds), seeds };
  }
  const { bound_version: bound, mixed, list } = proof.seeds;
  if (list === null) return null;
  return { bound, digest, called, fixed, mixed, seeds: listedSeeds(round, list) };
}

function listedSeeds(round: string, { revealed, withheld }: SeedListForm): GivenSeed[] {
  const given = Object.entries(revealed).map(([seat, seed]) => ({
    seat: Number(seat),
    seed,
    commitment: seedCommitment(round, Number(seat), seed),
  }));
  const missing = Object.entries(withheld).map(([seat, commitment]) => ({
    seat: Number(seat),
    seed: null,
    commitment,
  }));
  return [...given, ...missing].toSorted((a, b) => a.seat - b.seat);
}

/** The hash that binds a seat to a seed for one round. */
export function seedCommitment(roundId: string, seat: number, seed: string): string {
  return hashOf(["openfelt.seed/1", roundId, String(seat), bytesOf(seed)]);
}

/** The hash of all commitments, with which the table calls the seeds. */
export function seedsDigest(roundId: string, seeds: readonly GivenSeed[]): string {
  const listed = seeds.flatMap(({ seat, commitment }) => [String(seat), bytesOf(commitment)]);
  return hashOf(["openfelt.seeds_called/1", roundId, ...listed]);
}

/** The hash from which the dealing order of every deck follows; null without any seed. */
export function mixedSeeds(roundId: string, seeds: readonly GivenSeed[]): string | null {
  if (!seeds.some(({ seed }) => seed !== null)) return null;
  const listed = seeds.flatMap(({ seat, commitment, seed }) => [
    String(seat),
    seed === null ? "withheld" : "revealed",
    bytesOf(seed ?? commitment),
  ]);
  return hashOf(["openfelt.seeds_mixed/1", roundId, ...listed]);
}

/** Draws numbers below a limit from SHA-256 over a beginning and a counter; no bias, no modulo. */
function drawer(start: Uint8Array[]): (limit: number) => number {
  let block = new Uint8Array(0);
  let used = 0;
  let counter = 0;
  return (limit) => {
    const mask = 2 ** Math.ceil(Math.log2(limit)) - 1;
    for (;;) {
      if (used === block.length) {
        block = sha256(...start, fourBytes(counter)) as Uint8Array<ArrayBuffer>;
        counter += 1;
        used = 0;
      }
      const drawn = (block[used] ?? 0) & mask;
      used += 1;
      if (drawn < limit) return drawn;
    }
  };
}

/** For each position of a deck, the leaf of its commitment that is dealt there. */
export function permutation(
  roundId: string,
  deck: string,
  root: string,
  count: number,
  mixed: string | null,
): number[] {
  const leaves = Array.from({ length: count }, (_, leaf) => leaf);
  if (mixed === null) return leaves;
  const parts = ["openfelt.permutation/1", roundId, deck, bytesOf(root), bytesOf(mixed)];
  const draw = drawer(withLengths(parts));
  for (let last = count - 1; last > 0; last -= 1) {
    const chosen = draw(last + 1);
    [leaves[last], leaves[chosen]] = [leaves[chosen] as number, leaves[last] as number];
  }
  return leaves;
}
