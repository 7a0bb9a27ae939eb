import { describe, expect, it } from "vitest";
import type { RoundProofForm } from "../protocol/forms";
import { isDraw, provenDecks, provenPlaces, sealedDecks, verifyCard, verifyRound } from "./proof";
import example from "./proof.example.json";

// A round of a stadium table, as its server proved it.
const proof = example as unknown as RoundProofForm;

function changed(change: (copy: RoundProofForm) => void): RoundProofForm {
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

  it.each<[string, (copy: RoundProofForm) => void]>([
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

  it("says what does not hold", async () => {
    const problemOf = async (change: (copy: RoundProofForm) => void) =>
      (await verifyRound(changed(change))).problem;
    expect(await problemOf((copy) => Object.assign(copy, { format: "other" }))).toEqual({
      what: "format",
    });
    expect(await problemOf((copy) => Object.assign(copy, { bets_closed_version: 1 }))).toMatchObject({
      what: "commitment",
    });
    const first = proof.cards.find((dealt) => dealt.proof);
    expect(await problemOf((copy) => Object.assign(shownCard(copy), { salt: "00" }))).toMatchObject({
      what: "card",
      card: { lies: first?.lies, spot: first?.spot, position: first?.position },
      draw: false,
    });
  });

  it("needs a place within the deck", async () => {
    const card = { index: 52, card: "As", salt: "00".repeat(32), path: [] };
    expect(await verifyCard("00".repeat(32), "t/1", "table", card, 52)).toBe(false);
  });
});

function shownCard(copy: RoundProofForm) {
  const found = copy.cards.find((dealt) => dealt.proof)?.proof;
  if (!found) throw new Error("the example shows no card");
  return found;
}

describe("what a proof is about", () => {
  it("names the decks from which cards were shown", () => {
    expect(provenDecks(proof).map((one) => one.deck)).toEqual(["table", "seat-1"]);
    const tableOnly = changed((copy) => {
      copy.cards = copy.cards.filter((dealt) => dealt.deck === "table");
    });
    expect(provenDecks(tableOnly).map((one) => one.deck)).toEqual(["table"]);
  });

  it("lists its cards by their places, each in the order in which they lie", () => {
    const mixed = changed((copy) => copy.cards.reverse());
    const places = provenPlaces(mixed);
    expect(places.slice(0, 2).map((one) => [one.lies, one.cards.length])).toEqual([
      ["dealer", 2],
      ["common", 5],
    ]);
    const spots = places.slice(2).map((one) => one.spot);
    expect(spots.toSorted()).toEqual(["1.1", "1.2"]);
    const common = proof.cards.filter((dealt) => dealt.lies === "common");
    const inOrder = common.toSorted((one, other) => one.position - other.position);
    expect(places[1]?.cards).toEqual(inOrder.map((dealt) => dealt.proof?.card ?? null));
  });

  it("tells draw poker by the dealer's five cards", () => expect(isDraw(proof)).toBe(false));
});

describe("sealed decks", () => {
  const roots = { "seat-7": "77", table: "aa", "seat-1": "11" };

  it("are the table's and the own one", () => {
    expect(sealedDecks(roots, 7)).toEqual([
      { deck: "table", root: "aa", own: false },
      { deck: "seat-7", root: "77", own: true },
    ]);
  });

  it("may be told to their player alone", () => {
    expect(sealedDecks({ table: "aa" }, 3, "33")).toEqual([
      { deck: "table", root: "aa", own: false },
      { deck: "seat-3", root: "33", own: true },
    ]);
  });

  it("are the table's alone for whoever watches", () => {
    expect(sealedDecks(roots, null).map((one) => one.deck)).toEqual(["table"]);
  });
});
