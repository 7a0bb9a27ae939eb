import { expect, test } from "vitest";
import { chanceWords, oneInWords, percentWords } from "./fairWords";

test.each([
  [0.2, "1"],
  [7.9, "7"],
  [347, "340"],
  [12_345, "12,000"],
  [3e8, "10^8"],
])("%d is told as %s", (number, words) => {
  expect(oneInWords(number)).toBe(words);
});

test("chances and parts are told in percent, and small ones as one in so many", () => {
  expect(chanceWords(0.034)).toBe("3.4%");
  expect(chanceWords(0.0001)).toContain("10,000");
  expect(percentWords(5, 200)).toBe("2.50%");
  expect(percentWords(5, 0)).toBe("—");
});
