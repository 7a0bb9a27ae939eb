import { describe, expect, it } from "vitest";
import type { ChipMoveView } from "../protocol/forms";
import { mayGive, mayReceive, mayRefuse, maySign } from "./signatures";

const MOVE: ChipMoveView = {
  table: "pit-1",
  number: 1,
  kind: "fill",
  count: [],
  cents: 500,
  by: "sue",
  by_supervisor: true,
  at_ms: 0,
  note: "",
  given_by: null,
  given_ms: null,
  slip: null,
};

describe("who signs for chips", () => {
  it("has the chip bank give a fill and the other side receive it", () => {
    expect(mayGive(MOVE, "cashier", "cal")).toBe(true);
    expect(mayGive(MOVE, "dealer", "dan")).toBe(false);
    const given = { ...MOVE, given_by: "cal" };
    expect(mayReceive(given, "dealer", "dan")).toBe(true);
    expect(mayReceive(given, "supervisor", "sam")).toBe(false);
    expect(mayReceive({ ...given, by: "dan", by_supervisor: false }, "supervisor", "sue")).toBe(true);
  });

  it("has the table give a credit and the chip bank receive it", () => {
    const credit: ChipMoveView = { ...MOVE, kind: "credit" };
    expect(mayGive(credit, "dealer", "dan")).toBe(true);
    expect(mayGive(credit, "cashier", "cal")).toBe(false);
    expect(mayReceive({ ...credit, given_by: "dan" }, "cashier", "cal")).toBe(true);
  });

  it("lets no person sign twice", () => {
    expect(mayGive({ ...MOVE, by: "cal" }, "cashier", "cal")).toBe(false);
    expect(mayReceive({ ...MOVE, given_by: "dan" }, "dealer", "dan")).toBe(false);
    const waiting = { number: 1, moment: "opening" as const, count: [], cents: 0, by: "dan", by_supervisor: false, at_ms: 0, reason: "" };
    expect(maySign(waiting, "dealer", "dan")).toBe(false);
    expect(maySign(waiting, "supervisor", "sue")).toBe(true);
  });

  it("leaves chips on their way to the chip bank", () => {
    expect(mayRefuse(MOVE, "supervisor", "sam")).toBe(true);
    expect(mayRefuse(MOVE, "dealer", "dan")).toBe(false);
    expect(mayRefuse({ ...MOVE, given_by: "cal" }, "supervisor", "sue")).toBe(false);
    expect(mayRefuse({ ...MOVE, given_by: "cal" }, "cashier", "cal")).toBe(true);
  });
});
