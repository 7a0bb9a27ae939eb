import { expect, test } from "vitest";
import { amountWords, usedShare } from "./limitWords";

test("amounts are money, or a time in hours and minutes", () => {
  expect(amountWords("loss", 12_050)).toBe("$120.50");
  expect(amountWords("time", 59)).toBe("59 min");
  expect(amountWords("time", 65)).toBe("1 h 05 min");
});

test.each([
  [{ most: null, used: 500 }, 0],
  [{ most: 1000, used: 250 }, 0.25],
  [{ most: 1000, used: 5000 }, 1],
  [{ most: 1000, used: -5000 }, 0],
  [{ most: 0, used: 0 }, 1],
])("of %o the share %d is used", (line, share) => {
  expect(usedShare(line)).toBe(share);
});
