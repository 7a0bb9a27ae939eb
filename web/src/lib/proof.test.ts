import { describe, expect, it } from "vitest";
import example from "./proof.example.json";
import { verifyCard, verifyRound, type RoundProof } from "./proof";

// A round of a stadium table, as its server proved it.
const proof = example as unknown as RoundProof;

function changed(change: (copy: RoundProof) => void): RoundProof {
  const copy = structuredClone(proof);
  change(copy);
  return copy;
}

describe("a round's proof", () => {
  it("holds for every card that was shown", async () => {
    const shown = proof.cards.filter((dealt) => dealt.proof).length;
    expect(await verifyRound(proof)).toEqual({
      ok: true,
      cards: shown,
      hidden: proof.cards.length - shown,
      problem: null,
    });
  });

  it.each<[string, (copy: RoundProof) => void]>([
    ["another card", (copy) => Object.assign(shownCard(copy), { card: "2c" === shownCard(copy).card ? "3c" : "2c" })],
    ["another salt", (copy) => Object.assign(shownCard(copy), { salt: "00".repeat(32) })],
    ["another place in the deck", (copy) => Object.assign(shownCard(copy), { index: 51 })],
    ["a shorter path", (copy) => void shownCard(copy).path.pop()],
    ["a longer path", (copy) => void shownCard(copy).path.push("00".repeat(32))],
    ["another round", (copy) => Object.assign(copy, { number: copy.number + 1 })],
    ["another root", (copy) => copy.commitments.forEach((one) => (one.root = "00".repeat(32)))],
    ["no commitment", (copy) => Object.assign(copy, { commitments: [] })],
    ["a commitment after bets closed", (copy) => Object.assign(copy, { bets_closed_version: 1 })],
    ["another format", (copy) => Object.assign(copy, { format: "other" })],
  ])("does not hold with %s", async (_, change) => {
    expect((await verifyRound(changed(change))).ok).toBe(false);
  });

  it("needs a place within the deck", async () => {
    const card = { index: 52, card: "As", salt: "00".repeat(32), path: [] };
    expect(await verifyCard("00".repeat(32), "t/1", "table", card, 52)).toBe(false);
  });
});

function shownCard(copy: RoundProof) {
  const found = copy.cards.find((dealt) => dealt.proof)?.proof;
  if (!found) throw new Error("the example shows no card");
  return found;
}
