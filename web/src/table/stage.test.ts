import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { announcer, say } from "../app/announcer.svelte";
import { settings } from "../app/settings.svelte";
import type { OwnHandView, PrivateView, PublicView } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { NOTHING_LAID, revealSteps } from "./reveal";
import { durationMs, RESULT_MS, Stage, TURN_OVER_MS } from "./stage.svelte";

class FakeLink {
  public: PublicView | null = null;
  private: PrivateView | null = null;
  version = 0;
  clockEndsAt: number | null = null;
  onView: (fresh: boolean) => void = () => {};
}

function hand(number: number, due: boolean): OwnHandView {
  return {
    seat: 1,
    hand: number,
    wagers: [],
    cards: [`${number + 1}c`, `${number + 1}d`],
    made: `Pair of ${["twos", "threes", "fours"][number - 1]}`,
    decisions: [],
    due,
    choices: [],
    may_hold: false,
    lines: [],
    void: false,
    fouled: false,
  };
}

describe("what the felt says", () => {
  let link: FakeLink;
  let stage: Stage;
  let marked: number;

  beforeEach(() => {
    settings.animations = false;
    settings.language = "en";
    announcer.line = announcer.written = "";
    link = new FakeLink();
    stage = new Stage(link as unknown as TableLink, () => false);
    marked = 1;
    stage.marked = () => marked;
  });

  function show(street: string, due: readonly boolean[], phase = "playing"): void {
    link.version += 1;
    const hands = due.map((isDue, at) => [`1.${at + 1}`, hand(at + 1, isDue)]);
    link.private = {
      seat: 1, credit_cents: 0, wallet_cents: 0, bet_cents: 0, win_cents: 0, net_cents: -500,
      collection_cents: 0, may: [],
      hands: Object.fromEntries(hands),
    } as unknown as PrivateView;
    link.public = {
      round: {
        number: 1, id: "t/1", phase, street, common: [], dealer: [], hands: {}, hands_in_play: 3,
        hands_waited_for: 3,
      },
    } as unknown as PublicView;
    stage.catchUp();
  }

  it("is about the hand that is marked", () => {
    marked = 3;
    show("on_flop", [true, true, true]);
    expect(announcer.line).toBe("Hand 3: Pair of fours. Your decision.");
    expect(announcer.written).toBe(announcer.line);
  });

  it("is about the first that waits where the marked one does not", () => {
    marked = 1;
    show("on_flop", [false, true, true]);
    expect(announcer.line).toBe("Hand 2: Pair of threes. Your decision.");
  });

  it("follows the mark", () => {
    show("on_flop", [true, true, true]);
    expect(announcer.line).toContain("Hand 1: ");
    marked = 2;
    stage.turnToMarked();
    expect(announcer.line).toBe("Hand 2: Pair of threes. Your decision.");
    show("on_flop", [true, false, true]);
    marked = 2;
    stage.turnToMarked();
    expect(announcer.line).toContain("Hand 1: ");
  });

  it("goes through the hands in their order at the end, whichever is marked", () => {
    show("on_river", [false, false, false]);
    marked = 3;
    show("on_river", [false, false, false], "settled");
    expect(announcer.line.indexOf("Hand 1")).toBeGreaterThanOrEqual(0);
    expect(announcer.line.indexOf("Hand 1")).toBeLessThan(announcer.line.indexOf("Hand 3"));
  });
});

