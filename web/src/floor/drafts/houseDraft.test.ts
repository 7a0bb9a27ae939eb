import { describe, expect, it } from "vitest";
import type { FigureLine, HouseDraftView } from "../../protocol/forms";
import { differs, draftOf, figureText, formOf, grouped, readMultiples, readPays, rowsOf } from "./houseDraft";

const VIEW: HouseDraftView = {
  house: "online",
  name: "Online",
  game: "ultimate_holdem",
  hands: ["pair", "high card"],
  ranks: ["A", "2"],
  qualifying: { hand: "pair", at_least: null },
  before_flop: [3, 4],
  on_flop: [2],
  on_river: [1],
  wagers: [
    { wager: { kind: "ante", min_cents: 500, max_cents: 150_000, step_cents: 250, paytable: null, rows: null }, tables: [] },
    {
      wager: { kind: "trips", min_cents: 500, max_cents: 5_000, step_cents: 500, paytable: "A", rows: null },
      tables: [
        { name: "A", labels: ["Flush", "Straight"], rows: [{ pays: "7 to 1", envy: 0 }, { pays: "4 to 1", envy: 0 }] },
        { name: "B", labels: ["Flush"], rows: [{ pays: "6 to 1", envy: 0 }] },
      ],
    },
  ],
};

describe("a draft of a house", () => {
  it("sends the house as it is, without rows, until one is changed", () => {
    const draft = draftOf(VIEW);
    expect([draft.wagers[0]?.most, draft.wagers[0]?.step]).toEqual(["1500", "2.50"]);
    const { form, wrong } = formOf(draft, VIEW);
    expect(wrong).toEqual([]);
    expect(form?.wagers).toEqual(VIEW.wagers.map((wager) => wager.wager));
    const trips = draft.wagers[1];
    if (trips?.rows[1]) trips.rows[1].pays = "3:2";
    expect(formOf(draft, VIEW).form?.wagers[1]?.rows).toEqual([
      { pays: "7 to 1", envy: 0 },
      { pays: "3 to 2", envy: 0 },
    ]);
  });

  it("begins again with the rows of another paytable", () => {
    const trips = VIEW.wagers[1];
    expect(trips && rowsOf(trips, "B")).toEqual([{ label: "Flush", pays: "6 to 1", envy: "" }]);
  });

  it("names the fields that hold nothing readable", () => {
    const draft = draftOf(VIEW);
    draft.beforeFlop = "three";
    if (draft.wagers[0]) draft.wagers[0].least = "-5";
    expect(formOf(draft, VIEW)).toEqual({ form: null, wrong: ["ante.least", "beforeFlop"] });
  });

  it("asks for the rank of a pair only", () => {
    const draft = { ...draftOf(VIEW), hand: "high card", atLeast: "4" };
    expect(formOf(draft, VIEW).form?.qualifying).toEqual({ hand: "high card", at_least: null });
  });

  it.each([
    ["3, 4", [3, 4]],
    ["4x 3x", [3, 4]],
    ["", []],
    ["0", null],
    ["1.5", null],
  ])("reads the multiples %j", (text, read) => {
    expect(readMultiples(text)).toEqual(read);
  });

  it.each([
    ["5", false, "5 to 1"],
    ["3 : 2", false, "3 to 2"],
    ["3 a 2", false, "3 to 2"],
    ["1,000 to 1", false, "1000 to 1"],
    ["much", false, "much"],
    ["10%", true, "10%"],
    ["300", true, "300"],
  ])("reads what %j pays", (text, progressive, read) => {
    expect(readPays(text, progressive)).toBe(read);
  });
});

describe("the figures of a draft", () => {
  it.each([
    ["2.1850", "percent", "2.1850%"],
    ["-0.1000", "percent", "−0.1000%"],
    ["+1.000000", "number", "+1.000000"],
    ["50500.0000", "dollars", "$50,500.00"],
    ["-0.1092", "dollars", "−$0.1092"],
  ])("writes %s %s as %s", (text, unit, written) => {
    expect(figureText(text, unit)).toBe(written);
  });

  const line = (of: string, draft: string | null): FigureLine => ({
    of,
    measure: "advantage",
    unit: "percent",
    multiple: null,
    draft: draft === null ? null : { decimal: draft, fraction: null },
    published: { decimal: "1.0000", fraction: null },
    difference: null,
    claimed: null,
  });

  it("are grouped by wager, the game first, and marked where they differ", () => {
    const lines = [line("trips", "2.0000"), line("game", "1.0000"), line("trips", null)];
    expect(grouped(lines).map((group) => [group.of, group.lines.length])).toEqual([["game", 1], ["trips", 2]]);
    expect(lines.map(differs)).toEqual([true, false, false]);
  });
});
