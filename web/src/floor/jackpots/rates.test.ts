import { expect, test } from "vitest";
import { readRates } from "./rates";

test("rates are read as they are typed", () => {
  expect(readRates("12.5 %", "$1,000", "")).toEqual({ percent: "12.5", seed_cents: 100_000, ceiling_cents: null });
  expect(readRates("25", "0", "50000.50")).toEqual({ percent: "25", seed_cents: 0, ceiling_cents: 5_000_050 });
});

test.each([
  ["", "1", ""],
  ["a", "1", ""],
  ["1.1234567", "1", ""],
  ["1", "", ""],
  ["1", "1", "x"],
])("%s, %s, %s are no rates", (percent, seed, ceiling) => {
  expect(readRates(percent, seed, ceiling)).toBeNull();
});
