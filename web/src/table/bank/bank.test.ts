import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { LineView } from "../../protocol/messages";
import type { Terminal } from "../terminal.svelte";
import { bankNet, nextBankerName, seatName } from "./bank";

function table(next: number | null, banks = false): Terminal {
  return {
    seat: 1,
    banks,
    link: { public: { computer_seats: [6, 7], banks_next: next } },
  } as unknown as Terminal;
}

const line = (stake_cents: number, returned_cents: number, payout_cents: number) =>
  ({ stake_cents, returned_cents, payout_cents }) as LineView;

describe("the bank", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  it("takes what a hand loses and pays what it wins", () => {
    const won = [line(1000, 1000, 1000), line(1000, 1000, 0), line(500, 0, 0)];
    expect(bankNet({ lines: won })).toBe(-500);
    expect(bankNet({ lines: [line(1000, 0, 0), line(1000, 0, 0)] })).toBe(2000);
  });

  it("calls everybody by what they are", () => {
    const names = [1, 2, 6].map((seat) => seatName(seat, table(null)));
    expect(names).toEqual(["You", "Seat 2", "Seat 6 · computer"]);
  });

  it("says who is next, and who goes on", () => {
    expect(nextBankerName(table(null))).toBe("–");
    expect(nextBankerName(table(7))).toBe("Seat 7 · computer");
    expect(nextBankerName(table(1))).toBe("You");
    expect(nextBankerName(table(1, true))).toBe("You again");
  });
});
