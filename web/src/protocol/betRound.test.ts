import { describe, expect, it } from "vitest";
import { roundToBetOn } from "./betRound";

describe("the round that a bet is for", () => {
  it("is the one that takes bets, else the next", () => {
    const round = (phase: string) => ({ number: 7, phase }) as never;
    expect(roundToBetOn(null)).toBe(1);
    expect(roundToBetOn(round("wagering"))).toBe(7);
    expect(roundToBetOn(round("playing"))).toBe(7);
    expect(roundToBetOn(round("settled"))).toBe(8);
    expect(roundToBetOn(round("voided"))).toBe(8);
  });
});
