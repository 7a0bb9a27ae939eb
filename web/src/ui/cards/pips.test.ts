import { describe, expect, it } from "vitest";
import { corner, isCourt, parts, RANKS } from "../../protocol/cards";
import { pips } from "./pips";

describe("cards", () => {
  it("are two letters", () => expect(parts("Td")).toEqual({ rank: "T", suit: "d" }));

  it("write ten in figures", () => expect(corner("T")).toBe("10"));

  it("have as many pips as their rank says, and courts have none", () => {
    const counts = [...RANKS].map((rank) => pips(rank).length);
    expect(counts).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0, 0, 1]);
    expect([..."JQK"].every(isCourt)).toBe(true);
  });
});
