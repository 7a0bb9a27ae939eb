import { describe, expect, it } from "vitest";
import type { ReturnView } from "../../protocol/forms";
import { sortedReturns } from "./returns";

const row = (of: string, source: string, measure: ReturnView["measure"] = "return") => ({
  label: of,
  of,
  measure,
  value: "99%",
  source,
  basis: "wager" as const,
});

const rules = (...kinds: string[]) =>
  kinds.map((kind) => ({
    kind,
    words: kind,
    min_cents: 100,
    max_cents: 1000,
    multiple_of_cents: 100,
    requires: [],
    paytable: null,
    payout_aggregate_cents: null,
  }));

describe("returns", () => {
  it("keep what was counted apart from what a document prints, the whole game first", () => {
    const sorted = sortedReturns({
      wagers: rules("ante", "blind", "trips"),
      returns: [
        row("trips", "document", "advantage"),
        row("game", "document"),
        row("trips", "exact"),
        row("game", "exact"),
      ],
      returns_pending: false,
    });
    expect(sorted.counted.map((row) => row.of)).toEqual(["game", "trips"]);
    expect(sorted.printed.map((row) => row.of)).toEqual(["game", "trips"]);
    expect(sorted.uncounted).toEqual([]);
    expect(sorted.pending).toBe(false);
  });

  it("name what is not counted", () => {
    const sorted = sortedReturns({
      wagers: rules("ante", "blind", "trips", "progressive"),
      returns: [row("game", "exact"), row("trips", "exact")],
      returns_pending: false,
    });
    expect(sorted.uncounted).toEqual(["progressive"]);
    expect(sorted.awaited).toEqual([]);
  });

  it("say that nothing is counted once the server has found nothing to count", () => {
    const sorted = sortedReturns({
      wagers: rules("ante", "bonus"),
      returns: [row("bonus", "document", "advantage")],
      returns_pending: false,
    });
    expect(sorted).toMatchObject({ counted: [], uncounted: ["game", "bonus"], pending: false });
  });

  it("are on their way while the house is being counted", () => {
    const sorted = sortedReturns({
      wagers: rules("ante", "blind", "trips"),
      returns: [row("trips", "document", "advantage")],
      returns_pending: true,
    });
    expect(sorted).toMatchObject({ counted: [], uncounted: [], pending: true });
    expect(sorted.awaited).toEqual(["game", "trips"]);
  });
});