describe("a result", () => {
  let link: FakeLink;
  let stage: Stage;

  beforeEach(() => {
    vi.useFakeTimers();
    settings.animations = false;
    settings.language = "en";
    announcer.line = announcer.written = "";
    link = new FakeLink();
    stage = new Stage(link as unknown as TableLink, () => false);
    publicIs(1, "playing");
    ownIs({ net: 0, lines: false });
    stage.catchUp();
  });
  afterEach(() => {
    stage.close();
    vi.useRealTimers();
  });

  function publicIs(number: number, phase: string): void {
    link.public = {
      results: [],
      round: {
        number, id: `t/${number}`, phase, common: [], dealer: [], hands: {}, hands_in_play: 1,
        hands_waited_for: 0,
      },
    } as unknown as PublicView;
  }

  function ownIs({ net, lines, hands = true }: { net: number; lines: boolean; hands?: boolean }): void {
    const own = {
      ...hand(1, false),
      wagers: [{ kind: "ante", cents: 1000, for_dealer: false }],
      lines: lines ? [{ wager: "ante" }] : [],
      net_cents: lines ? net : null,
    };
    link.private = {
      seat: 1, credit_cents: 0, wallet_cents: 0, bet_cents: 0, win_cents: 0, net_cents: net, may: [],
      hands: hands ? { "1.1": own } : {},
    } as unknown as PrivateView;
  }

  function settle(): void {
    publicIs(1, "settled");
    ownIs({ net: 10_000, lines: true });
    link.onView(false);
  }

  function nextRound(): void {
    publicIs(2, "wagering");
    ownIs({ net: 0, lines: false, hands: false });
    link.onView(false);
  }

  it("is shown and said at once, without a timer", () => {
    settle();
    expect(vi.getTimerCount()).toBe(0);
    expect(stage.round?.phase).toBe("settled");
    expect(stage.own?.hands["1.1"]?.lines).toHaveLength(1);
    expect(announcer.written).toContain("You win $100");
  });

  it("is celebrated once if it is a real win, and not by a terminal that comes later", () => {
    expect(stage.won).toBeNull();
    settle();
    expect(stage.won).toBe("t/1");
    const later = new Stage(link as unknown as TableLink, () => false);
    later.catchUp();
    expect(later.won).toBeNull();
    later.close();
  });

  it.each([
    ["a push", "settled", 0],
    ["a win that is less than what was lost beside it", "settled", -500],
    ["a void round", "voided", 0],
  ])("is not celebrated if it is %s", (_, phase, net) => {
    publicIs(1, phase);
    ownIs({ net, lines: true });
    link.onView(false);
    expect(stage.round?.phase).toBe(phase);
    expect(stage.won).toBeNull();
  });

  it("is said after what the dealer has to say to the same change", () => {
    stage.beforeTake = () => say(() => "Flop: two of clubs.");
    settle();
    expect(announcer.written).toBe("You win $100.");
  });

  function dealt(): void {
    publicIs(2, "playing");
    link.onView(false);
  }

  it("stays until the player's next press when the next round has begun", () => {
    settle();
    nextRound();
    vi.advanceTimersByTime(10 * RESULT_MS);
    expect(stage.round?.id).toBe("t/1");
    expect(stage.behind).toBe(true);
    stage.release();
    expect(stage.round?.id).toBe("t/2");
    expect(stage.behind).toBe(false);
  });

  it("stays for four seconds for a player who only watches the next deal, and then goes", () => {
    settle();
    nextRound();
    dealt();
    vi.advanceTimersByTime(RESULT_MS - 100);
    expect(stage.round?.id).toBe("t/1");
    vi.advanceTimersByTime(200);
    expect(stage.round).toMatchObject({ id: "t/2", phase: "playing" });
  });

  it("goes after four seconds where the viewer has no seat", () => {
    settle();
    publicIs(2, "wagering");
    link.private = { ...link.private, seat: null, hands: {} } as unknown as PrivateView;
    link.onView(false);
    vi.advanceTimersByTime(RESULT_MS - 100);
    expect(stage.round?.id).toBe("t/1");
    vi.advanceTimersByTime(200);
    expect(stage.round?.id).toBe("t/2");
  });

  it("goes at once where the player's chips are in the next round", () => {
    settle();
    publicIs(2, "wagering");
    ownIs({ net: 0, lines: false });
    link.onView(false);
    expect(stage.round?.id).toBe("t/2");
  });

  it("stays though the screen has never caught up with its round before", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    settings.animations = true;
    settings.sound = false;
    settle();
    stage.release();
    const card = (cards: (string | null)[], phase: string) => {
      publicIs(2, phase);
      link.public = {
        ...link.public, round: { ...link.public?.round, dealer: cards },
      } as unknown as PublicView;
      link.onView(false);
      vi.advanceTimersByTime(50);
    };
    // A bank has nothing to decide, so nothing waits for its screen.
    link.private = { ...link.private, hands: {}, seat: 1 } as unknown as PrivateView;
    card([null], "playing");
    card([null, null], "playing");
    card(["As", "Ad"], "settled");
    expect(stage.busy).toBe(true);
    publicIs(3, "wagering");
    link.onView(false);
    while (stage.busy) vi.advanceTimersByTime(5);
    expect(stage.round).toMatchObject({ id: "t/2", phase: "settled" });
    vi.advanceTimersByTime(RESULT_MS);
    expect(stage.round?.id).toBe("t/2");
    vi.unstubAllGlobals();
  });

  it("tells the player who banks, and has no lines, what the bank has won or lost", () => {
    const bank = { seat: 1, hands: {}, net_cents: 0, collection_cents: 200, may: ["buy_in"] };
    const banked = (phase: string) => {
      publicIs(1, phase);
      link.public = {
        ...link.public,
        round: { ...link.public?.round, banker_seat: 1, dealer_made: "Pair of twos" },
      } as PublicView;
    };
    banked("playing");
    link.private = bank as unknown as PrivateView;
    stage.catchUp();
    banked("settled");
    link.private = { ...bank, net_cents: -3000, may: ["buy_in", "leave_seat"] } as unknown as PrivateView;
    link.onView(false);
    expect(announcer.written).toBe("Your hand: pair of twos. You lose $30. Collection: $2.");
  });

  it("changes its language with the page", () => {
    settle();
    expect(announcer.written).toBe("You win $100.");
    settings.language = "es";
    expect(announcer.written).toBe("Usted gana $100.");
  });

  it("goes when the player bets", () => {
    settle();
    nextRound();
    vi.advanceTimersByTime(100);
    stage.release();
    vi.advanceTimersByTime(100);
    expect(stage.round?.id).toBe("t/2");
  });

  it("goes when the next round is dealt after that", () => {
    settle();
    nextRound();
    vi.advanceTimersByTime(RESULT_MS);
    dealt();
    expect(stage.round?.id).toBe("t/2");
  });

  it("does not count among the last games before it is shown", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    settings.animations = true;
    settings.sound = false;
    publicIs(1, "settled");
    const round = { ...link.public?.round, dealer: ["As", "Ad"] };
    link.public = { ...link.public, round, results: [{ number: 1 }] } as unknown as PublicView;
    ownIs({ net: 10_000, lines: true });
    link.onView(false);
    expect(stage.busy).toBe(true);
    expect(stage.results).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect(stage.results).toHaveLength(1);
    vi.unstubAllGlobals();
  });

  it("has its cards turned first when the next round begins meanwhile, and then stays", () => {
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    settings.animations = true;
    settings.sound = false;
    publicIs(1, "settled");
    const round = { ...link.public?.round, dealer: ["As", "Ad"] };
    link.public = { ...link.public, round } as unknown as PublicView;
    ownIs({ net: 10_000, lines: true });
    link.onView(false);
    nextRound();
    expect(stage.revealing).toBe(true);
    while (stage.busy) vi.advanceTimersByTime(5);
    expect(stage.round).toMatchObject({ id: "t/1", phase: "settled" });
    dealt();
    vi.advanceTimersByTime(RESULT_MS - 100);
    expect(stage.round?.id).toBe("t/1");
    vi.advanceTimersByTime(300);
    expect(stage.round?.id).toBe("t/2");
    vi.unstubAllGlobals();
  });
});

