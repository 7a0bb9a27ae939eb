import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { EndingView, HouseView, WagerTermsView } from "../../protocol/forms";
import { basisWords } from "../../words/vocabulary";
import { endingWords, exampleWords, offeredTerms, termGroups, termsAt } from "./terms";

const ending = (outcome: string, result: string): EndingView => ({ outcome, result, clause: "O.9" });

function terms(wager: string, values: Partial<WagerTermsView> = {}): WagerTermsView {
  return { wager, endings: [], example: null, reads: null, ...values };
}

const BLIND = terms("blind", {
  endings: [ending("blind.win", "win"), ending("blind.push", "push"), ending("blind.lose", "lose")],
  example: { stake_cents: 500, award: "Straight", pays: "1 to 1", payout_cents: 500, stake_returned: true },
});
const HOUSE = {
  dealer_qualifies: "pair or better",
  wagers: [{ kind: "ante" }, { kind: "blind" }],
  terms: [terms("ante"), BLIND, terms("play"), terms("progressive"), terms("envy"), terms("any")],
} as unknown as HouseView;

describe("the terms of a wager", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  it("say when it wins, pushes and loses, with the least hand that is paid", () => {
    expect(termGroups(BLIND).map((group) => group.result)).toEqual(["win", "push", "lose"]);
    const words = BLIND.endings.map((each) => endingWords(each, BLIND, HOUSE));
    expect(words[0]).toBe("You win with straight or better: the table of the Blind pays.");
    expect(words[1]).toBe("You win with less than straight.");
    settings.language = "es";
    expect(endingWords(ending("blind.push", "push"), BLIND, HOUSE)).toBe("Gana con menos de escalera.");
  });

  it("do not say that a pair or better is needed twice", () => {
    const board = terms("play_the_board", {
      example: { stake_cents: 100, award: "Pair - 10's or Better", pays: "1 to 1", payout_cents: 100, stake_returned: true },
    });
    expect(endingWords(ending("play_the_board.win", "win"), board, HOUSE)).toContain(
      "make pair of 10s or better.",
    );
  });

  it("tell an unqualified dealer of one game from that of the other", () => {
    const ante = terms("ante");
    expect(endingWords(ending("ante.not_qualified", "push"), ante, HOUSE)).toContain("even if your hand loses");
    expect(endingWords(ending("ante.not_qualified", "win"), ante, HOUSE)).toContain("half of the Ante");
  });

  it("have an example in money", () => {
    expect(exampleWords(BLIND)).toBe(
      "$5 on Blind with straight: 1 to 1 wins $5, and the stake comes back.",
    );
    const even = { stake_cents: 1000, award: null, pays: "1 to 1", payout_cents: 1000, stake_returned: true };
    expect(exampleWords(terms("ante", { example: even }))).toBe(
      "$10 on Ante wins $10, and the stake comes back.",
    );
    const forOne = { stake_cents: 100, award: "Flush", pays: "50 for 1", payout_cents: 5000, stake_returned: false };
    expect(exampleWords(terms("progressive", { example: forOne }))).toContain("pays $50, the stake included");
    expect(exampleWords(terms("envy"))).toBe("");
  });

  it("are shown for what the table offers, and for a circle with what is paid with it", () => {
    const names = (list: WagerTermsView[]) => list.map((each) => each.wager);
    expect(names(offeredTerms(HOUSE))).toEqual(["ante", "blind", "play", "any"]);
    expect(names(termsAt(HOUSE, "progressive"))).toEqual(["progressive", "envy", "any"]);
  });

  it("name the basis of a return", () => {
    expect(basisWords({ value: "99.4738%", basis: "staked" })).toBe("99.4738% of everything staked");
    expect(basisWords({ value: "96.5%", basis: "wager" })).toBe("96.5% of the wager");
    expect(basisWords({ value: "99.27%", basis: null })).toBe("99.27%, basis not stated");
  });
});
