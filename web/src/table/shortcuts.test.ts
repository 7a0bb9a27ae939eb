import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../app/settings.svelte";
import type { HouseView } from "../protocol/forms";
import type { Answered, CommandAsked, PrivateView, PublicView } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { handleKey } from "./shortcuts";
import { Terminal } from "./terminal.svelte";

const limits = { min_cents: 1000, max_cents: 10_000, multiple_of_cents: 100 };
const HOUSE = {
  game: "ultimate_holdem", hands_per_seat: 3, chips_cents: [1000, 2500], seats: 1,
  wagers: [{ kind: "ante", ...limits }, { kind: "blind", ...limits }, { kind: "trips", ...limits }],
} as unknown as HouseView;

/** A table whose answers come when a test gives them. */
class SlowTable {
  // A live dealer deals real cards, so that no fingerprint has to be known before a bet.
  public = { table: "t", dealer_mode: "live", results: [], round: null } as unknown as PublicView;
  private = { seat: 1, name: "ann", deck_sealed: true, credit_cents: 90_000, hands: {}, may: ["set_wagers"] } as unknown as PrivateView;
  status = "live";
  version = 1;
  onView: (fresh: boolean) => void = () => {};
  asked: CommandAsked[] = [];
  private answers: ((answer: Answered) => void)[] = [];

  may = (kind: string) => this.private.may.includes(kind);
  command = (command: CommandAsked) => {
    this.asked.push(command);
    return new Promise<Answered>((answer) => this.answers.push(answer));
  };
  answer({ accepted = true } = {}): void {
    this.version += 1;
    const said = { type: "answer", id: "", version: this.version, accepted };
    this.answers.shift()?.(said as Answered);
  }
}

describe("keys that are pressed quickly one after another", () => {
  let table: SlowTable;
  let terminal: Terminal;

  beforeEach(() => {
    vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => {} });
    vi.stubGlobal("HTMLElement", class {});
    settings.animations = false;
    settings.sound = false;
    settings.language = "en";
    settings.shortcuts = true;
    table = new SlowTable();
    terminal = new Terminal(table as unknown as TableLink, HOUSE);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it("switch the sound on and off, whatever is open", () => {
    press("q");
    expect(settings.sound).toBe(true);
    press("q");
    expect(settings.sound).toBe(false);
  });

  it("lay a favourite with shift and its digit, once", () => {
    const wagers = [{ kind: "ante", cents: 2000, for_dealer: false }, { kind: "blind", cents: 2000, for_dealer: false }];
    terminal.favourites.slots = [null, { "2": wagers }, null];
    const shift = (code: string) =>
      handleKey(terminal, { key: "@", code, shiftKey: true, target: null, preventDefault: () => {} } as unknown as KeyboardEvent);
    shift("Digit1");
    expect(terminal.bets.betCents).toBe(0);
    shift("Digit2");
    shift("Digit2");
    expect(terminal.bets.placed).toEqual({ "1.2": wagers });
  });

  it("open the coach only at the player's own table", () => {
    press("k");
    expect(terminal.panel).toBeNull();
    table.public = { ...table.public, private: true };
    press("k");
    expect(terminal.panel).toBe("coach");
  });

  function press(keys: string, { repeat = false } = {}): void {
    for (const key of keys.split(" ")) {
      handleKey(terminal, { key, repeat, target: null, preventDefault: () => {} } as unknown as KeyboardEvent);
    }
  }

  function threeHandsDue(): void {
    const hand = (number: number) => ({
      seat: 1, hand: number, wagers: [], cards: ["2c", "3d"], decisions: [], lines: [], due: true,
      choices: [{ kind: "check", cost_cents: 0 }, { kind: "bet", multiple: 4, cost_cents: 4000 }],
      may_hold: false,
    });
    table.private = {
      ...table.private, may: ["decide"], collection_cents: 0,
      hands: { "1.1": hand(1), "1.2": hand(2), "1.3": hand(3) },
    } as unknown as PrivateView;
    table.public = {
      ...table.public,
      round: {
        number: 1, id: "t/1", phase: "playing", street: "before_flop", common: [], dealer: [],
        hands: {}, hands_in_play: 3, hands_waited_for: 3,
      },
    } as unknown as PublicView;
    terminal.stage.catchUp();
    terminal.follow();
  }

  const decided = () =>
    table.asked.map((command) => (command.kind === "decide" ? `${command.spot} ${command.decision.kind}` : command.kind));

  it("decide for one hand after another, before the first is answered", () => {
    threeHandsDue();
    press("c 4 c");
    expect(decided()).toEqual(["1.1 check", "1.2 bet", "1.3 check"]);
    press("c");
    expect(table.asked).toHaveLength(3);
  });

  it("act once while they are held down", () => {
    threeHandsDue();
    press("4");
    press("4 4 4", { repeat: true });
    expect(decided()).toEqual(["1.1 bet"]);
  });

  it("go back to a hand whose decision was refused", async () => {
    threeHandsDue();
    press("4");
    expect(terminal.activeHand).toBe(2);
    table.answer({ accepted: false });
    await vi.waitFor(() => expect(terminal.activeHand).toBe(1));
  });

  it("place every chip, and deal once they are on the table", async () => {
    press("a t x enter");
    expect(terminal.betCents).toBe(6000);
    expect(table.asked.map((command) => command.kind)).toEqual(["set_wagers"]);
    table.private = { ...table.private, may: ["set_wagers", "close_bets"] };
    table.answer();
    await vi.waitFor(() => expect(table.asked).toHaveLength(2));
    const hands = { "1.1": { seat: 1, wagers: terminal.bets.placed["1.1"] } };
    table.private = { ...table.private, hands } as unknown as PrivateView;
    table.public = {
      ...table.public, round: { number: 1, id: "t/1", phase: "wagering" },
    } as unknown as PublicView;
    table.answer();
    await vi.waitFor(() => expect(decided()).toEqual(["set_wagers", "set_wagers", "close_bets"]));
  });
});
