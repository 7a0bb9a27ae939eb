// The seconds that a running clock has left, counted down on the screen.

import type { TableLink } from "../../protocol/tableLink.svelte";

const TICK_MS = 200;

/**
 * What is left of a clock. Until its first tick a new one is measured by an old time, and must
 * not show more than it gives.
 */
export function timeLeft(endsAt: number | null, now: number, totalMs: number | undefined): number {
  return endsAt === null ? 0 : Math.min(Math.max(0, endsAt - now), totalMs ?? Infinity);
}

export class Countdown {
  private now = $state(performance.now());

  /** Made by a component, for it runs as long as that one is on the screen. */
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
