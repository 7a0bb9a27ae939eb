import { describe, expect, it } from "vitest";
import type { SeededProofForm } from "../../protocol/forms";
import { type OwnRound } from "./ownRound";
import { verifyRound } from "../proof";
import seeded3 from "../proof3.example.json";
import steeredExample from "../proofSteered.example.json";

// A round of a stadium: seats 1 and 3 gave seeds, and seat 2 withheld its own.
const proof = seeded3 as unknown as SeededProofForm;
// A round that its operator has steered, with a seed of a seat that the house does not have.
const steered = steeredExample as unknown as SeededProofForm;
const WITHHELD = "04".repeat(32);

/** What a terminal of the stadium knows of the round. */
function knownOf(seat: number, seed: string, known: Partial<OwnRound> = {}): OwnRound {
  const decks = proof.commitments.filter(({ deck }) => ["table", `seat-${seat}`].includes(deck));
  const roots = Object.fromEntries(decks.map(({ deck, root }) => [deck, root]));
  const nothing = { digest: null, revealed: false, here: false, ended: null, shown: {} };
  return { seat, seed, roots, sent: true, bound: true, ...nothing, ...known };
}

describe("the terminal's own seed in a proof", () => {
  it.each<[string, OwnRound, object]>([
    ["it was used", knownOf(1, "03".repeat(32)), { ok: true, unused: null }],
    ["it was away", knownOf(2, WITHHELD), { ok: true, unused: "away" }],
    ["it was there", knownOf(2, WITHHELD, { here: true }), { problem: { what: "own_seed" } }],
    ["it was accepted", knownOf(2, WITHHELD, { revealed: true }), { problem: { what: "own_seed" } }],
    ["another one is bound", knownOf(1, "09".repeat(32)), { problem: { what: "own_seed" } }],
    [
      "another device was first",
      knownOf(1, "09".repeat(32), { bound: false }),
      { ok: true, unused: "elsewhere" },
    ],
    [
      "other seeds than were called",
      knownOf(1, "03".repeat(32), { digest: "00".repeat(32) }),
      { problem: { what: "own_digest" } },
    ],
  ])("says so: %s", (_, own, expected) => {
    expect(verifyRound(proof, own)).toMatchObject(expected);
  });

  it("checks the roots, whosever the seed is", () => {
    for (const bound of [true, false]) {
      const own = knownOf(1, "09".repeat(32), { bound, roots: {} });
      expect(verifyRound(proof, own).problem).toEqual({ what: "own_root", deck: "table" });
    }
  });

  it("is not needed in a round that was void before its deal", () => {
    const seeds = { ...proof.seeds, digest: null, called_version: null, fixed_version: null };
    const voided = { ...proof, seeds, ended: "voided" as const, cards: [], passed: [] };
    expect(verifyRound(voided, knownOf(2, WITHHELD, { here: true }))).toMatchObject({
      ok: true,
      unused: null,
    });
  });
});

describe("the cards on the felt", () => {
  const board = proof.cards.filter(({ lies }) => lies === "common");
  const felt = Object.fromEntries(
    board.map(({ position, proof: opened }) => [`common  ${position}`, opened?.card ?? ""]),
  );

  it("are those of the proof", () => {
    const own = knownOf(1, "03".repeat(32), { shown: felt });
    expect(verifyRound(proof, own).problem).toBeNull();
    const other = felt["common  1"] === "2c" ? "2d" : "2c";
    const shown = { ...felt, "common  1": other };
    expect(verifyRound(proof, { ...own, shown }).problem).toEqual({ what: "own_card", shown: other });
  });
});

describe("the seats of the seeds", () => {
  it("are seats that played", () => {
    expect(verifyRound(steered).problem).toEqual({ what: "seat", seat: 2 });
    const house = { seats: 7, bank: "player" };
    expect(verifyRound({ ...steered, house: "own" }, null, { house }).ok).toBe(true);
    expect(verifyRound({ ...steered, house: "own" }).ok).toBe(true);
    const unbanked = { seats: 7, bank: "house" };
    expect(verifyRound({ ...steered, house: "own" }, null, { house: unbanked }).ok).toBe(false);
    const small = { seats: 2, bank: "house" };
    expect(verifyRound(proof, null, { house: small }).problem).toEqual({ what: "seat", seat: 3 });
  });

  it("are of the round that was asked for", () => {
    const { table, number } = proof;
    expect(verifyRound(proof, null, { table, number }).ok).toBe(true);
    for (const asked of [{ table, number: 2 }, { table: "other", number }]) {
      expect(verifyRound(proof, null, asked).problem).toEqual({ what: "other_round" });
    }
  });
});
