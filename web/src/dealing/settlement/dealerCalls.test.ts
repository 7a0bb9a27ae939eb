import { describe, expect, it } from "vitest";
import type { HandView, LineView, PreviewView, RoundView } from "../../protocol/messages";
import { dealerCall, handCall, withPreview } from "./dealerCalls";
import { feltSums } from "./feltSums";

function line(wager: string, stake: number, returned: number, payout: number, pays?: string): LineView {
  return {
    wager,
    for_dealer: false,
    stake_cents: stake,
    returned_cents: returned,
    payout_cents: payout,
    why: { pays: pays ?? null },
  } as unknown as LineView;
}

function hand(parts: Partial<HandView>): HandView {
  return { seat: 2, hand: 1, lines: [], wagers: [], void: false, made: null, ...parts } as HandView;
}

const round = (parts: object): RoundView => ({ hands: {}, ...parts }) as unknown as RoundView;

describe("what the dealer calls", () => {
  it("is the dealer's hand, and whether it qualifies", () => {
    expect(dealerCall(round({ dealer_made: "Pair of nines", dealer_qualified: true }))).toBe(
      "Dealer: pair of nines, qualifies.",
    );
    expect(dealerCall(round({ dealer_made: "King high", dealer_qualified: false }))).toContain(
      "does not qualify",
    );
    expect(dealerCall(round({ dealer_made: null }))).toBeNull();
  });

  it("is every hand with its wagers", () => {
    const lines = [
      line("ante", 1000, 1000, 0),
      line("blind", 1000, 1000, 1500, "3 to 2"),
      line("play", 4000, 4000, 4000),
      line("trips", 500, 0, 0),
    ];
    expect(handCall(hand({ made: "Flush, ace high", lines }))).toBe(
      "Seat 2: flush, ace high. Ante pushes; Blind pays 3 to 2, $15.00; Play pays $40.00; Trips loses.",
    );
    expect(handCall(hand({ lines: [line("ante", 1000, 0, 0)] }))).toBe("Seat 2: folded. Ante loses.");
    expect(handCall(hand({ void: true, lines: [line("ante", 5, 5, 0)] }))).toContain("void hand");
  });

  it("comes from the preview until the round is settled", () => {
    const lines = { "2.1": [line("ante", 1000, 1000, 1000)] };
    const preview = { lines } as unknown as PreviewView;
    const before = round({ hands: { "2.1": hand({}), "3.1": hand({ seat: 3 }) } });
    expect(withPreview(before, preview).hands["2.1"]?.lines).toHaveLength(1);
    expect(withPreview(before, preview).hands["3.1"]?.lines).toEqual([]);
    expect(withPreview(before, null)).toBe(before);
  });
});

describe("the chips on the felt", () => {
  it("are all wagers of all hands, and none where hands lie at terminals", () => {
    const wagers = [
      { kind: "ante", cents: 1000, for_dealer: false },
      { kind: "progressive", cents: 100, for_dealer: false },
    ];
    const hands = { "2.1": hand({ wagers }), "3.1": hand({ wagers }) };
    expect(feltSums(round({ hands }))).toEqual({ hands: 2, cents: 2200, progressiveCents: 200 });
    expect(feltSums(round({}))).toBeNull();
  });
});
