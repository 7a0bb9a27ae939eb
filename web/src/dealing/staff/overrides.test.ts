import { expect, it } from "vitest";
import type { PrivateView, RoundView } from "../../protocol/messages";
import { overrides } from "./overrides";

const own = (...may: string[]) => ({ may }) as unknown as PrivateView;
const round = (phase: string, cards: (string | null)[]) =>
  ({ phase, step: "card", dealer: cards, common: [], hands: {} }) as unknown as RoundView;

it("offers what the dealer may not do alone", () => {
  expect(overrides(round("playing", [null]), own())).toEqual(["void_round", "correct_card"]);
  expect(overrides(round("playing", [null]), own("correct_card"))).toEqual(["void_round"]);
  expect(overrides(round("playing", []), own())).toEqual(["void_round", "reopen_bets"]);
  expect(overrides(round("wagering", []), own("void_round"))).toEqual([]);
});

it("offers nothing once the round is over", () => {
  for (const phase of ["settled", "voided"]) {
    expect(overrides(round(phase, ["As"]), own())).toEqual([]);
  }
  expect(overrides(null, own())).toEqual([]);
});
