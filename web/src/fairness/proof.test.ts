import { describe, expect, it } from "vitest";
import type {
  AnyProofForm,
  BoundProofForm,
  RoundSeedsForm,
  SeededProofForm,
} from "../protocol/forms";
import { hexOf } from "./bytes";
import type { OwnRound } from "./own/ownRound";
import {
  isDraw,
  lacksSeeds,
  provenDecks,
  provenPlaces,
  sealedDecks,
  verifyCard,
  verifyRound,
  withSeeds,
} from "./proof";
import example from "./proof.example.json";
import example2 from "./proof2.example.json";
import example3 from "./proof3.example.json";
import exampleLive from "./proofLive.example.json";
import { sha256 } from "./sha256";

// A round of a stadium table, as its server proved it.
const proof = example as unknown as AnyProofForm;

function changed(change: (copy: AnyProofForm) => void): AnyProofForm {
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
      seeds: null,
      withheld: 0,
      unused: null,
      problem: null,
    });
  });

  it.each<[string, (copy: AnyProofForm) => void]>([
    ["another card", (copy) => Object.assign(shownCard(copy), { card: "2c" === shownCard(copy).card ? "3c" : "2c" })],
    ["another salt", (copy) => Object.assign(shownCard(copy), { salt: "00".repeat(32) })],
    ["another place in the deck", (copy) => Object.assign(shownCard(copy), { index: 51 })],
    ["a shorter path", (copy) => void shownCard(copy).path.pop()],
    ["a longer path", (copy) => void shownCard(copy).path.push("00".repeat(32))],
    ["another round", (copy) => Object.assign(copy, { number: copy.number + 1 })],
    ["another root", (copy) => copy.commitments.forEach((commitment) => (commitment.root = "00".repeat(32)))],
    ["no commitment", (copy) => Object.assign(copy, { commitments: [] })],
    ["a commitment after bets closed", (copy) => Object.assign(copy, { bets_closed_version: 1 })],
    ["another format", (copy) => Object.assign(copy, { format: "other" })],
  ])("does not hold with %s", async (_, change) => {
    expect((await verifyRound(changed(change))).ok).toBe(false);
  });

  it("says what does not hold", async () => {
    const problemOf = async (change: (copy: AnyProofForm) => void) =>
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

function shownCard(copy: AnyProofForm) {
  const shown = copy.cards.find((dealt) => dealt.proof)?.proof;
  if (!shown) throw new Error("the example shows no card");
  return shown;
}

const listOf = (copy: SeededProofForm) => {
  if (!copy.seeds.list) throw new Error("the example has no list of seeds");
  return copy.seeds.list;
};
const firstSeat = (copy: SeededProofForm) => Object.keys(listOf(copy).revealed)[0] ?? "";
const zeros = "00".repeat(32);

describe("a proof with seeds", () => {
  const seeded = example3 as unknown as SeededProofForm;
  const altered = (change: (copy: SeededProofForm) => void) => {
    const copy = structuredClone(seeded);
    change(copy);
    return verifyRound(copy);
  };

  it("holds", () => {
    const checked = verifyRound(seeded);
    expect(checked.problem).toBeNull();
    expect(checked.seeds).toBeGreaterThan(1);
    expect(checked.withheld).toBeGreaterThan(0);
    expect(seeded.passed.length).toBeGreaterThan(0);
  });

  it.each<[string, string, (copy: SeededProofForm) => void]>([
    ["another seed", "seeds", (copy) => (listOf(copy).revealed[firstSeat(copy)] = zeros)],
    ["a seed taken away", "seeds", (copy) => delete listOf(copy).revealed[firstSeat(copy)]],
    ["a withheld seed", "seeds", (copy) => (listOf(copy).withheld = {})],
    ["a seat listed twice", "seeds", (copy) => (listOf(copy).withheld[firstSeat(copy)] = zeros)],
    ["another digest", "seeds", (copy) => Object.assign(copy.seeds, { digest: zeros })],
    ["another mixture", "seeds", (copy) => Object.assign(copy.seeds, { mixed: zeros })],
    ["a call before bets closed", "seeds", (copy) => Object.assign(copy.seeds, { called_version: 1 })],
    ["no call", "seeds", (copy) => Object.assign(copy.seeds, { called_version: null, digest: null })],
    ["cards before the seeds", "seeds", (copy) => Object.assign(copy.seeds, { fixed_version: null })],
    ["a seed bound too late", "seeds", (copy) => Object.assign(copy.seeds, { bound_version: 10 ** 6 })],
    [
      "a root published after the first wager",
      "commitment",
      (copy) => copy.commitments.forEach((commitment) => (commitment.wager_version = commitment.version)),
    ],
    ["a deck of its own", "commitment", (copy) => void copy.commitments.pop()],
    ["a card left out", "order", (copy) => void copy.passed.shift()],
    ["two cards exchanged", "order", (copy) => void copy.cards.reverse()],
    ["a scanned card", "scanned", (copy) => void copy.scanned.push(scan)],
    ["another leaf", "card", (copy) => Object.assign(shownCard(copy), { index: 51 })],
    ["a hidden common card", "card", (copy) => Object.assign(copy.cards[0] ?? {}, { proof: null })],
  ])("does not hold with %s", (_, what, change) => {
    expect(altered(change).problem).toMatchObject({ what });
  });

  it("is checked against what the terminal knew before", () => {
    const seat = Number(firstSeat(seeded));
    const seed = listOf(seeded).revealed[seat] ?? "";
    const roots = Object.fromEntries(seeded.commitments.map(({ deck, root }) => [deck, root]));
    const own = knownOf(seat, seed, roots, { digest: seeded.seeds.digest, revealed: true });
    expect(verifyRound(seeded, own)).toMatchObject({ problem: null, unused: null });
    const wrong = (change: Partial<OwnRound>) => verifyRound(seeded, { ...own, ...change }).problem;
    const other = "11".repeat(32);
    expect(wrong({ seed: other, bound: true })).toEqual({ what: "own_seed" });
    expect(wrong({ digest: other })).toEqual({ what: "own_digest" });
    expect(wrong({ roots: {} })).toMatchObject({ what: "own_root" });
    expect(wrong({ shown: { "common  1": "xx" } })).toEqual({ what: "own_card", shown: "xx" });
    expect(verifyRound(seeded, { ...own, roots: { table: "22".repeat(32) } }).problem).toEqual({
      what: "own_root",
      deck: "table",
    });
    expect(verifyRound(proof, own).ok).toBe(false);
  });

  it("may come without its long list of seeds, which is a document of its own", () => {
    const list = listOf(seeded);
    const brief = { ...seeded, seeds: { ...seeded.seeds, list: null } };
    expect([lacksSeeds(brief), lacksSeeds(seeded), lacksSeeds(proof)]).toEqual([true, false, false]);
    expect(verifyRound(brief).problem).toEqual({ what: "list" });
    const { table, number } = seeded;
    const listed: RoundSeedsForm = { format: "openfelt.round_seeds/1", table, number, list };
    expect(withSeeds(brief, listed)).toEqual(seeded);
    expect(withSeeds(brief, { ...listed, number: number + 1 })).toEqual(brief);
  });

  it("of version 2 keeps holding", () => {
    const older = example2 as unknown as BoundProofForm;
    expect(verifyRound(older).problem).toBeNull();
    const late = structuredClone(older);
    late.seeds.seeds.forEach((seed) => (seed.version = 10 ** 6));
    expect(verifyRound(late).problem).toEqual({ what: "seeds", seat: null });
    const other = structuredClone(older);
    Object.assign(other.seeds.seeds.find(({ seed }) => seed !== null) ?? {}, { seed: zeros });
    expect(verifyRound(other).problem).toMatchObject({ what: "seeds" });
  });
});

const scan = { lies: "common", position: 1, version: 40, card: "2c", corrected: null } as const;

describe("a proof beside a live dealer", () => {
  const live = exampleLive as unknown as SeededProofForm;
  const altered = (change: (copy: SeededProofForm) => void) => {
    const copy = structuredClone(live);
    change(copy);
    return verifyRound(copy);
  };
  const scanned = (copy: SeededProofForm, at: number) => {
    const card = copy.scanned[at];
    if (!card) throw new Error("the example has no such card");
    return card;
  };

  it("holds for the hands, and lists the cards of the table", () => {
    expect(verifyRound(live).problem).toBeNull();
    expect(provenPlaces(live).map(({ lies, cards }) => [lies, cards.length])).toEqual([
      ["dealer", 2],
      ["common", 5],
      ["hand", 2],
      ["hand", 2],
      ["hand", 2],
    ]);
  });

  it.each<[string, string, (copy: SeededProofForm) => void]>([
    ["a card scanned after the seeds", "scanned", (copy) => (scanned(copy, 0).version = 10 ** 6)],
    ["a card scanned before bets closed", "scanned", (copy) => (scanned(copy, 0).version = 1)],
    ["a card scanned twice", "scanned", (copy) => (scanned(copy, 0).card = scanned(copy, 1).card)],
    ["a scanned card left out", "scanned", (copy) => void copy.scanned.pop()],
    ["scanned cards out of order", "scanned", (copy) => void copy.scanned.reverse()],
    ["a hidden common card", "scanned", (copy) => (scanned(copy, 0).card = null)],
    ["a hand with a scanned card", "card", (copy) => (scanned(copy, 6).card = shownCard(copy).card)],
    ["a virtual dealer", "commitment", (copy) => (copy.dealer = "virtual")],
  ])("does not hold with %s", (_, what, change) => {
    expect(altered(change).problem).toMatchObject({ what });
  });

  it("cannot stand for a table whose deck was sealed", () => {
    const roots = Object.fromEntries(live.commitments.map(({ deck, root }) => [deck, root]));
    const own = knownOf(1, listOf(live).revealed["1"] ?? "", roots);
    expect(verifyRound(live, own).problem).toBeNull();
    expect(verifyRound(live, { ...own, roots: { ...roots, table: zeros } }).problem).toEqual({
      what: "own_root",
      deck: "table",
    });
  });
});

function knownOf(
  seat: number,
  seed: string,
  roots: Record<string, string>,
  known: Partial<OwnRound> = {},
): OwnRound {
  const nothing = { digest: null, revealed: false, here: false, ended: null, shown: {} };
  return { seat, seed, roots, sent: true, bound: false, ...nothing, ...known };
}

describe("SHA-256", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    ["a".repeat(1000), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"],
  ])("is that of the standard: %#", (words, wanted) => {
    expect(hexOf(sha256(new TextEncoder().encode(words)))).toBe(wanted);
  });

  it("is the browser's own at every length", async () => {
    for (let length = 0; length < 200; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256);
      const wanted = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      expect(hexOf(sha256(bytes))).toBe(hexOf(wanted));
    }
  });
});

