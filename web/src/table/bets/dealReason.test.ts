import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { Terminal } from "../terminal.svelte";
import { dealWords, mayDeal } from "./dealReason";

interface Moment {
  may?: boolean;
  clock?: string;
  open?: boolean;
  bet?: number;
  again?: boolean;
  over?: boolean;
}

function terminal({ may, clock, open = true, bet = 0, again = false, over = false }: Moment): Terminal {
  return {
    over,
    link: {
      may: (kind: string) => kind === "close_bets" && may === true,
      public: clock ? { clock: { gives_time_for: clock } } : {},
    },
    bets: { open, betCents: bet, canRepeat: again },
  } as unknown as Terminal;
}

describe("DEAL", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  const table: [string, Moment, boolean, string][] = [
    ["deals for a player who is alone", { may: true, bet: 1000 }, true, ""],
    ["deals before the clock for a player who is alone", { may: true, bet: 1000, clock: "wagers" }, true, ""],
    ["waits for a first bet", {}, false, "Bet first"],
    ["waits for a bet though bets are open", { may: true }, false, "Bet first"],
    ["waits for a bet after a round", { again: true, over: true }, false, "Bet or re-bet"],
    ["waits for the clock where others sit", { clock: "wagers", bet: 1000 }, false, "Cards in 17 s"],
    ["says so to a player who has not bet", { clock: "wagers" }, false, "Cards in 17 s"],
    ["says so to a player who banks", { clock: "wagers", open: false }, false, "Cards in 17 s"],
    ["lets a result be, and asks for a bet", { clock: "wagers", over: true, again: true }, false, "Bet or re-bet"],
    ["waits for the house where others bet without a clock", { bet: 1000 }, false, "The house closes bets"],
    ["says nothing while a round is played", { clock: "decisions", open: false }, false, ""],
  ];
  it.each(table)("%s", (_, moment, may, words) => {
    expect(mayDeal(terminal(moment))).toBe(may);
    expect(dealWords(terminal(moment), 17)).toBe(words);
  });
});
