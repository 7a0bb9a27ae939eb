import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announcer } from "../../app/announcer.svelte";
import type { HouseView } from "../../protocol/forms";
import { Favourites, favouriteOf, favouriteWords, misfit, placedAt, readFavourites } from "./favourites.svelte";
import { totalPlaced, type Placed } from "./wagers";

const HOUSE = {
  id: "online",
  hands_per_seat: 1,
  play: {},
  wagers_per_hand_max: null,
  dealer_wagers: null,
  wagers: [
    { kind: "ante", min_cents: 500, max_cents: 5000, multiple_of_cents: 100 },
    { kind: "blind", min_cents: 500, max_cents: 5000, multiple_of_cents: 100 },
    { kind: "trips", min_cents: 100, max_cents: 2000, multiple_of_cents: 100 },
  ],
} as unknown as HouseView;

function wager(kind: string, cents: number, forDealer = false) {
  return { kind, cents, for_dealer: forDealer };
}

const WAGERS = [wager("ante", 1000), wager("blind", 1000), wager("trips", 500)];
const PLACED: Placed = { "1.1": WAGERS };

class FakeBets {
  open = true;
  placed: Placed = PLACED;
  laid: Placed[] = [];
  get betCents(): number {
    return totalPlaced(this.placed);
  }
  lay(placed: Placed): boolean {
    this.laid.push(placed);
    this.placed = placed;
    return true;
  }
}

/** A browser's storage, of which a new page sees what an old one has kept. */
function storage(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  return kept;
}

describe("a favourite", () => {
  it("is the wagers of each hand without Play, on whatever seat", () => {
    const favourite = favouriteOf({ "3.1": [...WAGERS, wager("play", 4000)], "3.2": [] });
    expect(favourite).toEqual({ "1": WAGERS });
    expect(placedAt(7, favourite)).toEqual({ "7.1": WAGERS });
  });

  it("names what it lays", () => {
    expect(favouriteWords({ "1": WAGERS })).toBe("Ante and Blind $10, Trips $5");
    const tip = { "1": [wager("ante", 1000)], "3": [wager("bonus", 500, true)] };
    expect(favouriteWords(tip)).toBe("Hand 1: Ante $10 · Hand 3: Bonus $5 (For the dealer)");
  });

  it.each([
    [{ "2": WAGERS }, "hand"],
    [{ "1": [wager("bonus", 500)] }, "not_offered"],
    [{ "1": [wager("trips", 500, true)] }, "not_offered"],
    [{ "1": [wager("ante", 6000)] }, "limits"],
    [{ "1": [wager("ante", 400)] }, "limits"],
    [{ "1": [wager("ante", 1050)] }, "limits"],
  ])("%j does not fit: %s", (favourite, reason) => {
    expect(misfit(HOUSE, 1, favourite)?.reason).toBe(reason);
  });

  it("does not fit where the law allows fewer wagers, and fits where it has the last place", () => {
    expect(misfit({ ...HOUSE, wagers_per_hand_max: 3 }, 1, { "1": WAGERS })?.reason).toBe("too_many");
    expect(misfit({ ...HOUSE, wagers_per_hand_max: 4 }, 1, { "1": WAGERS })).toBeNull();
    expect(misfit(HOUSE, 1, { "1": WAGERS })).toBeNull();
  });
});

describe("what storage holds", () => {
  it.each([null, "", "{", "7", '{"0": 1}', '[{"1": "ante"}]', '[{"1": []}]', '[{"x": [{}]}]', "[[]]"])(
    "is nothing where it is %s",
    (text) => expect(readFavourites(text)).toEqual([null, null, null]),
  );

  it.each([0, -100, 1.5, "5"])("has no wager of %s cents", (cents) => {
    const text = JSON.stringify([{ "1": [{ kind: "ante", cents, for_dealer: false }] }]);
    expect(readFavourites(text)[0]).toBeNull();
  });

  it("has three slots", () => {
    const many = JSON.stringify([null, { "1": WAGERS }, null, { "1": WAGERS }]);
    expect(readFavourites(many)).toEqual([null, { "1": WAGERS }, null]);
  });
});

describe("the favourites of a house", () => {
  let kept: Map<string, string>;
  let bets: FakeBets;

  beforeEach(() => {
    kept = storage();
    bets = new FakeBets();
    announcer.line = announcer.urgent = "";
  });
  afterEach(() => vi.unstubAllGlobals());

  function favourites(house = HOUSE, seat: number | null = 1): Favourites {
    return new Favourites(house, bets, () => seat);
  }

  it("are saved from the felt, kept in the browser, and laid with one press", () => {
    favourites().save(1);
    expect([...kept.keys()]).toEqual(["openfelt.favourites.online"]);
    const later = favourites(HOUSE, 4);
    bets.placed = {};
    expect([0, 1, 2].map((slot) => later.canLay(slot))).toEqual([false, true, false]);
    expect(later.lay(1)).toBe(true);
    expect(bets.laid).toEqual([{ "4.1": WAGERS }]);
  });

  it("are those of their house alone", () => {
    favourites().save(0);
    expect(favourites({ ...HOUSE, id: "draw" }).slots).toEqual([null, null, null]);
  });

  it("are laid once: what lies there already is not laid again", () => {
    const list = favourites();
    list.save(0);
    expect(list.canLay(0)).toBe(false);
    expect(list.lay(0)).toBe(false);
    expect(bets.laid).toEqual([]);
  });

  it("are neither saved nor laid while bets are closed, and not without chips", () => {
    const list = favourites();
    list.save(0);
    bets.open = false;
    bets.placed = {};
    expect(list.lay(0)).toBe(false);
    bets.open = true;
    list.save(2);
    expect(list.slots[2]).toBeNull();
  });

  it("say why they cannot be laid when the limits have changed", () => {
    favourites().save(0);
    bets.placed = {};
    const strict = { ...HOUSE, wagers: HOUSE.wagers.map((rule) => ({ ...rule, max_cents: 600 })) };
    expect(favourites(strict as HouseView).lay(0)).toBe(false);
    expect(announcer.urgent).toContain("$5 to $6");
    expect(bets.laid).toEqual([]);
  });

  it("can be removed", () => {
    const list = favourites();
    list.save(0);
    list.remove(0);
    expect(favourites().slots[0]).toBeNull();
  });
});
