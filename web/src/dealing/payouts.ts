// What the dealer does with the chips of a settled round, hand by hand in the house's order.

import type { HandView, LineView, RoundView } from "../protocol/messages";

/** What is done with the chips of one wager. */
export type Act = "take" | "pay" | "push";

interface Payout {
  wager: string;
  forDealer: boolean;
  act: Act;
  stakeCents: number;
  /** What is paid from the rack, without the stake. */
  payCents: number;
  /** What is taken of the stake, where it is not the whole of it. */
  takenCents: number;
  line: LineView;
}

interface HandPayouts {
  spot: string;
  payouts: Payout[];
  /** What the dealer pays this hand from the rack, in all. */
  payCents: number;
}

/** One line of the settlement, as the dealer sees it. */
export function payoutOf(line: LineView): Payout {
  const takenCents = line.stake_cents - line.returned_cents;
  const act: Act = line.payout_cents > 0 ? "pay" : takenCents > 0 ? "take" : "push";
  return {
    wager: line.wager,
    forDealer: line.for_dealer,
    act,
    stakeCents: line.stake_cents,
    payCents: line.payout_cents,
    takenCents,
    line,
  };
}

/** The hands in the order in which the house settles them (R.14). */
export function settlementOrder(
  hands: HandView[],
  order: string,
  bankerSeat: number | null,
): HandView[] {
  const first = bankerSeat ?? 0;
  const before = (hand: HandView): number =>
    order === "from_bankers_left" && hand.seat <= first ? 1 : 0;
  const sorted = [...hands].sort(
    (a, b) => before(a) - before(b) || a.seat - b.seat || a.hand - b.hand,
  );
  return order === "right_to_left" ? sorted.reverse() : sorted;
}

/** Every hand's payouts, in order. */
export function payoutsOf(round: RoundView, order: string): HandPayouts[] {
  const hands = settlementOrder(Object.values(round.hands), order, round.banker_seat ?? null);
  return hands.map((hand) => {
    const payouts = hand.lines.map(payoutOf);
    return {
      spot: `${hand.seat}.${hand.hand}`,
      payouts,
      payCents: payouts.reduce((sum, payout) => sum + payout.payCents, 0),
    };
  });
}
