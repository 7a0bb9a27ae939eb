// A frozen round as the export of a dispute has it.

import type { ReplayStep } from "../../protocol/messages";

export interface FrozenRound {
  house: string;
  fingerprint: string;
  proof_missing: string | null;
  views: {
    dealer: ReplayStep[];
    seats: Record<string, { player: string | null; steps: ReplayStep[] }>;
  };
}

export interface FrozenView {
  /** 0 for the dealer. */
  seat: number;
  player: string;
  steps: ReplayStep[];
}

/** The frozen views, the dealer's first and then those of the seats in order. */
export function frozenViews(frozen: FrozenRound): FrozenView[] {
  const seats = Object.entries(frozen.views.seats)
    .map(([seat, { player, steps }]) => ({ seat: Number(seat), player: player ?? "", steps }))
    .sort((one, other) => one.seat - other.seat);
  return [{ seat: 0, player: "", steps: frozen.views.dealer }, ...seats];
}
