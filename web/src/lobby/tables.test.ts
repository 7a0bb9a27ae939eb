import { describe, expect, it } from "vitest";
import type { HouseLine, TableCard } from "../protocol/forms";
import { t } from "../words/i18n.svelte";
import { lobbyGroups, ownHouses, ownTotal, phaseWords, practiceHouses, tableWords } from "./tables";

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
    const seated = FLOOR.map((entry) => (entry.table === "draw-1" ? { ...entry, own_seat: 2 } : entry));
    expect(names(seated)).toEqual([
      ["seated", "draw-1 0"],
      ["stadium", "stadium-1 0", "stadium-2 1"],
      ["tables", "washington-1 0", "other-1 0"],
    ]);
  });

  it("leaves a table of one's own to its room, until the player sits there", () => {
    const own = card("private.online.ann", "online", { seats: 1, private: true });
    expect(names([own])).toEqual([]);
    expect(names([{ ...own, own_seat: 1 }])).toEqual([["seated", "private.online.ann 0"]]);
  });

  it("offers every house that can be played alone, where this terminal may play it", () => {
    const house = (id: string, parts: Partial<HouseLine> = {}) =>
      ({ id, private_tables: true, remote_play: true, ...parts }) as HouseLine;
    const houses = [
      house("california", { private_tables: false }),
      house("draw"),
      house("mine"),
      house("online"),
      house("stadium", { remote_play: false }),
    ];
    const ids = (enrolled: boolean) => ownHouses(houses, enrolled).map((each) => each.id);
    expect(ids(true)).toEqual(["online", "draw", "mine", "stadium"]);
    expect(ids(false)).toEqual(["online", "draw", "mine"]);
  });

  it("adds up all that the player has", () => {
    const seated = card("draw-1", "draw", { own_credit_cents: 2000, own_staked_cents: 500 });
    const other = card("draw-2", "draw", { own_credit_cents: null, own_staked_cents: 0 });
    expect(ownTotal(10_000, [seated, other])).toBe(12_500);
  });

  it("tells the phase of a table and counts its seconds down", () => {
    const at = (parts: Partial<TableCard>) =>
      card("draw-1", "draw", { phase: "open", clock_left_ms: null, ...parts });
    const betting = at({ round_phase: "wagering", clock_left_ms: 12_300 });
    expect(phaseWords(betting)).toBe("Bets open, 13 s");
    expect(phaseWords(betting, 3000)).toBe("Bets open, 10 s");
    expect(phaseWords(betting, 30_000)).toBe("Bets open, 0 s");
    expect(phaseWords(at({ round_phase: "playing" }))).toBe("Cards are dealt");
    expect(phaseWords(at({ round_phase: null }))).toBe("Between rounds");
    expect(phaseWords(at({ phase: "closed", round_phase: null }))).toBe("");
  });

  it("has no group without tables", () => expect(names([])).toEqual([]));

  it("names one seat or several", () => {
    const group = "lobby.group.seated";
    expect([1, 2].map((count) => t(group, { count }))).toEqual(["Your seat", "Your seats"]);
  });
});

describe("a house of one's own", () => {
  it("can be made of every house that offers it, the plain games first", () => {
    const houses = ["stadium", "draw", "california", "online"].map(
      (id) => ({ id, own_rules: id !== "california" }) as HouseLine,
    );
    expect(practiceHouses(houses).map(({ id }) => id)).toEqual(["online", "draw", "stadium"]);
  });

  it("is named apart from the table with the house's rules", () => {
    const card = { table: "private.online.ann", private: true, own_rules: false };
    expect(tableWords(card)).toBe(t("lobby.own_table"));
    expect(tableWords({ ...card, own_rules: true })).toBe(t("lobby.own_rules_table"));
    expect(tableWords({ ...card, private: false, table: "draw-1" })).toBe("draw-1");
  });
});
