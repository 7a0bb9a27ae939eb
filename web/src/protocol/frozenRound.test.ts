import { expect, it } from "vitest";
import { frozenViews, pictureAddress, type FrozenRound } from "./frozenRound";

it("the dealer's view comes first, and then the seats by their numbers, each with its own values", () => {
  const step = (own: Record<string, number>) => ({ what: 0, public: 1, own });
  const frozen: FrozenRound = {
    house: "stadium",
    fingerprint: "",
    views: {
      dealer: { steps: [step({})] },
      seats: { "10": { player: "bob", steps: [step({ "10.1": 2 })] }, "9": { player: null, steps: [] } },
    },
    shared: [{ kind: "bets_closed" }, { number: 1 }, { cards: ["As"] }],
  };
  const views = frozenViews(frozen);
  expect(views.map(({ seat, player }) => [seat, player])).toEqual([
    [0, ""],
    [9, ""],
    [10, "bob"],
  ]);
  const shown = { what: { kind: "bets_closed" }, public: { number: 1 } };
  expect(views[0]?.steps).toEqual([{ ...shown, own: {} }]);
  expect(views[2]?.steps).toEqual([{ ...shown, own: { "10.1": { cards: ["As"] } } }]);
});

it("a picture is an address of its own bytes", () => {
  expect(pictureAddress("<svg id='a#b'/>")).toBe("data:image/svg+xml;charset=utf-8,%3Csvg%20id%3D'a%23b'%2F%3E");
});
