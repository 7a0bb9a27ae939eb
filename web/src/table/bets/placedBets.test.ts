import { beforeEach, describe, expect, it, vi } from "vitest";
import type { HouseView } from "../../protocol/forms";
import type { CommandAsked, PrivateView, PublicView } from "../../protocol/messages";
import type { TableLink } from "../../protocol/tableLink.svelte";
import { PlacedBets } from "./placedBets.svelte";
import { totalPlaced, totalTips } from "./wagers";

const limits = { min_cents: 1000, max_cents: 10_000, multiple_of_cents: 100 };
const HOUSE = {
  chips_cents: [1000],
  wagers: [
    { kind: "ante", ...limits },
    { kind: "blind", ...limits },
  ],
  dealer_wagers: limits,
} as unknown as HouseView;

/** A table that accepts every wager and whose round can be set to any phase. */
class FakeTable {
  public = { table: "t" } as PublicView;
  private = { credit_cents: 50_000, hands: {}, name: "guest", seat: 1 } as unknown as PrivateView;
  version = 0;
  asked: CommandAsked[] = [];
  may = () => true;
  command = (command: CommandAsked) => {
    this.asked.push(command);
    return Promise.resolve({ accepted: true, version: 0 });
  };
  round(number: number, phase: string): void {
    this.public = { ...this.public, round: { id: `t/${number}`, phase } } as PublicView;
  }
}

const SEEDS = { commitmentFor: () => null, sealed: () => true, sent: () => {} };
const STAGE = { behind: false, revealing: false };

describe("chips for the dealer", () => {
  let table: FakeTable;
  let bets: PlacedBets;

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    table = new FakeTable();
    bets = new PlacedBets(table as unknown as TableLink, HOUSE, STAGE, SEEDS);
    table.round(1, "wagering");
    bets.follow();
    bets.forDealer = true;
  });

  function follow(number: number, phase: string): void {
    table.round(number, phase);
    bets.follow();
  }

  it("are bet until the bets close, and the player's own again after that", () => {
    follow(1, "wagering");
    expect(bets.forDealer).toBe(true);
    follow(1, "playing");
    expect(bets.forDealer).toBe(false);
    bets.place("1.1", "ante");
    expect(bets.placed["1.1"]?.map((wager) => wager.for_dealer)).toEqual([false, false]);
  });

  it("can be switched on again for the next round, before it has begun", () => {
    follow(1, "playing");
    follow(1, "settled");
    bets.forDealer = true;
    follow(1, "settled");
    follow(2, "wagering");
    expect(bets.forDealer).toBe(true);
    follow(2, "playing");
    expect(bets.forDealer).toBe(false);
  });

  it("are given up too where a round is over before the terminal has seen it played", () => {
    follow(1, "voided");
    expect(bets.forDealer).toBe(false);
  });
});

describe("bets while the last result is still shown", () => {
  let table: FakeTable;

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    table = new FakeTable();
    table.round(2, "wagering");
  });

  it("cannot be made before its cards are turned", () => {
    const bets = new PlacedBets(table as unknown as TableLink, HOUSE, { behind: true, revealing: true }, SEEDS);
    expect(bets.open).toBe(false);
    bets.place("1.1", "ante");
    expect(table.asked).toEqual([]);
  });

  it("clear it away, and nothing else of the next round does", () => {
    const bets = new PlacedBets(table as unknown as TableLink, HOUSE, { behind: true, revealing: false }, SEEDS);
    expect(bets.begun).toBe(false);
    bets.place("1.1", "ante");
    expect(bets.begun).toBe(true);
  });
});

