// The chips that must lie on the felt before the first card.

import type { CommandAsked, FeltView, RoundView } from "../../protocol/messages";
import { amountCents } from "../wrong/irregularity.svelte";

interface FeltSums {
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
  const sum = (chosen: typeof wagers): number => chosen.reduce((cents, wager) => cents + wager.cents, 0);
  return {
    hands: hands.length,
    cents: sum(wagers),
    progressiveCents: sum(wagers.filter((wager) => wager.kind === "progressive")),
  };
}

/** A spot whose chips are counted, and what was booked there. */
interface SpotToCount {
  spot: string;
  booked: number;
}

/** The spots to count: every hand, and others where chips were found before. */
export function spotsToCount(round: RoundView, felt: FeltView | null): SpotToCount[] {
  const hands = Object.values(round.hands).map((hand) => ({
    spot: `${hand.seat}.${hand.hand}`,
    booked: hand.wagers.reduce((cents, wager) => cents + wager.cents, 0),
  }));
  const others = (felt?.spots ?? []).filter(({ spot }) => !(spot in round.hands));
  return [...hands, ...others.map(({ spot }) => ({ spot, booked: 0 }))];
}

/**
 * The count as it is sent. A field that is left empty says that the chips of the spot are right;
 * null if an amount cannot be read.
 */
export function countCommand(
  round: RoundView,
  spots: readonly SpotToCount[],
  typed: Readonly<Record<string, string>>,
): CommandAsked | null {
  const counted: Record<string, number> = {};
  for (const { spot, booked } of spots) {
    const text = (typed[spot] ?? "").trim();
    const cents = text === "" ? booked : /^0+([.,]0{1,2})?$/.test(text) ? 0 : amountCents(text);
    if (cents === null) return null;
    counted[spot] = cents;
  }
  return { kind: "count_felt", spots: counted, round: round.number };
}
