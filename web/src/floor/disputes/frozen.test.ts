import { expect, it } from "vitest";
import { frozenViews, type FrozenRound } from "./frozen";

it("the dealer's view comes first, and then the seats by their numbers", () => {
  const frozen: FrozenRound = {
    house: "stadium",
    fingerprint: "",
    proof_missing: null,
    views: { dealer: [], seats: { "10": { player: "bob", steps: [] }, "9": { player: null, steps: [] } } },
  };
  expect(frozenViews(frozen).map(({ seat, player }) => [seat, player])).toEqual([
    [0, ""],
    [9, ""],
    [10, "bob"],
  ]);
});