describe("what a proof is about", () => {
  it("names the decks from which cards were shown", () => {
    expect(provenDecks(proof).map((deck) => deck.deck)).toEqual(["table", "seat-1"]);
    const tableOnly = changed((copy) => {
      copy.cards = copy.cards.filter((dealt) => dealt.deck === "table");
    });
    expect(provenDecks(tableOnly).map((deck) => deck.deck)).toEqual(["table"]);
  });

  it("lists its cards by their places, each in the order in which they lie", () => {
    const mixed = changed((copy) => copy.cards.reverse());
    const places = provenPlaces(mixed);
    expect(places.slice(0, 2).map((place) => [place.lies, place.cards.length])).toEqual([
      ["dealer", 2],
      ["common", 5],
    ]);
    const spots = places.slice(2).map((place) => place.spot);
    expect(spots.toSorted()).toEqual(["1.1", "1.2"]);
    const common = proof.cards.filter((dealt) => dealt.lies === "common");
    const inOrder = common.toSorted((one, other) => one.position - other.position);
    expect(places[1]?.cards).toEqual(inOrder.map((dealt) => dealt.proof?.card ?? null));
  });

  it("tells draw poker by its procedure", () => expect(isDraw(proof)).toBe(false));
});

describe("sealed decks", () => {
  const roots = { "seat-7": "77", table: "aa", "seat-1": "11" };

  it("are the table's and the viewer's own", () => {
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

  it("are the table's alone for a visitor", () => {
    expect(sealedDecks(roots, null).map((deck) => deck.deck)).toEqual(["table"]);
  });
});
