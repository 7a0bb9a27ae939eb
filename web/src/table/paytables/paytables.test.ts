import { describe, expect, it } from "vitest";
import type { LineView, WhyView } from "../../protocol/messages";
import { markedRows, shownKind, type NamedTable } from "./paytables";

const table = (kind: string, ...rows: [label: string, pays: string, envy?: string][]): NamedTable => ({
  kind,
  paytable: {
    name: kind.toUpperCase(),
    rows: rows.map(([label, pays, envy]) => ({ label, pays, envy: envy ?? null })),
  },
});

const TABLES = [
  table("trips", ["Straight Flush", "40 to 1"], ["Flush", "7 to 1"], ["Straight", "4 to 1"]),
  table("blind", ["Straight Flush", "50 to 1"], ["Flush", "3 to 2"], ["Straight", "1 to 1"]),
  table("ultimate_pairs", ["A-A", "30 to 1"], ["Ace / Face", "5 to 1"], ["Pair", "5 to 1"]),
  table("bad_beat", ["Four-of-a-Kind", "500 to 1"], ["Flush", "25 to 1"]),
  table("progressive", ["Royal Flush", "100% of the meter", "400 for 1"], ["Flush", "40 for 1"]),
];

function line(wager: string, why: WhyView, cents: number, parts: Partial<LineView> = {}): LineView {
  return {
    wager,
    for_dealer: false,
    stake_cents: 1000,
    returned_cents: 0,
    payout_cents: cents,
    result: cents ? "win" : "lose",
    outcome: `${wager}.${cents ? "win" : "lose"}`,
    why,
    clause: "",
    because: "",
    ...parts,
  };
}

// A line of a settled wager, and the row that it marks.
const LINES: readonly [string, LineView, string | null][] = [
  ["a win", line("trips", { hand: "Flush, ace high", pays: "7 to 1" }, 7000), "Flush"],
  ["a loss", line("trips", { hand: "Pair of tens" }, 0), null],
  ["a straight and no straight flush", line("trips", { hand: "Straight, ten high", pays: "4 to 1" }, 4000), "Straight"],
  ["a hand that was not paid", line("blind", { hand: "Flush, ace high", dealer_hand: "Full house, twos over kings" }, 0), "Flush"],
  ["a hand that reached no row", line("blind", { hand: "Pair of tens", dealer_hand: "Pair of aces" }, 0), null],
  ["a hand that was given up", line("blind", {}, 0, { outcome: "blind.fold" }), null],
  ["two rows that pay the same", line("ultimate_pairs", { award: "Pair", pays: "5 to 1" }, 5000), "Pair"],
  ["the dealer's beaten hand", line("bad_beat", { dealer_hand: "Flush, king high", pays: "25 to 1" }, 25_000), "Flush"],
  ["a label with hyphens", line("bad_beat", { hand: "Four of a kind, sixes", pays: "500 to 1" }, 500_000), "Four-of-a-Kind"],
  ["a share of the meter", line("progressive", { hand: "Royal flush", pays: "100% of the meter", meter_cents: 9 }, 9), "Royal Flush"],
  ["Envy", line("envy", { seat: 4, award: "Royal Flush", pays: "400 for 1" }, 40_000), "Royal Flush"],
  ["a wager for the dealer", line("trips", { hand: "Flush, ace high", pays: "7 to 1" }, 7000, { for_dealer: true }), null],
];

describe("the row of a paytable", () => {
  it.each(LINES)("is marked for %s", (_, settled, wanted) => {
    const marks = Object.values(markedRows(TABLES, [{ number: 1, view: { lines: [settled] } }])).flat();
    expect(marks.map((mark) => mark.label)).toEqual(wanted === null ? [] : [wanted]);
    expect(marks.map((mark) => mark.cents)).toEqual(wanted === null ? [] : [settled.payout_cents]);
  });

  it("names every hand that reached it, and what they were paid in all", () => {
    const flush = line("trips", { hand: "Flush, ace high", pays: "7 to 1" }, 7000);
    const marks = markedRows(TABLES, [
      { number: 1, view: { lines: [flush] } },
      { number: 2, view: { lines: [line("trips", { hand: "Pair of tens" }, 0)] } },
      { number: 3, view: { lines: [flush] } },
    ]);
    expect(marks).toEqual({ trips: [{ label: "Flush", hands: [1, 3], cents: 14_000 }] });
  });

  it("is marked no more once the next round has begun", () => {
    expect(markedRows(TABLES, [{ number: 1, view: { lines: [] } }])).toEqual({});
    expect(markedRows(TABLES, [{ number: 1, view: null }])).toEqual({});
  });
});

describe("the paytable beside the felt", () => {
  const paid = {
    trips: [{ label: "Flush", hands: [1], cents: 7000 }],
    blind: [{ label: "Flush", hands: [1], cents: 1500 }],
  };
  const unpaid = { blind: [{ label: "Flush", hands: [1], cents: 0 }] };

  it("is the first until something is picked or paid", () => {
    expect(shownKind(TABLES, null, "t/1", {})).toBe("trips");
    expect(shownKind(TABLES, null, "t/1", unpaid)).toBe("trips");
    expect(shownKind([], null, null, {})).toBeNull();
  });

  it("is the one that paid most", () => {
    const most = { ...paid, blind: [{ label: "Flush", hands: [1], cents: 9000 }] };
    expect(shownKind(TABLES, null, "t/1", paid)).toBe("trips");
    expect(shownKind(TABLES, null, "t/1", most)).toBe("blind");
  });

  it("stays where the player has put it in the same round", () => {
    expect(shownKind(TABLES, { kind: "bad_beat", round: "t/1" }, "t/1", paid)).toBe("bad_beat");
  });

  it("comes back to the player's pick after another round has paid", () => {
    const picked = { kind: "bad_beat", round: "t/1" };
    expect(shownKind(TABLES, picked, "t/2", paid)).toBe("trips");
    expect(shownKind(TABLES, picked, "t/3", {})).toBe("bad_beat");
  });
});
