// The chips that must lie on the felt before the first card.

import type { RoundView } from "../../protocol/messages";

export interface FeltSums {
  hands: number;
  cents: number;
  /** What of it is in the progressive. */
  progressiveCents: number;
}

/** The sums of the wagers; null where the hands lie at terminals, and no chips on the felt. */
export function feltSums(round: RoundView): FeltSums | null {
  const hands = Object.values(round.hands);
  if (!hands.length) return null;
  const wagers = hands.flatMap((hand) => hand.wagers);
  const sum = (chosen: typeof wagers): number => chosen.reduce((cents, one) => cents + one.cents, 0);
  return {
    hands: hands.length,
    cents: sum(wagers),
    progressiveCents: sum(wagers.filter((wager) => wager.kind === "progressive")),
  };
}
