// The tables of the lobby, grouped and sorted.

import type { TableCard } from "../protocol/forms";

export type GroupName = "seated" | "stadium" | "tables";

export interface LobbyGroup {
  name: GroupName;
  tables: { table: TableCard; nth: number }[];
}

/** The houses that offer private tables. */
export const OWN_TABLES = ["online", "draw"] as const;

/** The display order of the houses; others come after these. */
const HOUSES = ["stadium", "washington", "california", "draw", "online"];
const GROUPS: readonly GroupName[] = ["seated", "stadium", "tables"];
/** A table with more seats than this is a stadium. */
const FELT_SEATS = 100;

function groupOf(table: TableCard): GroupName {
  if (table.own_seat !== null) return "seated";
  return table.seats > FELT_SEATS ? "stadium" : "tables";
}

function place(table: TableCard): number {
  const at = HOUSES.indexOf(table.house);
  return at < 0 ? HOUSES.length : at;
}

/** Whether the private-table buttons lead to this table, so that no group lists it. */
function inOwnRoom(table: TableCard): boolean {
  return table.private && table.own_seat === null && OWN_TABLES.some((house) => house === table.house);
}

/** Tables with the player's own seats first, then the stadium, then the rest; no empty groups. */
export function lobbyGroups(tables: readonly TableCard[]): LobbyGroup[] {
  const sorted = tables
    .filter((table) => !inOwnRoom(table))
    .toSorted((a, b) => place(a) - place(b));
  const numbered = sorted.map((table, at) => ({
    table,
    nth: sorted.slice(0, at).filter((before) => before.house === table.house).length,
  }));
  return GROUPS.map((name) => ({
    name,
    tables: numbered.filter(({ table }) => groupOf(table) === name),
  })).filter((group) => group.tables.length > 0);
}
