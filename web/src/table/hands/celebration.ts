// What is celebrated: a real win, and nothing else.

interface Ended {
  phase: string;
}
interface Won {
  net_cents: number;
}

/**
 * What a round has won for its player after all stakes, if that is anything. Stakes that came
 * back, a win that is less than what was staked beside it, and a void round are none.
 */
export function wonCents(round: Ended | null, own: Won | null): number {
  if (round?.phase !== "settled" || !own) return 0;
  return Math.max(0, own.net_cents);
}

/** A spark of the celebration: where it flies to, in parts of the screen, and when it starts. */
interface Spark {
  across: number;
  up: number;
  afterMs: number;
}

/** Sparks that are spread evenly and look thrown; the same for every win, however large. */
export function sparks(count: number): Spark[] {
  const golden = 0.618_034;
  return Array.from({ length: count }, (_, at) => {
    const turn = (at * golden) % 1;
    return {
      across: turn * 2 - 1,
      up: 0.45 + 0.55 * ((at * golden * 3) % 1),
      afterMs: Math.round(220 * ((at * golden * 7) % 1)),
    };
  });
}
