import { describe, expect, it } from "vitest";
import { differenceWords, percentWords } from "./moneyWords";

describe("the money of a shift in words", () => {
  it("has no percentage of nothing", () => {
    expect(percentWords(100, 0)).toBeNull();
    expect(percentWords(-25, 1000)).toBe("−2.5%");
  });

  it("says that a count is short or over, and nothing where nothing was compared", () => {
    expect(differenceWords(null)).toBeNull();
    expect(differenceWords(-500)).toBe("$5.00 short");
    expect(differenceWords(25)).toBe("$0.25 over");
    expect(differenceWords(0)).toBe("none");
  });
});
