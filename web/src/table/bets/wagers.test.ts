import { describe, expect, it } from "vitest";
import type { WagerView } from "../../protocol/messages";
import {
  addChip, chipsFor, doubled, firstChip, repeatable, sameWagers, staked, takesWager, toSend, total, trayChips,
  type BetRules,
} from "./wagers";

const limits = (min: number, max: number) => ({
  min_cents: min,
  max_cents: max,
  multiple_of_cents: 100,
});

const HOUSE: BetRules = {
  wagers: [
    { kind: "ante", ...limits(1000, 10000) },
    { kind: "blind", ...limits(1000, 10000) },
    { kind: "trips", ...limits(100, 10000) },
    { kind: "progressive", ...limits(100, 100) },
  ],
  dealer_wagers: limits(100, 2000),
};

const wager = (kind: string, cents: number, for_dealer = false): WagerView => ({
  kind,
  cents,
  for_dealer,
});

describe("a chip on a circle", () => {
  it("places Ante and Blind together", () => {
    const changed = addChip(HOUSE, [], "ante", 2500);
    expect(changed).toMatchObject({ ok: true });
    if (changed.ok) expect(changed.wagers).toEqual([wager("ante", 2500), wager("blind", 2500)]);
  });

  it("goes up to the minimum at least, and says so", () => {
    const changed = addChip(HOUSE, [], "ante", 500);
    expect(changed).toMatchObject({ ok: true, raisedToMinimum: true });
    if (changed.ok) expect(staked(changed.wagers, "ante")).toBe(1000);
  });

  it("never goes beyond the maximum", () => {
    expect(addChip(HOUSE, [wager("trips", 9000)], "trips", 2500)).toEqual({
      ok: false,
      reason: "above_maximum",
      cents: 10000,
    });
  });

  it("is not taken where the hand would carry too many wagers, a Play to come included", () => {
    const house = { ...HOUSE, play: {}, wagers_per_hand_max: 4 };
    const both = [wager("ante", 1000), wager("blind", 1000)];
    expect(takesWager(house, both, "trips")).toBe(true);
    const full = [...both, wager("trips", 100)];
    expect(takesWager(house, full, "trips")).toBe(true);
    expect(takesWager(house, full, "progressive")).toBe(false);
    expect(takesWager({ ...house, wagers_per_hand_max: null }, full, "progressive")).toBe(true);
    expect(addChip(house, full, "progressive", 100)).toMatchObject({ ok: false, reason: "too_many" });
  });

  it("places a wager of one size once", () => {
    const once = addChip(HOUSE, [], "progressive", 2500);
    expect(once.ok && total(once.wagers)).toBe(100);
    expect(addChip(HOUSE, [wager("progressive", 100)], "progressive", 2500)).toMatchObject({
      ok: false,
      reason: "fixed",
    });
  });

  it("keeps the dealer's wagers apart, with limits of their own", () => {
    const changed = addChip(HOUSE, [wager("ante", 1000)], "trips", 1000, true);
    expect(changed.ok && changed.wagers).toEqual([wager("ante", 1000), wager("trips", 1000, true)]);
    expect(addChip(HOUSE, [], "trips", 2500, true)).toMatchObject({ reason: "above_maximum" });
  });

  it("is refused where the house has no such circle", () => {
    expect(addChip(HOUSE, [], "bonus", 1000)).toMatchObject({ reason: "not_offered" });
  });
});

