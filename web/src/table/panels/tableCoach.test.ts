import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import { RoundCoach } from "../../ui/coach/roundCoach.svelte";
import type { CoachView } from "../../protocol/forms";
import type { PrivateView, PublicView, RoundView } from "../../protocol/messages";
import { TableCoach } from "./tableCoach.svelte";

function view(cost: number): CoachView {
  const choice = (own: number) => ({ kind: "check" as const, multiple: null, ev: 0, ev_fraction: "0", cost: own });
  return {
    round: "t/1",
    number: 1,
    decisions: [
      { hand: 1, street: "before_flop", by: "player", ante_cents: 1000, choices: [choice(0), choice(cost)], chosen: 1 },
    ],
    missing: null,
  };
}

class Screen {
  round: RoundView | null = null;
  own: PrivateView | null = null;
  busy = false;

  shows(number: number, decisions: number): void {
    this.round = { id: `t/${number}`, number } as RoundView;
    const hand = { decisions: Array.from({ length: decisions }) };
    this.own = { hands: { "1.1": hand } } as unknown as PrivateView;
  }
}

describe("the coach at a table", () => {
  let asked: number[];
  let screen: Screen;

  beforeEach(() => {
    settings.coach = true;
    settings.language = "en";
    asked = [];
    screen = new Screen();
  });

  function coachAt(own: boolean, { draw = false, cost = 0.25 } = {}): TableCoach {
    const link = { public: { private: own, table: "t" } as PublicView };
    const ask = (_: string, number: number) => {
      asked.push(number);
      return Promise.resolve(view(cost));
    };
    return new TableCoach(link, screen, draw, new RoundCoach(ask));
  }

  it("is asked once for each decision that the screen shows", () => {
    const coach = coachAt(true);
    screen.shows(1, 0);
    coach.follow();
    expect(asked).toEqual([]);
    screen.shows(1, 1);
    screen.busy = true;
    coach.follow();
    expect(asked).toEqual([]);
    screen.busy = false;
    coach.follow();
    coach.follow();
    screen.shows(1, 2);
    coach.follow();
    screen.shows(2, 1);
    coach.follow();
    expect(asked).toEqual([1, 1, 2]);
  });

  it("is not asked at a table with other players, nor while it is off", () => {
    screen.shows(1, 1);
    const shared = coachAt(false);
    shared.follow();
    expect([shared.offered, shared.on]).toEqual([false, false]);
    settings.coach = false;
    const off = coachAt(true);
    off.follow();
    expect([asked, off.mark]).toEqual([[], "Coach"]);
  });

  it.each([
    [0.25, "Coach: −0.250 Ante", "−0.250 Ante"],
    [0, "Coach: best play", "Best play"],
  ])("says in a few words what decisions have cost: %s", async (cost, words, short) => {
    const coach = coachAt(true, { cost });
    expect(coach.mark).toBe("Coach is on");
    screen.shows(1, 1);
    coach.follow();
    await Promise.resolve();
    await Promise.resolve();
    expect([coach.mark, coach.shortMark]).toEqual([words, short]);
  });

  it("has no advice for Ultimate Draw, and asks for none", () => {
    const coach = coachAt(true, { draw: true });
    screen.shows(1, 1);
    coach.follow();
    expect([asked, coach.mark, coach.view?.missing]).toEqual([[], "Coach: no advice", "game"]);
  });
});
