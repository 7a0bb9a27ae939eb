// What the game and its wagers return, sorted by who says so.

import type { HouseView, ReturnView } from "../../protocol/forms";

export interface SortedReturns {
  /** Counted over all deals, the whole game first. */
  counted: ReturnView[];
  /** Printed in the house's document. */
  printed: ReturnView[];
  /** What nobody has counted: wagers of the house, or "game". */
  uncounted: string[];
  /** What is still being counted. */
  awaited: string[];
  /** Whether figures are still being counted, which takes seconds for each house. */
  pending: boolean;
}

function gameFirst(rows: ReturnView[]): ReturnView[] {
  return rows.toSorted((one, other) => Number(other.of === "game") - Number(one.of === "game"));
}

/** Only hold'em is counted. Ante, Blind and Play are what the game itself asks for. */
export function sortedReturns(house: Pick<HouseView, "game" | "returns" | "wagers">): SortedReturns {
  const counted = gameFirst(house.returns.filter((row) => row.source === "exact"));
  const printed = gameFirst(house.returns.filter((row) => row.source !== "exact"));
  const pending = counted.length === 0 && house.game === "ultimate_holdem";
  const extra = house.wagers.map((rule) => rule.kind).filter((kind) => kind !== "ante" && kind !== "blind");
  const known = new Set(counted.map((row) => row.of));
  const uncounted = pending ? [] : ["game", ...extra].filter((of) => !known.has(of));
  const awaited = pending ? ["game", ...extra.filter((kind) => kind !== "progressive")] : [];
  return { counted, printed, uncounted, awaited, pending };
}
