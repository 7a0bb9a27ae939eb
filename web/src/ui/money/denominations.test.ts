import { describe, expect, it } from "vitest";
import { countedCents, differenceWords, readCount, readPieces } from "./denominations";

describe("a count", () => {
  it("adds up pieces by denomination", () => {
    const count = readCount({ 10000: "5", 25: " 8 ", 1: "" });
    expect(count).toEqual([
      { denomination_cents: 10000, pieces: 5 },
      { denomination_cents: 25, pieces: 8 },
    ]);
    expect(countedCents(count ?? [])).toBe(50_200);
  });

  it.each(["x", "-1", "1.5", "1e3", "12345678"])("is none with %s pieces", (typed) => {
    expect(readPieces(typed)).toBeNull();
    expect(readCount({ 100: typed })).toBeNull();
  });

  it.each([
    [0, "none"],
    [-1000, "$10.00 short"],
    [1, "$0.01 over"],
  ])("differs from the book by %s cents in words", (cents, words) => {
    expect(differenceWords(cents)).toBe(words);
  });
});
