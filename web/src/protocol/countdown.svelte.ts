// The time left on the running clock, counted down on the screen.

import type { TableLink } from "./tableLink.svelte";

const TICK_MS = 200;

/**
 * The time left on a clock. Before the first tick `now` may be stale, so the result is capped at
 * the total time.
 */
export function timeLeft(endsAt: number | null, now: number, totalMs: number | undefined): number {
  return endsAt === null ? 0 : Math.min(Math.max(0, endsAt - now), totalMs ?? Infinity);
}

export class Countdown {
  private now = $state(performance.now());

  /** To be created in a component: it runs as long as the component is mounted. */
  constructor(private readonly link: Pick<TableLink, "clockEndsAt" | "public">) {
    $effect(() => {
      if (this.link.clockEndsAt === null) return;
      this.now = performance.now();
      const timer = setInterval(() => {
        this.now = performance.now();
      }, TICK_MS);
      return () => clearInterval(timer);
    });
  }

  get leftMs(): number {
    return timeLeft(this.link.clockEndsAt, this.now, this.link.public?.clock?.total_ms);
  }

  get seconds(): number {
    return Math.ceil(this.leftMs / 1000);
  }
}
