import { describe, expect, it } from "vitest";
import type { RoundView } from "../../protocol/messages";
import type { Terminal } from "../terminal.svelte";
import { departureWords } from "./departure";

interface Place {
  phase?: string;
  clock?: boolean;
  draw?: boolean;
  private?: boolean;
  banker?: number;
  over?: boolean;
}

function at({ phase = "playing", clock = true, banker, ...place }: Place): Terminal {
  return {
    seat: 2,
    draw: place.draw ?? false,
    house: { clock: { wager_seconds: 30, decision_seconds: 30 } },
    link: {
      may: () => place.over ?? false,
      private: { credit_cents: 49_750 },
      public: {
        private: place.private ?? false,
        clock_rule: clock ? { wager_seconds: 20, decision_seconds: 15 } : null,
        round: { phase, banker_seat: banker ?? null } as RoundView,
      },
    },
  } as unknown as Terminal;
}

describe("leaving in the middle of a round", () => {
  it.each<[string, Place, string, string]>([
    ["the clock decides", {}, "A hand is in progress", "folds at the river"],
    ["the clock plays the house way", { draw: true }, "A hand is in progress", "played the house way"],
    ["bets lie there", { phase: "wagering" }, "Your bets are on the table", "without you"],
    ["no other player waits", { private: true, clock: false }, "A hand is in progress", "waits for you"],
    [
      "bets wait",
      { private: true, clock: false, phase: "wagering" },
      "Your bets are on the table",
      "until you come back",
    ],
    ["one banks", { banker: 2 }, "A hand is in progress", "You are banking this round"],
    ["another player banks", { banker: 5 }, "A hand is in progress", "the clock decides for you"],
  ])("says what happens where %s", (_, place, title, words) => {
    const said = departureWords(at(place));
    expect(said.title).toBe(title);
    expect(said.lines[0]).toContain(words);
    expect(said.lines[1]).toContain("$497.50");
  });

  it("says so when the hand has ended meanwhile", () => {
    expect(departureWords(at({ over: true }))).toEqual({
      title: "The hand is over",
      lines: ["Your credit of $497.50 returns to your wallet."],
    });
  });
});
