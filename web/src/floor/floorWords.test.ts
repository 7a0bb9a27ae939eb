import { describe, expect, it } from "vitest";
import type { FloorFiguresView, FloorTable, FloorView } from "../protocol/forms";
import { changeSince, durationWords, holdWords, newAlerts, ratioWords, roundsAnHour, shownTables, stateWords } from "./floorWords";

const HOUR_MS = 3_600_000;

function figures(changes: Partial<FloorFiguresView> = {}): FloorFiguresView {
  return {
    rounds: 4,
    rounds_voided: 0,
    stakes_cents: 10_000,
    progressive_cents: 0,
    win_cents: 250,
    corrections: 0,
    holds: 0,
    hour_rounds: 4,
    hour_covers_ms: HOUR_MS,
    ...changes,
  };
}

function table(name: string, changes: Partial<FloorTable> = {}): FloorTable {
  return {
    table: name,
    house: "washington",
    house_name: "Washington",
    dealer_mode: "live",
    phase: "open",
    round_phase: null,
    round: 4,
    dealer: null,
    dealer_since_ms: null,
    players: 0,
    seats: 7,
    min_cents: 500,
    max_cents: 50_000,
    felt_cents: 0,
    link: null,
    meter_cents: null,
    player_banked: false,
    figures: figures(),
    alerts: [],
    ...changes,
  };
}

function view(tables: FloorTable[], supervisors: string[] = ["sue"]): FloorView {
  const totals = { rounds: 0, stakes_cents: 0, win_cents: 0, players: 0, alerts: 0, tables_missing: 0 };
  const alert_limits = { idle_minutes: 15, voids: 3, corrections: 10 };
  const vouchers = { vouchers_open: 0, vouchers_cents: 0 };
  return { at_ms: 0, day: "2026-01-01", supervisors, live_tables: 9, ...vouchers, tables, totals, unreadable: [], alert_limits, alerts_open: 0 };
}

describe("a figure", () => {
  it("is counted with a whole hour, and an estimate with less", () => {
    expect(roundsAnHour(figures())).toEqual({ rounds: 4, estimated: false });
    expect(roundsAnHour(figures({ hour_covers_ms: HOUR_MS / 4 }))).toEqual({ rounds: 16, estimated: true });
  });

  it("is missing and not zero where it is not known", () => {
    expect(roundsAnHour(figures({ hour_covers_ms: 1000, hour_rounds: 0 }))).toBeNull();
    expect(roundsAnHour(null)).toBeNull();
    expect(holdWords(null)).toBeNull();
    expect(holdWords(figures({ win_cents: null }))).toBeNull();
    expect(holdWords(figures({ stakes_cents: 0, win_cents: 0 }))).toBeNull();
  });

  it("has its sign and its unit", () => {
    expect(holdWords(figures())).toBe("2.5%");
    expect(holdWords(figures({ win_cents: -1234 }))).toBe("−12.3%");
    expect(durationWords(47 * 60_000)).toBe("47 min");
    expect(durationWords(2 * HOUR_MS + 5 * 60_000)).toBe("2 h 05 min");
  });
});

describe("the floor", () => {
  it("shows how many live tables each supervisor has", () => {
    expect(ratioWords(view([], ["sue", "sam"]))).toBe("1 : 4.5");
    expect(ratioWords(view([], []))).toBeNull();
  });

  it("lists tables with alerts first, by filter and search", () => {
    const idle = table("b-2", { alerts: [{ kind: "idle", count: null, since_ms: 0 }] });
    const tables = [table("a-1", { dealer: "dora" }), idle, table("c-3", { phase: "closed" })];
    const names = (filter: Parameters<typeof shownTables>[1], search = "") =>
      shownTables(tables, filter, search).map((line) => line.table);
    expect(names("all")).toEqual(["b-2", "a-1", "c-3"]);
    expect(names("open")).toEqual(["b-2", "a-1"]);
    expect(names("alerts")).toEqual(["b-2"]);
    expect(names("all", "DORA")).toEqual(["a-1"]);
  });

  it("tells of alerts that are new, and of none when it is first seen", () => {
    const idle = { kind: "idle", count: null, since_ms: 0 } as const;
    const before = view([table("a-1")]);
    const now = view([table("a-1", { alerts: [idle] })]);
    expect(newAlerts(null, now)).toEqual([]);
    expect(newAlerts(before, now)).toEqual([{ table: "a-1", alert: idle }]);
    expect(newAlerts(now, now)).toEqual([]);
  });

  it("shows what has changed since a checkpoint, and nothing where either is not known", () => {
    const kept = { rounds: 1, stakes_cents: 4_000, win_cents: 300, players: 2 };
    const checkpoint = { number: 1, at_ms: 0, by: "sue", note: "", day: "2026-01-01", tables: { "a-1": kept } };
    expect(changeSince(table("a-1"), checkpoint)).toEqual({ rounds: 3, stakes_cents: 6_000, win_cents: -50 });
    expect(changeSince(table("b-2"), checkpoint)).toBeNull();
    expect(changeSince(table("a-1", { figures: null }), checkpoint)).toBeNull();
    expect(changeSince(table("a-1"), null)).toBeNull();
  });

  it("says what a table is doing", () => {
    expect(stateWords(table("a-1", { phase: "paused" }))).toBe("Paused");
    expect(stateWords(table("a-1", { phase: "pausing", round_phase: "playing" }))).toContain("pauses");
  });
});
