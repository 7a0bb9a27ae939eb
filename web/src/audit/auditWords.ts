// What the auditor's page searches for, and the words for servers and changed values.

import type { LogEntryView } from "../protocol/forms";
import { maybe } from "../words/i18n.svelte";

/** The kinds of records in which the log can be searched, and how their names begin. */
export const RECORDS = [
  "",
  "table/",
  "link/",
  "drawer/",
  "voucher/",
  "wallet/",
  "dispute/",
  "account/",
  "dealer/",
  "software",
  "verifications",
  "readings",
  "shipment/",
] as const;

/** The kinds of actors, as actors begin. */
export const ACTORS = ["", "floor:", "cashier:", "dealer:", "auditor:", "operator:", "player:", "system:"] as const;

/** How a server is: `Running`. */
export function serverState(state: string): string {
  return maybe(`audit.server_state.${state}`) ?? state;
}

/** How a server reaches the bus, in words. */
export function serverBus(state: string): string {
  return maybe(`audit.server_bus.${state}`) ?? state;
}

/** A value of an event as text. */
function valueWords(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

export interface Change {
  name: string;
  before: string | null;
  after: string;
}

/** The fields of an event with the values that its object had before. */
export function changes(entry: LogEntryView, earlier: Record<string, unknown>): Change[] {
  return Object.entries(entry.fields).map(([name, value]) => ({
    name,
    before: name in earlier ? valueWords(earlier[name]) : null,
    after: valueWords(value),
  }));
}

/** The first moment of a day that was typed, or of the day after it; null for no day. */
export function dayMs(day: string, after = 0): number | null {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(ms) ? null : ms + after * 86_400_000;
}

/** How far something has come, from 0 to 100. */
export function percent(done: number, total: number): number {
  return total > 0 ? Math.min(100, Math.floor((100 * done) / total)) : 0;
}
