import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { Terminal } from "../terminal.svelte";
import { nextBankerName, seatName, suggestedBankWager } from "./bank";

function table(next: number | null, banks = false): Terminal {
  return {
    seat: 1,
    banks,
    link: { public: { computer_seats: [6, 7], banks_next: next } },
  } as unknown as Terminal;
}

describe("the bank", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  it("calls every seat by its role", () => {
    const names = [1, 2, 6].map((seat) => seatName(seat, table(null)));
    expect(names).toEqual(["You", "Seat 2", "Seat 6 · computer"]);
  });

  it.each([
    ["covers a small hand of each other player", 50_000, 2, 6000],
    ["is at least the smallest bank wager", 5000, 4, 3000],
    ["leaves half of the credit to a player who has little", 10_000, 6, 5000],
    ["asks for the smallest where no other player has sat down yet", 50_000, 0, 3000],
  ])("is offered for a wager that %s", (_, most, others, cents) => {
    expect(suggestedBankWager({ least: 3000, most, others })).toBe(cents);
  });

  it("says who is next, and who goes on", () => {
    expect(nextBankerName(table(null))).toBe("–");
    expect(nextBankerName(table(7))).toBe("Seat 7 · computer");
    expect(nextBankerName(table(1))).toBe("You");
    expect(nextBankerName(table(1, true))).toBe("You again");
  });
});
