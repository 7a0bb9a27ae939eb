// The player's own rounds at a table, newest first, loaded a page at a time.

import { api } from "../protocol/api";
import type { RoundLine } from "../protocol/forms";
import { patiently } from "../protocol/busyRetries";

/** How many rounds are loaded at a time. */
export const PAGE = 20;

type Ask = (limit: number, before: number | null) => Promise<RoundLine[]>;

export class Rounds {
  /** Null until the first page has loaded. */
  list = $state.raw<RoundLine[] | null>(null);
  /** Whether there are older rounds to load. */
  more = $state(false);
  busy = $state(false);
  failed = $state(false);

  private readonly ask: Ask;
  /** Whether a round has ended while a page was read, which may be without it. */
  private again = false;

  constructor(table: string, ask: Ask = (limit, before) => patiently(() => api.rounds(table, limit, before))) {
    this.ask = ask;
  }

  /** Load the newest rounds, keeping those already in the list. */
  async newest(): Promise<void> {
    this.again = this.busy;
    await this.read(null, (page, more) => {
      const before = this.list ?? [];
      const oldest = page.at(-1)?.number ?? 0;
      const kept = before.filter((round) => round.number < oldest);
      // Keep the older rounds only if there is no gap between them and the new page.
      const joined = before.some((round) => round.number >= oldest);
      this.list = joined ? [...page, ...kept] : page;
      if (!joined || kept.length === 0) this.more = more;
    });
  }

  /** Load the rounds before those in the list. */
  async older(): Promise<void> {
    await this.read(this.list?.at(-1)?.number ?? null, (page, more) => {
      this.list = [...(this.list ?? []), ...page];
      this.more = more;
    });
  }

  private async read(
    before: number | null,
    take: (page: RoundLine[], more: boolean) => void,
  ): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    try {
      // Ask for one more than is shown, to learn whether there are older ones.
      const page = await this.ask(PAGE + 1, before);
      take(page.slice(0, PAGE), page.length > PAGE);
      this.failed = false;
    } catch {
      this.failed = true;
    }
    this.busy = false;
    if (this.again) await this.newest();
  }
}

/** Rounds grouped by the day on which they ended, in their given order. */
export function byDay(
  rounds: readonly RoundLine[],
  day: (ms: number) => string,
): { day: string; rounds: RoundLine[] }[] {
  const days: { day: string; rounds: RoundLine[] }[] = [];
  for (const round of rounds) {
    const name = day(round.at_ms);
    const last = days.at(-1);
    if (last?.day === name) last.rounds.push(round);
    else days.push({ day: name, rounds: [round] });
  }
  return days;
}
