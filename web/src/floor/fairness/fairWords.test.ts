import { expect, test } from "vitest";
import { basisNote, chanceWords, oneInWords, percentWords, wagerName } from "./fairWords";

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

test("a comparison says what it rests on, and how many rounds it leaves out", () => {
  const exact = { wager: "trips", basis: "exact", unknown: null, left_out: 0 } as const;
  expect(basisNote(exact)).toBe("Exact: no decision matters.");
  expect(basisNote({ ...exact, unknown: "not_counted", left_out: 1 })).toBe(
    "Exact: no decision matters. 1 round is not compared: this paytable is not counted exactly.",
  );
  expect(basisNote({ wager: "progressive", basis: null, unknown: "meter", left_out: 4 })).toBe(
    "Not compared: its return moves with the meter; see the jackpots.",
  );
});

test("the stakes of a game are its Antes", () => {
  const best = { basis: "best_play", unknown: null, left_out: 0 } as const;
  expect(basisNote({ ...best, wager: "draw_game" })).toMatch(/counts as outside\. Stakes are the Antes\.$/);
  expect(basisNote({ ...best, wager: "bonus" })).toMatch(/counts as outside\.$/);
});

test("the games of both kinds have names of their own", () => {
  expect(new Set(["game", "draw_game", "trips"].map(wagerName)).size).toBe(3);
});
