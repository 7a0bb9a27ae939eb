// The paytables of a house, in the order in which they are shown.

import type { HouseSheet, Paytable } from "./api";

export interface NamedTable {
  kind: string;
  paytable: Paytable;
}

const ORDER = [
  "trips",
  "blind",
  "ultimate_pairs",
  "bad_beat",
  "play_the_board",
  "bonus",
  "progressive",
];

export function paytablesOf(house: HouseSheet): NamedTable[] {
  const tables = house.wagers.flatMap((rule) =>
    rule.paytable ? [{ kind: rule.kind, paytable: rule.paytable }] : [],
  );
  tables.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  if (house.ante_bonus) tables.unshift({ kind: "ante_bonus", paytable: house.ante_bonus });
  return tables;
}
