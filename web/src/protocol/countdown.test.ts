import { expect, it } from "vitest";
import { timeLeft } from "./countdown.svelte";

it.each([
  { endsAt: null, now: 7, total: 15_000, left: 0 },
  { endsAt: 20_000, now: 9_000, total: 15_000, left: 11_000 },
  { endsAt: 20_000, now: 30_000, total: 15_000, left: 0 },
  // The time of the clock before, an hour ago.
  { endsAt: 3_620_000, now: 5_000, total: 15_000, left: 15_000 },
])("has $left ms left", ({ endsAt, now, total, left }) => {
  expect(timeLeft(endsAt, now, total)).toBe(left);
});
