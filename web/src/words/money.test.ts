import { describe, expect, it } from "vitest";
import { chipFigure, chipMoney, money, readMoney, signedMoney } from "./money";

describe("amounts", () => {
  it.each([
    [0, "$0.00"],
    [5, "$0.05"],
    [123456789, "$1,234,567.89"],
    [-1000, "−$10.00"],
  ])("%i cents are %s", (cents, words) => expect(money(cents)).toBe(words));

  it("leave out cents that are not there on chips and buttons", () => {
    expect(chipMoney(3000)).toBe("$30");
    expect(chipMoney(250)).toBe("$2.50");
    expect(signedMoney(3000)).toBe("+$30");
    expect(signedMoney(-3000)).toBe("−$30");
    expect(chipFigure(2500)).toBe("25");
    expect(chipFigure(100000)).toBe("1K");
  });

  it.each([
    ["10", 1000],
    ["$1,250.5", 125050],
    ["0.05", 5],
    ["ten", null],
    ["1.234", null],
    ["-5", null],
  ])("%s is read as %s cents", (text, cents) => expect(readMoney(text)).toBe(cents));
});
