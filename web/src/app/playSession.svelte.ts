// How long this player has played in this browser's session, and with what result.

import type { PrivateView, RoundView } from "../protocol/messages";

interface Played {
  player: string;
  startedAt: number;
  netCents: number;
  /** What wagers for the dealer have won. */
  tipsCents: number;
  rounds: number;
  lastRound: string;
}

const KEY = "openfelt.session";

function fresh(player: string): Played {
  return { player, startedAt: Date.now(), netCents: 0, tipsCents: 0, rounds: 0, lastRound: "" };
}

function stored(): Played {
  try {
    const text = sessionStorage.getItem(KEY);
    if (text) return { ...fresh(""), ...(JSON.parse(text) as Partial<Played>) };
  } catch {
    // Nothing kept means a session that begins now.
  }
  return fresh("");
}

function keep(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(playSession));
  } catch {
    // The figures last as long as the page then.
  }
}

export const playSession = $state<Played>(stored());

/** Start over if another player has signed in. */
export function beginSession(player: string): void {
  if (playSession.player === player) return;
  Object.assign(playSession, fresh(player));
  keep();
}

function tips(own: PrivateView): number {
  const lines = Object.values(own.hands).flatMap((hand) => hand.lines);
  return lines.reduce((sum, line) => sum + (line.for_dealer ? line.payout_cents : 0), 0);
}

/** Count a round once, when it is over. */
export function countRound(round: RoundView | null, own: PrivateView | null): void {
  const hands = own ? Object.values(own.hands) : [];
  // The private half of a change may come a little later; without lines it is not there yet.
  if (!round || !own || hands.length === 0 || hands.some((hand) => hand.lines.length === 0)) return;
  const over = round.phase === "settled" || round.phase === "voided";
  if (!over || round.id === playSession.lastRound) return;
  playSession.lastRound = round.id;
  playSession.netCents += own.net_cents;
  playSession.tipsCents += tips(own);
  playSession.rounds += 1;
  keep();
}

export function minutesPlayed(now: number): number {
  return Math.floor((now - playSession.startedAt) / 60_000);
}

/** Whether it is time to remind the player: long enough since the last time, and in a quiet moment. */
export function reminderDue(
  minutes: { played: number; said: number; every: number },
  quiet: boolean,
): boolean {
  return quiet && minutes.every > 0 && minutes.played - minutes.said >= minutes.every;
}
