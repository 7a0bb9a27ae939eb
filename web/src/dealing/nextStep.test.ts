import { describe, expect, it } from "vitest";
import type { PrivateView, PublicView, RoundView } from "../protocol/messages";
import { nextStep, placeName, readPlace } from "./nextStep";

const OWN = { may: ["change_dealer"] } as unknown as PrivateView;

function table(round: Partial<RoundView> | null, rest: Partial<PublicView> = {}): PublicView {
  const felt = round && { hands: { "1.1": {} }, ...round };
  return { phase: "open", dealer: "Dora", round: felt, ...rest } as unknown as PublicView;
}

describe("readPlace", () => {
  it("reads every name of a place", () => {
    expect(readPlace("hand 3.1 card 2")).toEqual({ lies: "hand", spot: "3.1", position: 2 });
    expect(readPlace("dealer card 1")).toEqual({ lies: "dealer", spot: null, position: 1 });
    expect(readPlace("common card 5")).toEqual({ lies: "common", spot: null, position: 5 });
    expect(readPlace("dealer")).toEqual({ lies: "dealer", spot: null, position: null });
    expect(readPlace("hand 2.1")).toEqual({ lies: "hand", spot: "2.1", position: null });
    expect(readPlace("hand")).toEqual({ lies: "hand", spot: null, position: null });
    expect(() => readPlace("shoe")).toThrow("shoe");
    for (const name of ["hand 3.1 card 2", "dealer card 1", "common card 5"]) {
      expect(placeName(readPlace(name))).toBe(name);
    }
  });
});

describe("nextStep", () => {
  it("waits while the floor has been called", () => {
    const held = table({ phase: "playing", step: "decisions" }, { hold: { left_ms: 5000 } });
    expect(nextStep(held, OWN)).toEqual({ kind: "hold" });
  });

  it("begins with signing on", () => {
    expect(nextStep(table(null, { dealer: null }), OWN).kind).toBe("sign_on");
    const other = { may: [] } as unknown as PrivateView;
    expect(nextStep(table(null), other)).toEqual({ kind: "taken", dealer: "Dora" });
  });

  it("goes through a round in order", () => {
    expect(nextStep(table(null), OWN).kind).toBe("open_bets");
    expect(nextStep(table({ phase: "wagering", hands_in_play: 2 }), OWN)).toEqual({
      kind: "close_bets",
      bets: 2,
    });
    const card = { phase: "playing", step: "card", step_place: "hand 1.1 card 1" };
    expect(nextStep(table(card), OWN)).toEqual({
      kind: "card",
      place: { lies: "hand", spot: "1.1", position: 1 },
    });
    const due = { phase: "playing", step: "decisions", hands_waited_for: 1 };
    expect(nextStep(table(due), OWN)).toEqual({ kind: "decisions", waiting: 1 });
    const turn = { phase: "playing", step: "turn", step_place: "dealer" };
    expect(nextStep(table(turn), OWN).kind).toBe("turn");
    expect(nextStep(table({ phase: "ready", step: "confirm" }), OWN).kind).toBe("confirm");
    expect(nextStep(table({ phase: "settled" }), OWN)).toEqual({ kind: "open_bets", pay: true });
    expect(nextStep(table({ phase: "voided" }), OWN)).toEqual({ kind: "open_bets", pay: false });
    // At a stadium the terminals take and pay.
    const hall = { phase: "settled", hands: {} };
    expect(nextStep(table(hall), OWN)).toEqual({ kind: "open_bets", pay: false });
    const last = { phase: "ready", step: "confirm", hands: {} };
    expect(nextStep(table(last), OWN)).toEqual({ kind: "confirm", pay: false });
  });

  it("waits for a bank where players bank, for seeds, and for a table that is closed", () => {
    expect(nextStep(table(null, { bank_offered_to: 2 }), OWN).kind).toBe("bank");
    const card = { phase: "playing", step: "card", step_place: "hand 1.1 card 1" };
    const seeds = { fixed: false } as unknown as PublicView["seeds"];
    expect(nextStep(table(card, { seeds }), OWN).kind).toBe("seeds");
    expect(nextStep(table(null, { phase: "closed" }), OWN).kind).toBe("closed");
    expect(nextStep(table(null, { phase: "paused" }), OWN).kind).toBe("paused");
    expect(nextStep(table(null, { stopped: "The disk is full." }), OWN)).toEqual({
      kind: "stopped",
      sentence: "The disk is full.",
    });
  });
});
