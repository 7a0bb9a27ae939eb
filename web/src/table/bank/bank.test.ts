import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { Terminal } from "../terminal.svelte";
import { nextBankerName, seatName } from "./bank";

function table(next: number | null, banks = false): Terminal {
  return {
    seat: 1,
    banks,
    link: { public: { house_seats: [6, 7], banks_next: next } },
  } as unknown as Terminal;
}

describe("the bank", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  it("calls everybody by what they are", () => {
    const names = [1, 2, 6].map((seat) => seatName(seat, table(null)));
    expect(names).toEqual(["You", "Seat 2", "Seat 6 · house"]);
  });

  it("says who is next, and who goes on", () => {
    expect(nextBankerName(table(null))).toBe("–");
    expect(nextBankerName(table(7))).toBe("Seat 7 · house");
    expect(nextBankerName(table(1))).toBe("You");
    expect(nextBankerName(table(1, true))).toBe("You again");
  });
});
