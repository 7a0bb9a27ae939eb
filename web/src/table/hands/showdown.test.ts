import { describe, expect, it } from "vitest";
import type { OwnHandView, RoundView } from "../../protocol/messages";
import { lightOf, showdown, shownShowdown } from "./showdown";

const cards = (text: string): string[] => text.split(" ").filter(Boolean);

function round(dealer: string, common: string, parts: Partial<RoundView> = {}): RoundView {
  return {
    number: 1,
    id: "t/1",
    phase: "settled",
    common: cards(common),
    dealer: cards(dealer),
    hands: {},
    hands_in_play: 1,
    hands_waited_for: 0,
    irregularities: [],
    ...parts,
  };
}

function own(held: string, parts: Partial<OwnHandView> = {}): OwnHandView {
  return {
    seat: 1,
    hand: 1,
    wagers: [],
    cards: cards(held),
    decisions: [],
    due: false,
    choices: [],
    may_hold: false,
    lines: [],
    void: false,
    fouled: false,
    ...parts,
  };
}

const BOARD = "Qs 4s 4d 7h Td";

describe("a showdown", () => {
  it("shows the five cards of the hand that wins, and those that name it", () => {
    const seen = showdown(round("6d 9c", BOARD), own("4c 9h"));
    expect(seen?.verdict).toBe("win");
    expect([...(seen?.plays ?? [])].sort()).toEqual(cards("4c 4d 4s Qs Td").sort());
    expect([...(seen?.makes ?? [])].sort()).toEqual(cards("4c 4d 4s").sort());
  });

  it("shows the dealer's where the dealer wins", () => {
    const seen = showdown(round("Qd Qh", BOARD), own("7c 7d"));
    expect(seen?.verdict).toBe("lose");
    expect([...(seen?.plays ?? [])].sort()).toEqual(cards("Qd Qh Qs 4s 4d").sort());
    expect(seen?.plays.has("7c")).toBe(false);
  });

  it("shows both in a tie", () => {
    const seen = showdown(round("Ad 2c", BOARD), own("Ah 3c"));
    expect(seen?.verdict).toBe("tie");
    expect(seen?.plays.has("Ad")).toBe(true);
    expect(seen?.plays.has("Ah")).toBe(true);
    expect(seen?.plays.has("3c")).toBe(false);
  });

  it("counts the held and the drawn cards in draw poker", () => {
    const dealt = round("2d 6h 2s 3d 7c", "Kh 3h 8c 7d Ts", { dealer_held: ["2d", "2s"] });
    const seen = showdown(dealt, own("Th Ks 4c 5d 9h", { held: ["Th", "Ks"] }));
    expect(seen?.verdict).toBe("win");
    expect([...(seen?.makes ?? [])].sort()).toEqual(["Kh", "Ks"]);
    expect([...(seen?.plays ?? [])].sort()).toEqual(cards("Kh Ks Th 3h 8c").sort());
  });

  it("counts all five where nothing was drawn", () => {
    const dealt = round("2d 6h 9s 3d 7c", "Kh 3h 8c 7d Ts", { dealer_held: [] });
    const five = cards("Th 9h 8h 7h 6c");
    const seen = showdown(dealt, own(five.join(" "), { held: five }));
    expect(seen?.verdict).toBe("win");
    expect(seen?.plays).toEqual(new Set(five));
  });

  it("is not there in draw poker where the dealer does not qualify", () => {
    const parts = { dealer_held: ["As", "Qs"], dealer_qualified: false };
    const dealt = round("As 5h 8s 2h Qs", "Jh Kh 2s Td 3c", parts);
    expect(showdown(dealt, own("6c 4d 9h 5c 2d", { held: ["6c", "9h"] }))).toBeNull();
    expect(showdown(round("6d 9c", BOARD, { dealer_qualified: false }), own("4c 9h"))).not.toBeNull();
  });

  it("lights what names the hand, and dims what has no part in it", () => {
    const seen = showdown(round("6d 9c", BOARD), own("4c 9h"));
    const lights = cards("4c Qs 7h 9h 6d").map((card) => lightOf(seen, card));
    expect(lights).toEqual(["lit", "plain", "dim", "dim", "dim"]);
    expect(lightOf(seen, null)).toBe("plain");
    expect(lightOf(null, "4c")).toBe("plain");
  });

  it("is not there before the end, after a fold, or while a card lies face down", () => {
    const hand = own("4c 9h");
    expect(showdown(round("6d 9c", BOARD, { phase: "playing" }), hand)).toBeNull();
    expect(showdown(round("6d 9c", BOARD, { phase: "voided" }), hand)).toBeNull();
    expect(showdown(round("", BOARD, { dealer: [null, null] }), hand)).toBeNull();
    expect(showdown(null, hand)).toBeNull();
    expect(showdown(round("6d 9c", BOARD), null)).toBeNull();
    const fold = { street: "on_river", decision: "fold", kind: "fold", by: "player" };
    expect(showdown(round("6d 9c", BOARD), own("4c 9h", { decisions: [fold] }))).toBeNull();
  });
});

describe("the board with several hands", () => {
  const end = round("6d 9c", BOARD);
  const hands = [
    { number: 1, view: own("4c 9h") },
    { number: 2, view: null },
    { number: 3, view: own("Ah 2c") },
  ];

  it("shows the marked hand's showdown", () => {
    expect(shownShowdown(end, hands, 3)?.number).toBe(3);
    expect(shownShowdown(end, hands, 1)?.number).toBe(1);
  });

  it("shows the first that was played where the marked one was not", () => {
    expect(shownShowdown(end, hands, 2)?.number).toBe(1);
    expect(shownShowdown(end, [{ number: 1, view: null }], 1)).toBeNull();
  });
});
