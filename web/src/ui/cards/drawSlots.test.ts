import { describe, expect, it } from "vitest";
import { drawSlots, fromFive, onSpots } from "./drawSlots";

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

const FIVE = ["As", "Ah", "7c", "4d", "2h"];
const DRAW = ["Kc", "Qc", "Jc", "Tc", "9c"];

const lie = (...hand: Parameters<typeof drawSlots>) => drawSlots(...hand).map((slot) => slot.card);

describe("the cards of a hand", () => {
  it.each<[string, readonly string[] | null, readonly (string | null)[], readonly string[]]>([
    ["before the decision", null, DRAW, FIVE],
    ["before the draw cards are turned", ["As", "Ah"], [null, null, null, null, null], FIVE],
    ["before there are draw cards", ["As", "Ah"], [], FIVE],
    ["with two held", ["As", "Ah"], DRAW, ["As", "Ah", "Kc", "Qc", "Jc"]],
    ["with the third and fifth held", ["7c", "2h"], DRAW, ["Kc", "Qc", "7c", "Jc", "2h"]],
    ["with nothing held", [], DRAW, DRAW],
    ["with all five held", FIVE, DRAW, FIVE],
  ])("lie as they should %s", (_, held, common, wanted) => {
    expect(lie(FIVE, held, common)).toEqual(wanted);
  });

  it("are those of hold'em, which holds none", () => {
    expect(lie(["As", "Kd"], null, DRAW)).toEqual(["As", "Kd"]);
  });
});

describe("the spots of the draw cards", () => {
  it.each([
    ["draw", [null, null], [null, null, undefined, undefined, undefined]],
    ["draw_from_five", [null, null], [undefined, undefined, undefined, null, null]],
    ["draw_from_five", ["2c", "3c", "4c", "5c", "6c"], ["2c", "3c", "4c", "5c", "6c"]],
  ])("fill as %s lays them", (procedure, cards, spots) => {
    expect(onSpots(cards, 5, fromFive({ procedure }))).toEqual(spots);
  });
});