describe("the cards before a decision", () => {
  /** As REVEAL_MS of the server: so much later than the cards the clock of a decision starts. */
  const REVEAL_MS = 2000;

  it.each([
    ["three hands and a board face down", ["1.1", "1.2", "1.3"], 2, 5, false],
    ["a hand of draw and its draw cards", ["1.1"], 5, 5, true],
  ])("are shown before its clock starts: %s", (_, spots, cards, common, draw) => {
    const before = { ...NOTHING_LAID, round: "t/1" };
    const hands = Object.fromEntries(spots.map((spot) => [spot, Array(cards).fill("As")]));
    const target = { ...before, hands, common: Array(common).fill(null) };
    expect(durationMs(revealSteps(before, target, draw))).toBeLessThanOrEqual(REVEAL_MS);
  });

  it.each([["flop", 0, 3], ["turn and river", 3, 5]])("%s too", (_, lie, turned) => {
    const faces = (count: number) => Array.from({ length: 5 }, (_, at) => (at < count ? "As" : null));
    const before = { ...NOTHING_LAID, round: "t/1", common: faces(lie) };
    const target = { ...before, common: faces(turned) };
    expect(durationMs(revealSteps(before, target, false))).toBeLessThanOrEqual(REVEAL_MS);
  });
});

describe("cards that move", () => {
  let link: FakeLink;
  let stage: Stage;

  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    settings.animations = true;
    settings.sound = false;
    settings.language = "en";
    announcer.line = announcer.written = "";
    link = new FakeLink();
    stage = new Stage(link as unknown as TableLink, () => false);
  });
  afterEach(() => {
    stage.close();
    settings.animations = false;
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });

  function show(common: (string | null)[], clockMs: number | null = null, givenMs = 0): void {
    const own = { ...hand(1, true), choices: [{ kind: "check", cost_cents: 0 }] };
    const other = { ...hand(1, false), seat: 2, cards: [null, null] };
    link.version += 1;
    link.private = { seat: 1, hands: { "1.1": own }, may: [], collection_cents: 0 } as unknown as PrivateView;
    link.public = {
      results: [],
      clock: clockMs === null ? null : { number: 1, gives_time_for: "decisions", total_ms: clockMs },
      round: {
        number: 1, id: "t/1", phase: "playing", street: `${common.length}`, common,
        dealer: [null, null], hands: { "2.1": other, "1.1": own }, hands_in_play: 2,
        hands_waited_for: 1,
      },
    } as unknown as PublicView;
    link.clockEndsAt = clockMs === null ? null : performance.now() + clockMs + givenMs;
    link.onView(false);
  }

  /** How long it takes until the player can decide. */
  function waited(): number {
    const start = performance.now();
    while (stage.busy || stage.own === null) vi.advanceTimersByTime(5);
    return performance.now() - start;
  }

  it("are named when they have been turned over, and not before", () => {
    show([null, null, null, null, null]);
    waited();
    show([null, null, null, null, "6d"]);
    while (stage.round?.common[4] !== "6d") vi.advanceTimersByTime(5);
    vi.advanceTimersByTime(TURN_OVER_MS - 10);
    expect(announcer.written).not.toContain("six of diamonds");
    vi.advanceTimersByTime(10);
    expect(announcer.written).toBe("River: six of diamonds.");
  });

  it("take their time where the clock waits for them", () => {
    show([]);
    const calm = waited();
    stage.close();
    stage = new Stage(link as unknown as TableLink, () => false);
    show([], 10_000, 2000);
    expect(waited()).toBe(calm);
    expect((link.clockEndsAt ?? 0) - performance.now()).toBeGreaterThanOrEqual(10_000);
  });

  it("come faster by a short clock, and others' cards hold no player up", () => {
    show([]);
    const calm = waited();
    stage.close();
    stage = new Stage(link as unknown as TableLink, () => false);
    show([], 15_000);
    const hurried = waited();
    expect(hurried).toBeLessThan(calm / 2);
    expect(stage.own?.hands["1.1"]?.choices).toHaveLength(1);
    expect(stage.round?.dealer).toEqual([null, null]);
    expect(stage.round?.hands["2.1"]?.cards).toEqual([null, null]);
  });
});
