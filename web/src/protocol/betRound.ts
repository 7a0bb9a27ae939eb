// The number of the round that a player bets on.

import type { RoundView } from "./messages";

/** The round that a bet is for: the one that takes bets, or the next one. */
export function roundToBetOn(last: RoundView | null | undefined): number {
  if (!last) return 1;
  return last.phase === "settled" || last.phase === "voided" ? last.number + 1 : last.number;
}
