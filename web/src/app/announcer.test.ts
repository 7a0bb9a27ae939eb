import { beforeEach, describe, expect, it } from "vitest";
import { t } from "../words/i18n.svelte";
import { announcer, hush, say, silence, warn } from "./announcer.svelte";
import { settings } from "./settings.svelte";

describe("what the dealer has said", () => {
  beforeEach(() => {
    settings.language = "en";
    silence();
  });

  it("changes its language with the page", () => {
    say(() => t("say.net_win", { amount: "$30" }));
    expect(announcer.written).toBe("You win $30.");
    settings.language = "es";
    expect(announcer.written).toBe(t("say.net_win", { amount: "$30" }));
    expect(announcer.written).not.toBe("You win $30.");
    expect(announcer.line).toBe(announcer.written);
  });

  it("is not taken to another table", () => {
    warn("Ante: the maximum is $100.");
    expect(announcer.urgent).toBe("Ante: the maximum is $100.");
    hush();
    expect(announcer.urgent).toBe("");
  });

  it("stays where a sentence is empty", () => {
    say("Place your bets.");
    say(() => "");
    expect(announcer.line).toBe("Place your bets.");
  });

  it("is shorter on the felt where it is given so", () => {
    say("Dealer: pair of kings. You lose $30.", "You lose $30.");
    expect([announcer.line, announcer.written]).toEqual([
      "Dealer: pair of kings. You lose $30.",
      "You lose $30.",
    ]);
  });
});
