import { expect, it } from "vitest";
import type { FeltView, RoundView } from "../../protocol/messages";
import { countCommand, feltSums, spotsToCount } from "./feltSums";

const hand = (seat: number, ...cents: number[]) => ({
  seat,
  hand: 1,
  wagers: cents.map((amount, at) => ({ kind: at ? "progressive" : "ante", cents: amount })),
});
const round = { number: 7, hands: { "1.1": hand(1, 1000, 500), "2.1": hand(2, 2000) } } as unknown as RoundView;

it("sums up what must lie on the felt", () => {
  expect(feltSums(round)).toEqual({ hands: 2, cents: 3500, progressiveCents: 500 });
  expect(feltSums({ hands: {} } as RoundView)).toBeNull();
});

it("counts every hand, and takes an empty field as right", () => {
  const spots = spotsToCount(round, null);
  expect(spots).toEqual([
    { spot: "1.1", booked: 1500 },
    { spot: "2.1", booked: 2000 },
  ]);
  const sent = { kind: "count_felt", round: 7 };
  expect(countCommand(round, spots, {})).toEqual({ ...sent, spots: { "1.1": 1500, "2.1": 2000 } });
  expect(countCommand(round, spots, { "2.1": "12.50" })).toEqual({
    ...sent,
    spots: { "1.1": 1500, "2.1": 1250 },
  });
  expect(countCommand(round, spots, { "2.1": "0" })).toEqual({ ...sent, spots: { "1.1": 1500, "2.1": 0 } });
  expect(countCommand(round, spots, { "2.1": "twelve" })).toBeNull();
});

it("asks again for chips that were found where no hand is", () => {
  const felt = { spots: [{ spot: "4.1", counted_cents: 500, booked_cents: 0 }] } as FeltView;
  expect(spotsToCount(round, felt).at(-1)).toEqual({ spot: "4.1", booked: 0 });
});
