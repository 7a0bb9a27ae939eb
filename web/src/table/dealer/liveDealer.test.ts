import { describe, expect, it } from "vitest";
import { NOTHING_LAID, type Laid } from "../reveal";
import { closingWords, corrections, correctionWords } from "./liveDealer";

const LAID: Laid = {
  round: "t/1",
  fromFive: false,
  common: ["9h", "Js", null, null, null],
  dealer: [null, null],
  hands: { "1.1": ["As", "Ks"], "3.1": [null, null] },
};

describe("corrections", () => {
  it("are cards that were known and are others now", () => {
    const now = { ...LAID, common: ["9h", "Jd", null, null, null], hands: { ...LAID.hands, "1.1": ["As", "Kd"] } };
    expect(corrections(LAID, now, 1, false)).toEqual([
      { place: "board", seat: 0, number: 2, card: "Jd", before: "Js" },
      { place: "own", seat: 1, number: 2, card: "Kd", before: "Ks" },
    ]);
    expect(corrections(LAID, now, 2, true).map(({ place }) => place)).toEqual(["draw", "seat"]);
  });

  it("are not cards that are dealt or turned over, and not those of another round", () => {
    const turned = {
      ...LAID,
      common: ["9h", "Js", "2c", "3c", "4c"],
      dealer: ["Qd", "Qs"],
      hands: { ...LAID.hands, "3.1": ["7h", "7d"], "4.1": ["5h", "5d"] },
    };
    expect(corrections(LAID, turned, 1, false)).toEqual([]);
    expect(corrections(LAID, { ...turned, round: "t/2", common: ["Ac"] }, 1, false)).toEqual([]);
    expect(corrections(NOTHING_LAID, LAID, 1, false)).toEqual([]);
  });

  it("name the place and both cards", () => {
    expect(
      correctionWords({ place: "seat", seat: 3, number: 2, card: "Kd", before: "Ks" }),
    ).toBe("Card 2 of seat 3 has been corrected: king of diamonds, not king of spades.");
  });
});

it("says who has closed the bets, unless the clock may have", () => {
  expect(closingWords({ dealer: "Dora", clock_rule: null })).toBe("Dora pressed No more bets.");
  const clock = { wager_seconds: 20, decision_seconds: 20 };
  expect(closingWords({ dealer: "Dora", clock_rule: clock })).toBe("No more bets.");
  expect(closingWords({ dealer: null, clock_rule: null })).toBe("No more bets.");
});
