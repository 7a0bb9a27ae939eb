import { describe, expect, it } from "vitest";
import type { WinToDropView } from "../../protocol/forms";
import { bandWords, differenceWords, percentWords } from "./moneyWords";

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

  it("says with what win to drop is compared, or why it is not", () => {
    const line: WinToDropView = {
      table: "pit-1",
      span: "day",
      first: "2026-01-31",
      last: "2026-01-31",
      days: 1,
      drop_cents: 100_000,
      win_cents: 20_000,
      days_before: 365,
      usual: 0.2,
      low: 0.1,
      high: 0.3,
      outside: false,
    };
    expect(bandWords(line)).toBe("10.0% to 30.0%");
    expect(bandWords({ ...line, usual: null, low: null, high: null, days_before: 12 })).toBe("not compared: 12 of 30 days with a drop");
    expect(bandWords({ ...line, drop_cents: 0, low: null, high: null })).toBe("not compared: no drop");
  });
});
