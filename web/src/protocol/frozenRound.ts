// A frozen round, as a recall of a round has it whole and a dispute seat by seat.

import type { DisputeSeatView } from "./forms";
import type { ReplayStep } from "./messages";

/** A step that names its parts by their places in the list of shared values. */
interface SharedStep {
  what: number;
  public: number;
  own: Record<string, number>;
}

export interface FrozenRound {
  house: string;
  fingerprint: string;
  views: {
    dealer: { steps: SharedStep[] };
    seats: Record<string, { player: string | null; steps: SharedStep[] }>;
  };
  shared: unknown[];
}

export interface FrozenView {
  /** 0 for the dealer. */
  seat: number;
  player: string;
  steps: ReplayStep[];
}

/** The frozen views, the dealer's first and then those of the seats in order. */
export function frozenViews(frozen: FrozenRound): FrozenView[] {
  const complete = (steps: SharedStep[]): ReplayStep[] => steps.map((step) => wholeStep(step, frozen.shared));
  const seats = Object.entries(frozen.views.seats)
    .map(([seat, { player, steps }]) => ({ seat: Number(seat), player: player ?? "", steps: complete(steps) }))
    .sort((a, b) => a.seat - b.seat);
  return [{ seat: 0, player: "", steps: complete(frozen.views.dealer.steps) }, ...seats];
}

function wholeStep(step: SharedStep, shared: unknown[]): ReplayStep {
  const own = Object.fromEntries(Object.entries(step.own).map(([spot, place]) => [spot, shared[place]]));
  return { ...step, what: shared[step.what], public: shared[step.public], own } as unknown as ReplayStep;
}

/** The view of one seat of a dispute. */
export function seatView(view: DisputeSeatView): FrozenView {
  return { seat: view.seat, player: view.player, steps: view.steps as unknown as ReplayStep[] };
}

/** The picture of a view as an address, which no script of the picture can run in. */
export function pictureAddress(picture: string): string {
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
}
