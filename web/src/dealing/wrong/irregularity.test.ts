import { describe, expect, it } from "vitest";
import type { RulingView } from "../../protocol/messages";
import { amountCents, effectWords, flashedWords, grouped, IrregularityChoice, wrongWords } from "./irregularity.svelte";

function ruling(parts: Partial<RulingView>): RulingView {
  return {
    irregularity: "card_exposed",
    about: "hand",
    effect: "note_only",
    clause: "R.37",
    supervisor: false,
    flashed: [],
    ...parts,
  };
}

describe("an amount", () => {
  it.each([
    ["5", 500],
    ["12.5", 1250],
    ["0,05", 5],
    [" 1000.00 ", 100_000],
  ])("is read from %s", (typed, cents) => expect(amountCents(typed)).toBe(cents));
  it.each(["", "0", "0.00", "-5", "1.234", "5 dollars", "1e3", "."])("is none in %s", (typed) =>
    expect(amountCents(typed)).toBeNull(),
  );
});

describe("what went wrong", () => {
  it("needs a hand only where it is about one", () => {
    const choice = new IrregularityChoice();
    expect(choice.command(7)).toBeNull();
    choice.choose(ruling({}));
    expect(choice.command(7)).toBeNull();
    choice.spot = "2.1";
    expect(choice.command(7)).toEqual({
      kind: "irregularity",
      irregularity: "card_exposed",
      about: "hand",
      spot: "2.1",
      card: null,
      round: 7,
    });
  });

  it("takes the scanned card only where a card is replaced", () => {
    const choice = new IrregularityChoice();
    choice.choose(ruling({}));
    choice.scan("5d");
    expect(choice.card).toBeNull();
    choice.choose(ruling({ irregularity: "card_face_up", about: "deck", effect: "replace_card" }));
    expect(choice.command(1)).toBeNull();
    choice.scan("5d");
    expect(choice.command(1)).toMatchObject({ card: "5d", spot: null });
  });

  it("notes the chips, if they were counted", () => {
    const choice = new IrregularityChoice();
    choice.choose(ruling({ irregularity: "wager_late", about: "chips" }));
    expect([choice.anySpot, choice.needsSpot]).toEqual([true, true]);
    choice.spot = "4.1";
    expect(choice.command(1)).toMatchObject({ about: "chips", spot: "4.1" });
    choice.amount = "25";
    expect(choice.command(1)).toMatchObject({ cents: 2500 });
    choice.amount = "a few";
    expect(choice.command(1)).toBeNull();
  });

  it("is listed by what it is about", () => {
    const groups = grouped([
      ruling({ about: "chips" }),
      ruling({ about: "deck" }),
      ruling({ about: "common" }),
      ruling({}),
    ]);
    expect(groups.map(({ group, rulings }) => [group, rulings.length])).toEqual([
      ["cards", 2],
      ["hands", 1],
      ["chips", 1],
    ]);
  });

  it("forgets the last choice when the panel opens again", () => {
    const choice = new IrregularityChoice();
    choice.choose(ruling({}));
    choice.begin();
    expect([choice.open, choice.chosen]).toEqual([true, null]);
  });

  it("says how a misplaced card is put right", () => {
    const misplaced = ruling({ irregularity: "card_misplaced", about: "common" });
    expect(wrongWords(misplaced)).toBe("A common card is in the wrong place");
    expect(effectWords(misplaced)).toContain("Move the cards");
    expect(effectWords(ruling({}))).toBe("The round continues, and all wagers stay.");
  });
});

describe("an exposed card of the dealer", () => {
  it("says what seeing it is worth, in per cent and in money", () => {
    const flashed = [{ seen: "dealer_card", percent: "13.5922", ante_cents: 5_000, cents: 680 }];
    expect(flashedWords(ruling({ about: "dealer", flashed }))).toEqual([
      "One card of the dealer: 13.5922% of the Ante, $6.80 on the Antes of $50.00",
    ]);
  });
  it("says nothing where that is not known", () => {
    expect(flashedWords(ruling({ about: "common" }))).toEqual([]);
  });
});
