import { describe, expect, it } from "vitest";
import type { HandView, LineView, RoundView } from "../protocol/messages";
import { cutChips } from "./chipCut";
import { payoutOf, payoutsOf, settlementOrder } from "./payouts";

function line(stake: number, returned: number, payout: number): LineView {
  return {
    wager: "ante",
    for_dealer: false,
    stake_cents: stake,
    returned_cents: returned,
    payout_cents: payout,
  } as unknown as LineView;
}

function hand(seat: number, lines: LineView[] = []): HandView {
  return { seat, hand: 1, lines } as unknown as HandView;
}

describe("cutChips", () => {
  it("takes the largest chips first, and coins for the rest", () => {
    expect(cutChips(13_250, [500, 2_500, 10_000])).toEqual([
      { cents: 10_000, count: 1 },
      { cents: 2_500, count: 1 },
      { cents: 500, count: 1 },
      { cents: 250, count: 1 },
    ]);
    expect(cutChips(0, [100])).toEqual([]);
  });

  it("adds up to the amount, whatever it is", () => {
    for (let cents = 0; cents < 60_000; cents += 37) {
      const sum = cutChips(cents, [100, 500, 2_500, 10_000]).reduce(
        (total, stack) => total + stack.cents * stack.count,
        0,
      );
      expect(sum).toBe(cents);
    }
  });
});

describe("payouts", () => {
  it("says take, pay or push", () => {
    expect(payoutOf(line(500, 0, 0)).act).toBe("take");
    expect(payoutOf(line(500, 500, 750))).toMatchObject({ act: "pay", payCents: 750 });
    expect(payoutOf(line(500, 500, 0)).act).toBe("push");
    expect(payoutOf(line(500, 200, 0))).toMatchObject({ act: "take", takenCents: 300 });
  });

  it("goes around the table as the house does", () => {
    const hands = [hand(3), hand(1), hand(5)];
    const seats = (order: string, banker: number | null): number[] =>
      settlementOrder(hands, order, banker).map((hand) => hand.seat);
    expect(seats("right_to_left", null)).toEqual([5, 3, 1]);
    expect(seats("left_to_right", null)).toEqual([1, 3, 5]);
    expect(seats("from_bankers_left", 3)).toEqual([5, 1, 3]);
  });

  it("adds up what each hand is paid", () => {
    const round = {
      hands: { "1.1": hand(1, [line(500, 500, 500), line(500, 500, 750)]), "2.1": hand(2, [line(500, 0, 0)]) },
    } as unknown as RoundView;
    expect(payoutsOf(round, "right_to_left").map((payout) => [payout.spot, payout.payCents])).toEqual([
      ["2.1", 0],
      ["1.1", 1_250],
    ]);
  });
});
