// What the dealer calls before paying: the dealer's hand, then every hand in the house's order.

import type { HandView, LineView, PreviewView, RoundView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";
import { money } from "../../words/money";
import { placeTitle } from "../../words/places";
import { handWords, madeWords, paysWords, wagerWords } from "../../words/vocabulary";
import { payoutOf } from "../payouts";

/** The round with the lines that its confirmation would give. */
export function withPreview(round: RoundView, preview: PreviewView | null): RoundView {
  if (!preview) return round;
  const hands = Object.entries(round.hands).map(([spot, hand]) => [
    spot,
    { ...hand, lines: preview.lines[spot] ?? [] },
  ]);
  return { ...round, hands: Object.fromEntries(hands) as RoundView["hands"] };
}

/** The dealer's hand as it is called; null if it is not shown. */
export function dealerCall(round: RoundView): string | null {
  if (!round.dealer_made) return null;
  const hand = handWords(round.dealer_made);
  if (round.dealer_qualified == null) return t("call.dealer", { hand });
  return t(round.dealer_qualified ? "call.dealer.qualifies" : "call.dealer.not", { hand });
}

function lineCall(line: LineView): string {
  const wager = wagerWords(line.wager);
  const { act, payCents } = payoutOf(line);
  if (act !== "pay") return t(act === "push" ? "call.push" : "call.take", { wager });
  const amount = money(payCents);
  const { pays } = line.why;
  return pays
    ? t("call.pay_at", { wager, pays: paysWords(pays), amount })
    : t("call.pay", { wager, amount });
}

/** One hand as it is called: what it made, and what becomes of each wager. */
export function handCall(hand: HandView): string {
  const place = placeTitle("hand", `${hand.seat}.${hand.hand}`, false);
  const made = hand.void
    ? t("call.void")
    : hand.fouled
    ? t("call.fouled")
    : hand.made
      ? madeWords(hand.made).toLowerCase()
      : t("call.folded");
  return t("call.seat", { place, hand: made, lines: hand.lines.map(lineCall).join("; ") });
}
