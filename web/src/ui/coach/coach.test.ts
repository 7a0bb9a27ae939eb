import { describe, expect, it } from "vitest";
import type { CoachedDecision, CoachView } from "../../protocol/forms";
import { antesFigure, choiceWords, costOf, costWords, totalCost } from "./coach";
import { RoundCoach } from "./roundCoach.svelte";

function decision(cost: number, anteCents = 1000): CoachedDecision {
  return {
    hand: 1,
    street: "before_flop",
    by: "player",
    ante_cents: anteCents,
    choices: [
      { kind: "bet", multiple: 4, ev: 0.5, ev_fraction: "1/2", cost: 0 },
      { kind: "check", multiple: null, ev: 0.5 - cost, ev_fraction: "?", cost },
    ],
    chosen: 1,
  };
}

function view(number: number): CoachView {
  return { round: `t/${number}`, number, decisions: [decision(0.25)], missing: null };
}

/** A server that answers when it is told to. */
class Adviser {
  asked: { number: number; signal: AbortSignal; answer: (view: CoachView) => void; fail: () => void }[] = [];

  ask = (_table: string, number: number, signal: AbortSignal): Promise<CoachView> =>
    new Promise((answer, reject) => {
      this.asked.push({ number, signal, answer, fail: () => reject(new Error("down")) });
    });
}

describe("the cost of decisions", () => {
  it("is the difference to the best one, in Antes and in cents", () => {
    expect(costOf(decision(0.25))).toEqual({ antes: 0.25, cents: 250 });
    expect(costOf({ ...decision(0.25), chosen: 0 })).toEqual({ antes: 0, cents: 0 });
    expect(totalCost([decision(0.25), decision(0.5, 200)])).toEqual({ antes: 0.75, cents: 350 });
    expect(totalCost([])).toEqual({ antes: 0, cents: 0 });
  });

  it("is said in words, and a small one is never called nothing", () => {
    expect(costWords({ antes: 0, cents: 0 })).toBe("nothing");
    expect(costWords({ antes: 0.1511, cents: 151.1 })).toBe("0.151 Ante ($1.51)");
    expect(costWords({ antes: 0.0001, cents: 0.1 })).toBe("0.001 Ante (under 1¢)");
    expect(antesFigure(-0.25)).toBe("−0.250");
  });

  it("names decisions as the buttons do", () => {
    const [bet, check] = decision(1).choices;
    expect(bet && choiceWords(bet)).toBe("Play 4x");
    expect(check && choiceWords(check)).toBe("Check");
  });
});

describe("the coach of a round", () => {
  it("shows what the adviser says, and that it has been asked", async () => {
    const adviser = new Adviser();
    const coach = new RoundCoach(adviser.ask);
    const looking = coach.look("t", 7);
    expect(coach.busy).toBe(true);
    adviser.asked[0]?.answer(view(7));
    await looking;
    expect([coach.busy, coach.view?.number, coach.failed]).toEqual([false, 7, false]);
  });

  it("takes its question back when the next one is asked, and shows no late answer", async () => {
    const adviser = new Adviser();
    const coach = new RoundCoach(adviser.ask);
    const first = coach.look("t", 7);
    const second = coach.look("t", 8);
    expect(adviser.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    adviser.asked[1]?.answer(view(8));
    await second;
    adviser.asked[0]?.answer(view(7));
    await first;
    expect(coach.view?.number).toBe(8);
  });

  it("takes its question back when the viewer leaves", async () => {
    const adviser = new Adviser();
    const coach = new RoundCoach(adviser.ask);
    const looking = coach.look("t", 7);
    coach.close();
    expect(adviser.asked[0]?.signal.aborted).toBe(true);
    adviser.asked[0]?.fail();
    await looking;
    expect([coach.busy, coach.failed, coach.view]).toEqual([false, false, null]);
  });

  it("says that it cannot be asked", async () => {
    const adviser = new Adviser();
    const coach = new RoundCoach(adviser.ask);
    const looking = coach.look("t", 7);
    adviser.asked[0]?.fail();
    await looking;
    expect([coach.busy, coach.failed]).toEqual([false, true]);
  });
});