describe("cards that are asked for while chips are on their way", () => {
  let table: FakeTable;
  let bets: PlacedBets;
  let answers: ((accepted: boolean) => void)[];

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    answers = [];
    table = new FakeTable();
    table.round(1, "wagering");
    table.command = (command: CommandAsked) => {
      table.asked.push(command);
      return new Promise((answer) => answers.push((accepted) => answer({ accepted, version: 0 })));
    };
    bets = new PlacedBets(table as unknown as TableLink, HOUSE, STAGE, SEEDS);
  });

  const laid = () =>
    table.asked.map((command) => (command.kind === "set_wagers" ? command.wagers.length : null));

  it("wait until a chip that was taken back is off the table", async () => {
    bets.place("1.1", "ante");
    bets.undo();
    let rests = false;
    const resting = bets.atRest().then((taken) => (rests = taken));
    answers[0]?.(true);
    await vi.waitFor(() => expect(laid()).toEqual([1, 0]));
    expect(rests).toBe(false);
    answers[1]?.(true);
    await resting;
    expect(rests).toBe(true);
  });

  it("are not dealt where the table refuses a chip", async () => {
    bets.place("1.1", "ante");
    const resting = bets.atRest();
    answers[0]?.(false);
    expect(await resting).toBe(false);
  });

  it("are dealt after a chip was refused and taken back", async () => {
    bets.place("1.1", "ante");
    answers[0]?.(false);
    await bets.atRest();
    expect(await bets.atRest()).toBe(true);
  });

  it("wait for nothing where all chips lie", async () => {
    expect(await bets.atRest()).toBe(true);
  });
});

describe("a press that the table refuses", () => {
  let table: FakeTable;
  let bets: PlacedBets;
  let lies: Record<string, number>;
  let refuses: string;

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    lies = {};
    refuses = "";
    table = new FakeTable();
    table.round(1, "wagering");
    table.command = (command: CommandAsked) => {
      table.asked.push(command);
      const accepted = command.kind === "set_wagers" && command.spot !== refuses;
      if (accepted) {
        lies[command.spot] = command.wagers.length;
        const hand = { wagers: bets.placed[command.spot] };
        const hands = { ...table.private.hands, [command.spot]: hand };
        table.private = { ...table.private, hands } as PrivateView;
      }
      return Promise.resolve({ accepted, version: 0 });
    };
    bets = new PlacedBets(table as unknown as TableLink, HOUSE, STAGE, SEEDS);
  });

  it("is taken back alone, and what was placed just before stays", async () => {
    refuses = "1.2";
    bets.place("1.1", "ante");
    bets.place("1.2", "ante");
    expect(await bets.atRest()).toBe(false);
    expect(lies).toEqual({ "1.1": 1 });
    expect(bets.placed["1.2"]).toBeUndefined();
  });

  it("leaves all chips where it would have taken one back", async () => {
    bets.place("1.1", "ante");
    bets.place("1.2", "ante");
    await bets.atRest();
    refuses = "1.2";
    bets.undo();
    expect(await bets.atRest()).toBe(false);
    expect(lies).toEqual({ "1.1": 1, "1.2": 1 });
    expect(bets.placed["1.2"]).toHaveLength(2);
    expect(table.asked).toHaveLength(3);
  });

  it("is given up where the table refuses everything", async () => {
    refuses = "1.1";
    bets.place("1.1", "ante");
    bets.place("1.1", "ante");
    expect(await bets.atRest()).toBe(false);
    expect(lies).toEqual({});
    expect(bets.placed).toEqual({});
  });
});

describe("re-bet", () => {
  let table: FakeTable;
  let bets: PlacedBets;
  const LAST = [
    { kind: "ante", cents: 1000, for_dealer: false },
    { kind: "ante", cents: 2000, for_dealer: true },
    { kind: "play", cents: 4000, for_dealer: false },
  ];

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    table = new FakeTable();
    bets = new PlacedBets(table as unknown as TableLink, HOUSE, STAGE, SEEDS);
    table.private = {
      ...table.private,
      hands: { "1.1": { seat: 1, wagers: LAST } },
    } as unknown as PrivateView;
    table.round(1, "settled");
    bets.follow();
  });

  it("places the last wagers once, however often it is pressed", () => {
    expect(bets.canRepeat).toBe(true);
    bets.repeat();
    bets.repeat();
    expect(bets.betCents).toBe(3000);
    expect(bets.canRepeat).toBe(false);
    expect(bets.canUndo).toBe(true);
    bets.undo();
    expect(bets.betCents).toBe(0);
  });

  it("names what it repeats, with the wagers for the dealer", () => {
    expect(totalPlaced(bets.repeatedBets)).toBe(3000);
    expect(totalTips(bets.repeatedBets)).toBe(2000);
  });

  it("follows the player to another seat", () => {
    table.private = { ...table.private, seat: 4 };
    expect(Object.keys(bets.repeatedBets)).toEqual(["4.1"]);
  });
});
