// The tables of the lobby, in groups.

import type { RoundLine, TableCard } from "../protocol/forms";

export type GroupName = "seated" | "stadium" | "tables";

export interface LobbyGroup {
  name: GroupName;
  tables: { table: TableCard; nth: number }[];
}

/** The houses of which everybody can have a table of their own. */
export const OWN_TABLES = ["online", "draw"] as const;

/** The houses in the order in which they are usually shown; others come after them. */
const HOUSES = ["stadium", "washington", "california", "draw", "online"];
const GROUPS: readonly GroupName[] = ["seated", "stadium", "tables"];
/** A table with more seats is a stadium. */
const FELT_SEATS = 100;

function groupOf(table: TableCard): GroupName {
  if (table.own_seat !== null) return "seated";
  return table.seats > FELT_SEATS ? "stadium" : "tables";
}

function place(table: TableCard): number {
  const at = HOUSES.indexOf(table.house);
  return at < 0 ? HOUSES.length : at;
}

/** Whether the room of one's own leads to a table, so that no group has to show it. */
function inOwnRoom(table: TableCard): boolean {
  return table.private && table.own_seat === null && OWN_TABLES.some((one) => one === table.house);
}

/** The player's own seats first, then the stadium, then every other table; empty groups are left out. */
export function lobbyGroups(tables: readonly TableCard[]): LobbyGroup[] {
  const sorted = tables
    .filter((table) => !inOwnRoom(table))
    .toSorted((one, other) => place(one) - place(other));
  const numbered = sorted.map((table, at) => ({
    table,
    nth: sorted.slice(0, at).filter((before) => before.house === table.house).length,
  }));
  return GROUPS.map((name) => ({
    name,
    tables: numbered.filter(({ table }) => groupOf(table) === name),
  })).filter((group) => group.tables.length > 0);
}

/** A table with the player's last round there. */
export interface PlayedTable {
  table: TableCard;
  last: RoundLine;
}

/** The tables at which the player has finished a round, the latest first. */
export async function playedTables(
  tables: readonly TableCard[],
  lastRound: (table: string) => Promise<RoundLine[]>,
): Promise<PlayedTable[]> {
  const found = await Promise.all(
    tables.map(async (table) => ({ table, last: (await lastRound(table.table))[0] })),
  );
  return found
    .filter((one): one is PlayedTable => one.last !== undefined)
    .toSorted((one, other) => other.last.at_ms - one.last.at_ms);
}
