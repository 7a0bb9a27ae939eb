// How long this player has played in this browser's session, and with what result.

import type { PrivateView, RoundView } from "./messages";

interface Played {
  startedAt: number;
  netCents: number;
  rounds: number;
  lastRound: string;
}

const KEY = "openfelt.session";

function stored(): Played {
  try {
    const text = sessionStorage.getItem(KEY);
    if (text) return JSON.parse(text) as Played;
  } catch {
    // Nothing kept means a session that begins now.
  }
  return { startedAt: Date.now(), netCents: 0, rounds: 0, lastRound: "" };
}

export const session = $state<Played>(stored());

/** Count a round once, when it is over. */
export function countRound(round: RoundView | null, own: PrivateView | null): void {
  const hands = own ? Object.values(own.hands) : [];
  // The private half of a change may come a little later; without lines it is not there yet.
  if (!round || !own || hands.length === 0 || hands.some((hand) => hand.lines.length === 0)) return;
  const over = round.phase === "settled" || round.phase === "voided";
  if (!over || round.id === session.lastRound) return;
  session.lastRound = round.id;
  session.netCents += own.net_cents;
  session.rounds += 1;
  try {
    sessionStorage.setItem(KEY, JSON.stringify(session));
  } catch {
    // The figures last as long as the page then.
  }
}

export function minutesPlayed(now: number): number {
  return Math.floor((now - session.startedAt) / 60_000);
}
