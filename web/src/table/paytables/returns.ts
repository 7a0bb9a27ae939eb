// The returns of the game and its wagers, sorted by source.

import type { HouseView, ReturnView } from "../../protocol/forms";

interface SortedReturns {
  /** Calculated over all deals, the whole game first. */
  counted: ReturnView[];
  /** Published in the house's document. */
  printed: ReturnView[];
  /** Wagers of the house, or "game", that have not been calculated. */
  uncounted: string[];
  /** What is still being calculated. */
  awaited: string[];
  /** Whether figures are still being calculated, which takes seconds for each house. */
  pending: boolean;
}

function gameFirst(rows: ReturnView[]): ReturnView[] {
  return rows.toSorted((a, b) => Number(b.of === "game") - Number(a.of === "game"));
}

/** Ante, Blind and Play belong to the game itself. */
export function sortedReturns(house: Pick<HouseView, "returns" | "returns_pending" | "wagers">): SortedReturns {
  const counted = gameFirst(house.returns.filter((row) => row.source === "exact"));
  const printed = gameFirst(house.returns.filter((row) => row.source !== "exact"));
  const pending = house.returns_pending;
  const extra = house.wagers.map((rule) => rule.kind).filter((kind) => kind !== "ante" && kind !== "blind");
  const figures = new Set(counted.map((row) => row.of));
  const uncounted = pending ? [] : ["game", ...extra].filter((of) => !figures.has(of));
  const awaited = pending ? ["game", ...extra.filter((kind) => kind !== "progressive")] : [];
  return { counted, printed, uncounted, awaited, pending };
}
