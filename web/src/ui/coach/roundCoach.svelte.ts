// The coach of one round at a time: asked of the server, and taken back when its viewer has gone.

import { api } from "../../protocol/api";
import type { CoachView } from "../../protocol/forms";

type Ask = (table: string, number: number, signal: AbortSignal) => Promise<CoachView>;

export class RoundCoach {
  view = $state.raw<CoachView | null>(null);
  busy = $state(false);
  failed = $state(false);
  private asking: AbortController | null = null;

  constructor(private readonly ask: Ask = api.coach) {}

  /** Ask about a round. A question that is still open is taken back. */
  async look(table: string, number: number): Promise<void> {
    this.close();
    const asking = new AbortController();
    this.asking = asking;
    this.busy = true;
    this.failed = false;
    try {
      const view = await this.ask(table, number, asking.signal);
      if (this.asking === asking) this.view = view;
    } catch {
      if (this.asking === asking) this.failed = true;
    }
    if (this.asking === asking) this.close();
  }

  /** Take an open question back: the server stops counting for it. */
  close(): void {
    this.asking?.abort();
    this.asking = null;
    this.busy = false;
  }
}