describe("X2", () => {
  const placed = {
    "3.1": [wager("ante", 2000), wager("blind", 2000), wager("trips", 500)],
    "3.2": [wager("ante", 1000), wager("blind", 1000), wager("progressive", 100)],
  };

  it("doubles everything but wagers of one size", () => {
    const result = doubled(HOUSE, placed, 100_000);
    expect(result).toEqual({
      ok: true,
      placed: {
        "3.1": [wager("ante", 4000), wager("blind", 4000), wager("trips", 1000)],
        "3.2": [wager("ante", 2000), wager("blind", 2000), wager("progressive", 100)],
      },
    });
  });

  it("doubles nothing where one limit would be passed", () => {
    const high = { ...placed, "3.3": [wager("ante", 6000), wager("blind", 6000)] };
    expect(doubled(HOUSE, high, 100_000)).toMatchObject({ ok: false, reason: "above_maximum" });
  });

  it("doubles nothing where the credit is short", () => {
    expect(doubled(HOUSE, placed, 6499)).toMatchObject({ ok: false, reason: "credit_short" });
    expect(doubled(HOUSE, placed, 6500)).toMatchObject({ ok: true });
  });

  it("has nothing to double on an empty felt", () => {
    expect(doubled(HOUSE, {}, 1000)).toMatchObject({ reason: "nothing" });
  });
});

describe("what is sent", () => {
  it("leaves out Play and Blind, which follow from others", () => {
    const wagers = [wager("ante", 1000), wager("blind", 1000), wager("play", 4000)];
    expect(toSend(wagers)).toEqual([wager("ante", 1000)]);
  });

  it("is the same in any order", () => {
    const wagers = [wager("ante", 1000), wager("trips", 500)];
    expect(sameWagers(wagers, [...wagers].reverse())).toBe(true);
    expect(sameWagers(wagers, [wager("ante", 1000), wager("trips", 500, true)])).toBe(false);
  });

  it("repeats a game without its Play wager and without empty hands", () => {
    expect(
      repeatable({ "1.1": [wager("ante", 1000), wager("play", 4000)], "1.2": [wager("play", 1)] }),
    ).toEqual({ "1.1": [wager("ante", 1000)] });
  });
});

describe("stacks", () => {
  const STADIUM = [1000, 2500, 5000, 10000];

  it("are of the fewest chips that make up the stake", () => {
    expect(chipsFor(13500, STADIUM)).toEqual([10000, 2500, 1000]);
    // The largest first would leave out 5 dollars.
    expect(chipsFor(4000, STADIUM)).toEqual([1000, 1000, 1000, 1000]);
    expect(chipsFor(1100, [100, ...STADIUM])).toEqual([1000, 100]);
    expect(chipsFor(100_000, STADIUM)).toEqual(Array.from({ length: 10 }, () => 10000));
  });

  it("leave out what no chip makes up", () => {
    expect(chipsFor(50, [100])).toEqual([]);
    expect(chipsFor(4500, STADIUM)).toEqual([2500, 1000, 1000]);
    expect(chipsFor(1500, STADIUM)).toEqual([1000]);
  });
});

describe("the tray", () => {
  const rules = (ante: number, trips: number, chips_cents: number[]) => ({
    chips_cents,
    wagers: [
      { kind: "ante", min_cents: ante, max_cents: 10000, multiple_of_cents: 100 },
      { kind: "trips", min_cents: trips, max_cents: 10000, multiple_of_cents: 100 },
      { kind: "progressive", min_cents: 50, max_cents: 50, multiple_of_cents: 50 },
    ],
  });

  it("has one more chip where a wager may be smaller than every chip of the house", () => {
    expect(trayChips(rules(1000, 100, [1000, 2500]))).toEqual([100, 1000, 2500]);
    expect(trayChips(rules(1000, 1000, [1000, 2500]))).toEqual([1000, 2500]);
    expect(
      trayChips({
        ...rules(1000, 1000, [1000]),
        dealer_wagers: { min_cents: 100, max_cents: 1000, multiple_of_cents: 100 },
      }),
    ).toEqual([100, 1000]);
  });

  it("begins with the smallest chip that makes an Ante", () => {
    expect(firstChip(rules(500, 100, [100, 500, 2500]))).toBe(500);
    expect(firstChip(rules(1000, 100, [1000, 2500]))).toBe(1000);
    expect(firstChip(rules(5000, 100, [100, 500]))).toBe(500);
  });
});
