import { describe, expect, it } from "vitest";
import { drawSlots } from "./drawSlots";

const CARDS = ["Kc", "2d", "Kh", "7s", "9c"];
const COMMON = ["Ah", "3s", "4d", "5c", "Jh"];
const lying = (held: string[] | null, common: (string | null)[]) =>
  drawSlots(CARDS, held, common).map((slot) => slot.card);

describe("a drawn hand", () => {
  it("has its draw cards where the discards were, from number 1 on", () => {
    expect(drawSlots(CARDS, ["Kc", "Kh"], COMMON)).toEqual([
      { card: "Kc", keeps: true, number: null },
      { card: "Ah", keeps: false, number: 1 },
      { card: "Kh", keeps: true, number: null },
      { card: "3s", keeps: false, number: 2 },
      { card: "4d", keeps: false, number: 3 },
    ]);
  });

  it("lies as it was dealt until the hand has decided", () => {
    expect(lying(null, COMMON)).toEqual(CARDS);
  });

  it("waits until every draw card that it takes is turned over", () => {
    expect(lying(["Kc", "Kh"], ["Ah", "3s", null, null, null])).toEqual(CARDS);
    expect(lying(["Kc", "Kh"], [])).toEqual(CARDS);
    expect(lying(["Kc", "Kh", "9c", "7s"], ["Ah", null, null, null, null])).toEqual([
      "Kc", "Ah", "Kh", "7s", "9c",
    ]);
  });

  it("is the dealt one where all five are kept, and the draw cards where none is", () => {
    expect(lying(CARDS, COMMON)).toEqual(CARDS);
    expect(lying([], COMMON)).toEqual(COMMON);
  });
});
