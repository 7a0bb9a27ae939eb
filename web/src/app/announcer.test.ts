import { beforeEach, describe, expect, it } from "vitest";
import { say, silence, voice } from "./announcer.svelte";
import { t } from "../words/i18n.svelte";
import { settings } from "./settings.svelte";

describe("what the dealer has said", () => {
  beforeEach(() => {
    settings.language = "en";
    silence();
  });

  it("changes its language with the page", () => {
    say(() => t("say.net_win", { amount: "$30" }));
    expect(voice.written).toBe("You win $30.");
    settings.language = "es";
    expect(voice.written).toBe(t("say.net_win", { amount: "$30" }));
    expect(voice.written).not.toBe("You win $30.");
    expect(voice.line).toBe(voice.written);
  });

  it("stays where a sentence is empty", () => {
    say("Place your bets.");
    say(() => "");
    expect(voice.line).toBe("Place your bets.");
  });

  it("is shorter on the felt where it is given so", () => {
    say("Dealer: pair of kings. You lose $30.", "You lose $30.");
    expect([voice.line, voice.written]).toEqual([
      "Dealer: pair of kings. You lose $30.",
      "You lose $30.",
    ]);
  });
});
