// The tables of the lobby, grouped and sorted.

import type { HouseLine, TableCard } from "../protocol/forms";
import { t } from "../words/i18n.svelte";

type GroupName = "seated" | "stadium" | "tables";

export interface LobbyGroup {
  name: GroupName;
  tables: { table: TableCard; nth: number }[];
}

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
  return table.private && table.own_seat === null;
}

const OWN_FIRST = ["online", "draw"];

function ownRank({ id }: HouseLine): number {
  return OWN_FIRST.includes(id) ? OWN_FIRST.indexOf(id) : HOUSES.length;
}

/** The houses of which a player can open a table, the plain games first. */
export function ownHouses(houses: readonly HouseLine[], enrolled: boolean): HouseLine[] {
  return houses
    .filter((house) => house.private_tables && (house.remote_play || enrolled))
    .toSorted((a, b) => ownRank(a) - ownRank(b));
}

/** The houses that a player can change for practice, in the same order. */
export function practiceHouses(houses: readonly HouseLine[]): HouseLine[] {
  return houses.filter((house) => house.own_rules).toSorted((a, b) => ownRank(a) - ownRank(b));
}

/** All that the player has: in the wallet, at tables, and at stake there. */
export function ownTotal(walletCents: number, tables: readonly TableCard[]): number {
  return tables.reduce(
    (sum, table) => sum + (table.own_credit_cents ?? 0) + table.own_staked_cents,
    walletCents,
  );
}

/** What happens at a table now, with the seconds that are left of its clock. */
export function phaseWords(table: TableCard, msSince = 0): string {
  const key = table.round_phase ?? "between";
  if (table.phase !== "open") return "";
  if (table.clock_left_ms === null) return t(`lobby.phase.${key}`);
  const left = Math.max(0, table.clock_left_ms - msSince);
  return t(`lobby.phase.${key}_left`, { count: Math.ceil(left / 1000) });
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

/** The name of a table; a private one is the player's own, with the house's rules or others. */
export function tableWords(table: Pick<TableCard, "table" | "private" | "own_rules">): string {
  if (!table.private) return table.table;
  return table.own_rules ? t("lobby.own_rules_table") : t("lobby.own_table");
}
