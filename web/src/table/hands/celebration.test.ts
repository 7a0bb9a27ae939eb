import { describe, expect, it } from "vitest";
import { sparks, wonCents } from "./celebration";

const SETTLED = { phase: "settled" };

describe("a celebrated win", () => {
  it.each([
    ["a win of $70", SETTLED, 7000, 7000],
    ["stakes that came back", SETTLED, 0, 0],
    ["a Trips win below the stakes that were lost beside it", SETTLED, -500, 0],
    ["a void round", { phase: "voided" }, 0, 0],
    ["a round whose cards are still turned", { phase: "playing" }, 7000, 0],
  ])("of %s", (_, round, net, won) => {
    expect(wonCents(round, { net_cents: net })).toBe(won);
  });

  it("needs a round and a player", () => {
    expect([wonCents(null, { net_cents: 5 }), wonCents(SETTLED, null)]).toEqual([0, 0]);
  });
});

describe("the sparks", () => {
  it("stay on the screen, start soon, and differ from one another", () => {
    const all = sparks(18);
    expect(all.every(({ across, up }) => Math.abs(across) <= 1 && up > 0 && up <= 1)).toBe(true);
    expect(all.every(({ afterMs }) => afterMs >= 0 && afterMs <= 220)).toBe(true);
    expect(new Set(all.map(({ across }) => across)).size).toBe(18);
  });
});
