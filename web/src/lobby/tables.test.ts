import { describe, expect, it } from "vitest";
import type { TableCard } from "../protocol/forms";
import { t } from "../words/i18n.svelte";
import { lobbyGroups } from "./tables";

const card = (table: string, house: string, parts: Partial<TableCard> = {}): TableCard =>
  ({ table, house, seats: 6, own_seat: null, ...parts }) as TableCard;

const FLOOR = [
  card("draw-1", "draw"),
  card("other-1", "somewhere"),
  card("stadium-1", "stadium", { seats: 2000 }),
  card("washington-1", "washington"),
  card("stadium-2", "stadium", { seats: 2000 }),
];

const names = (tables: TableCard[]) =>
  lobbyGroups(tables).map(({ name, tables: found }) => [
    name,
    ...found.map(({ table, nth }) => `${table.table} ${nth}`),
  ]);

describe("the lobby", () => {
  it("keeps the stadium apart, and counts the tables of one house", () => {
    expect(names(FLOOR)).toEqual([
      ["stadium", "stadium-1 0", "stadium-2 1"],
      ["tables", "washington-1 0", "draw-1 0", "other-1 0"],
    ]);
  });

  it("shows the player's own seats first, and each table once", () => {
    const seated = FLOOR.map((one) => (one.table === "draw-1" ? { ...one, own_seat: 2 } : one));
    expect(names(seated)).toEqual([
      ["seated", "draw-1 0"],
      ["stadium", "stadium-1 0", "stadium-2 1"],
      ["tables", "washington-1 0", "other-1 0"],
    ]);
  });

  it("leaves a table of one's own to its room, until the player sits there", () => {
    const own = card("private.online.ann", "online", { seats: 1, private: true });
    const other = card("private.washington.ann", "washington", { private: true });
    expect(names([own, other])).toEqual([["tables", "private.washington.ann 0"]]);
    expect(names([{ ...own, own_seat: 1 }])).toEqual([["seated", "private.online.ann 0"]]);
  });

  it("has no group without tables", () => expect(names([])).toEqual([]));

  it("names one seat or several", () => {
    const group = "lobby.group.seated";
    expect([1, 2].map((count) => t(group, { count }))).toEqual(["Your seat", "Your seats"]);
  });
});
