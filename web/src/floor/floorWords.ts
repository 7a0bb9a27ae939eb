// The floor's figures in words. What is not known is a dash, and never a zero.

import type { FloorAlert, FloorCheckpointView, FloorFiguresView, FloorTable, FloorView } from "../protocol/forms";
import { t } from "../words/i18n.svelte";
import { chipMoney } from "../words/money";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** With less of an hour than this, a rate of rounds would be a guess. */
const RATE_FROM_MS = 10 * MINUTE_MS;

export type Filter = "all" | "open" | "live" | "alerts";

/** A length of time: `47 min`, `2 h 05 min`. */
export function durationWords(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  if (minutes < 60) return t("floor.minutes", { count: minutes });
  const rest = String(minutes % 60).padStart(2, "0");
  return t("floor.hours", { hours: Math.floor(minutes / 60), minutes: rest });
}

/** What a table is doing. */
export function stateWords(table: FloorTable): string {
  if (table.phase === "closed") return t("lobby.closed");
  if (table.phase === "paused") return t("lobby.paused");
  const doing = t(`floor.round.${table.round_phase ?? "between"}`);
  if (table.phase === "closing") return t("floor.closing", { doing });
  return table.phase === "pausing" ? t("floor.pausing", { doing }) : doing;
}

export function limitsWords(table: FloorTable): string {
  return `${chipMoney(table.min_cents)}–${chipMoney(table.max_cents)}`;
}

/** A rate of rounds, and whether it is an estimate from less than an hour; null if it is no rate. */
export function roundsAnHour(figures: FloorFiguresView | null): { rounds: number; estimated: boolean } | null {
  if (!figures || figures.hour_covers_ms < RATE_FROM_MS) return null;
  if (figures.hour_covers_ms >= HOUR_MS) return { rounds: figures.hour_rounds, estimated: false };
  const rate = (figures.hour_rounds * HOUR_MS) / figures.hour_covers_ms;
  return { rounds: Math.round(rate), estimated: true };
}

/** The hold: the win in percent of the stakes; null without stakes or where players bank. */
export function holdWords(figures: FloorFiguresView | null): string | null {
  if (!figures || figures.win_cents === null || figures.stakes_cents === 0) return null;
  const percent = ((100 * figures.win_cents) / figures.stakes_cents).toFixed(1);
  return `${percent.replace("-", "−")}%`;
}

export function alertWords(alert: FloorAlert, nowMs: number): string {
  const values = {
    count: alert.count ?? 0,
    time: alert.since_ms === null ? "" : durationWords(nowMs - alert.since_ms),
  };
  return t(`floor.alert.${alert.kind}`, values);
}

/** Supervisors to live tables as `1 : 4.5`; null without either of them. */
export function ratioWords(view: FloorView): string | null {
  if (!view.supervisors.length || !view.live_tables) return null;
  const tables = view.live_tables / view.supervisors.length;
  return `1 : ${Number.isInteger(tables) ? tables : tables.toFixed(1)}`;
}

/** The tables that a filter and a search leave, those with alerts first. */
export function shownTables(tables: readonly FloorTable[], filter: Filter, search: string): FloorTable[] {
  const wanted = search.trim().toLowerCase();
  const texts = (table: FloorTable) => [table.table, table.house_name, table.dealer ?? ""];
  return tables
    .filter((table) => {
      if (filter === "open") return table.phase !== "closed";
      if (filter === "live") return table.dealer_mode === "live";
      return filter !== "alerts" || table.alerts.length > 0;
    })
    .filter((table) => texts(table).some((text) => text.toLowerCase().includes(wanted)))
    .sort(
      (a, b) =>
        Number(b.alerts.length > 0) - Number(a.alerts.length > 0) ||
        a.table.localeCompare(b.table),
    );
}

export interface Change {
  rounds: number;
  stakes_cents: number;
  win_cents: number;
}

/** What a table has done since a checkpoint of the same day; null if either is not known. */
export function changeSince(table: FloorTable, checkpoint: FloorCheckpointView | null): Change | null {
  const before = checkpoint?.tables[table.table];
  if (!before || !table.figures) return null;
  return {
    rounds: table.figures.rounds - before.rounds,
    stakes_cents: table.figures.stakes_cents - before.stakes_cents,
    win_cents: (table.figures.win_cents ?? 0) - before.win_cents,
  };
}

/** The alerts that were not there before, each with its table. */
export function newAlerts(before: FloorView | null, now: FloorView): { table: string; alert: FloorAlert }[] {
  if (!before) return [];
  const seen = new Set(before.tables.flatMap(({ table, alerts }) => alerts.map((alert) => `${table} ${alert.kind}`)));
  return now.tables.flatMap(({ table, alerts }) =>
    alerts.filter((alert) => !seen.has(`${table} ${alert.kind}`)).map((alert) => ({ table, alert })),
  );
}
