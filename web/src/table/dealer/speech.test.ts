import { beforeEach, describe, expect, it } from "vitest";
import { settings } from "../../app/settings.svelte";
import type { PrivateView, RoundView } from "../../protocol/messages";
import { endWords, resultSpeech } from "./speech";

const ROUND = { id: "t/1", phase: "settled", hands: {}, dealer_made: "Pair of kings" } as unknown as RoundView;
const NOTHING = { round: null, own: null };

function own(values: Partial<PrivateView> = {}): PrivateView {
  return { seat: 1, net_cents: 0, collection_cents: 0, hands: {}, ...values } as PrivateView;
}

/** A hand whose wager for the dealer has paid this amount. */
function tipped(payout_cents: number): PrivateView["hands"] {
  const lines = [
    { for_dealer: false, payout_cents: 9000 },
    { for_dealer: true, payout_cents },
  ];
  return { "1.1": { hand: 1, lines, net_cents: -1000, due: false, cards: [] } } as unknown as PrivateView["hands"];
}

describe("the end of a round", () => {
  beforeEach(() => {
    settings.language = "en";
  });

  it("tells a banker their own hand, the result and the collection", () => {
    const round = { ...ROUND, banker_seat: 1, dealer_qualified: false };
    const mine = own({ net_cents: -3000, collection_cents: 200 });
    const words = "Your hand: pair of kings, which does not qualify. You lose $30. Collection: $2.";
    expect(endWords(round, mine)).toBe(words);
    expect(resultSpeech(NOTHING, { round, own: mine })).toBe(words);
  });

  it("tells others whose hand it was", () => {
    expect(endWords({ ...ROUND, banker_seat: 7 }, own())).toBe("Player/dealer: pair of kings.");
    expect(endWords(ROUND, own())).toBe("Dealer: pair of kings.");
  });

  it("says what the dealer has won, and nothing where it is nothing", () => {
    expect(endWords(ROUND, own({ net_cents: -1000, hands: tipped(4000) }))).toBe(
      "Dealer: pair of kings. You lose $10. The dealer wins $40. Thank you!",
    );
    expect(endWords(ROUND, own({ net_cents: -1000, hands: tipped(0) }))).toBe(
      "Dealer: pair of kings. You lose $10.",
    );
  });
});

describe("a round that is banked", () => {
  const wagering = { ...ROUND, phase: "wagering", banker_seat: 1 };

  it("asks the others to bet, and not its banker", () => {
    expect(resultSpeech(NOTHING, { round: wagering, own: own() })).toContain("You are banking this round.");
    expect(resultSpeech(NOTHING, { round: wagering, own: own({ seat: 2 }) })).toBe("Place your bets.");
  });

  it("says what the house takes, once, when the bets close", () => {
    const before = { round: wagering, own: own() };
    const after = { round: { ...wagering, phase: "playing" }, own: own({ collection_cents: 100 }) };
    expect(resultSpeech(before, after)).toBe("The house takes a collection of $1.");
    expect(resultSpeech(after, after)).toBe("");
  });
});
