import { describe, expect, it } from "vitest";
import type { LogEntryView } from "../protocol/forms";
import { changes, dayMs, percent, serverBus } from "./auditWords";

function entry(fields: Record<string, unknown>): LogEntryView {
  return { at_ms: 0, stream: "link/main", version: 2, name: "x", actor: "", terminal: "", why: "", fields };
}

describe("the words of the auditor's page", () => {
  it("put the values before beside those after", () => {
    const after = entry({ seed_cents: 500, note: "Quiet week" });
    expect(changes(after, { seed_cents: 1000, other: 1 })).toEqual([
      { name: "seed_cents", before: "1000", after: "500" },
      { name: "note", before: null, after: "Quiet week" },
    ]);
    expect(changes(after, {})[0]).toEqual({ name: "seed_cents", before: null, after: "500" });
  });

  it("read days and progress", () => {
    expect(dayMs("1970-01-02")).toBe(86_400_000);
    expect(dayMs("1970-01-02", 1)).toBe(2 * 86_400_000);
    expect(dayMs("")).toBeNull();
    expect([percent(0, 0), percent(1, 3), percent(9, 3)]).toEqual([0, 33, 100]);
  });
});

describe("how a server reaches the bus", () => {
  it.each([
    ["connected", "Connected to the bus"],
    ["lost", "Has lost the bus"],
    ["none", "Works without a bus"],
    ["another state", "another state"],
  ])("%s", (state, words) => {
    expect(serverBus(state)).toBe(words);
  });
});
