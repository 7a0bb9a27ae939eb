// The floor as the server last told it, asked for every two seconds while the page is open.

import { say } from "../app/announcer.svelte";
import { poll } from "../app/poll";
import { loadMe } from "../app/account.svelte";
import { ApiError, api } from "../protocol/api";
import type { FloorView } from "../protocol/forms";
import { alertWords, newAlerts } from "./floorWords";

const REFRESH_MS = 2000;
const SECOND_MS = 1000;

export class FloorWatch {
  view = $state.raw<FloorView | null>(null);
  /** Whether the last question was not answered: what is shown is old then. */
  lost = $state(false);
  /** The server's time now, which runs on between two answers. */
  nowMs = $state(0);

  private readAt = 0;
  private readonly polls = [poll(() => this.load(), REFRESH_MS), poll(() => this.tick(), SECOND_MS)];

  async load(): Promise<void> {
    try {
      const view = await api.floor();
      for (const { table, alert } of newAlerts(this.view, view)) {
        say(`${table}: ${alertWords(alert, view.at_ms)}`);
      }
      this.view = view;
      this.readAt = performance.now();
      this.lost = false;
      this.tick();
    } catch (error) {
      this.lost = true;
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) void loadMe();
    }
  }

  close(): void {
    this.polls.forEach((stop) => stop());
  }

  private tick(): void {
    if (this.view) this.nowMs = this.view.at_ms + performance.now() - this.readAt;
  }
}
