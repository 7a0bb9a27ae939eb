import { describe, expect, it } from "vitest";
import { applyPatch } from "./mergePatch";

// The examples of RFC 7396 that apply to objects.
const CASES: [unknown, unknown, unknown][] = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ a: "foo" }, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [{ cards: [null, null] }, { cards: ["As", null] }, { cards: ["As", null] }],
];

describe("a merge patch", () => {
  it.each(CASES)("turns %j by %j into %j", (before, patch, after) => {
    expect(applyPatch(before, patch)).toEqual(after);
  });

  it("leaves the view before it as it was", () => {
    const before = { round: { common: ["As"] } };
    applyPatch(before, { round: { common: [] } });
    expect(before).toEqual({ round: { common: ["As"] } });
  });
});
