import { expect, test } from "vitest";
import { exactMoney } from "./exactMoney";

test.each([
  ["0", "$0.00"],
  ["1000025.75", "$10,000.2575"],
  ["-12.5", "−$0.125"],
  ["7", "$0.07"],
])("%s cents is %s", (cents, words) => {
  expect(exactMoney(cents)).toBe(words);
});
