// What the game and its wagers return, sorted by who says so.

import type { HouseSheet } from "./api";

export type ReturnRow = HouseSheet["returns"][number];

export interface SortedReturns {
  /** Counted over all deals, the whole game first. */
  counted: ReturnRow[];
  /** Printed in the house's document. */
  printed: ReturnRow[];
  /** What nobody has counted: wagers of the house, or "game". */
  uncounted: string[];
  /** What is still being counted. */
  awaited: string[];
  /** Whether figures are still being counted, which takes seconds for each house. */
  pending: boolean;
}

function gameFirst(rows: ReturnRow[]): ReturnRow[] {
  return rows.toSorted((one, other) => Number(other.of === "game") - Number(one.of === "game"));
}

/** Only hold'em is counted. Ante, Blind and Play are what the game itself asks for. */
export function sortedReturns(house: Pick<HouseSheet, "game" | "returns" | "wagers">): SortedReturns {
  const counted = gameFirst(house.returns.filter((row) => row.source === "exact"));
  const printed = gameFirst(house.returns.filter((row) => row.source !== "exact"));
  const pending = counted.length === 0 && house.game === "ultimate_holdem";
  const extra = house.wagers.map((rule) => rule.kind).filter((kind) => kind !== "ante" && kind !== "blind");
  const known = new Set(counted.map((row) => row.of));
  const uncounted = pending ? [] : ["game", ...extra].filter((of) => !known.has(of));
  const awaited = pending ? ["game", ...extra.filter((kind) => kind !== "progressive")] : [];
  return { counted, printed, uncounted, awaited, pending };
}
