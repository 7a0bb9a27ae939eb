// The dealer's sentences.

import { t } from "./i18n.svelte";
import type { PrivateView, RoundView } from "./messages";
import { chipMoney } from "./money";
import type { RevealStep } from "./reveal";
import { cardWords, cardsWords, madeWords } from "./words";

interface Scene {
  round: RoundView | null;
  own: PrivateView | null;
}

/** What is said when common cards have been turned over. */
export function commonSpeech(what: RevealStep["what"], common: readonly (string | null)[]): string {
  switch (what) {
    case "flop":
      return t("say.flop", { cards: cardsWords(common.slice(0, 3)) });
    case "turn":
      return t("say.turn", { card: cardWords(common[3]) });
    case "river":
      return t("say.river", { card: cardWords(common[4]) });
    case "draw":
      return t("say.draw", { cards: cardsWords(common) });
    default:
      return "";
  }
}

function netWords(net: number): string {
  if (net > 0) return t("say.net_win", { amount: chipMoney(net) });
  if (net < 0) return t("say.net_loss", { amount: chipMoney(-net) });
  return t("say.net_even");
}

/** A hand within a sentence. */
function inside(made: string): string {
  const words = madeWords(made);
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function dealerSpeech(round: RoundView): string {
  if (!round.dealer_made) return "";
  const made = inside(round.dealer_made);
  return round.dealer_qualified === false
    ? t("say.dealer_not_qualified", { made })
    : t("say.dealer", { made });
}

/** What is written on the felt once a round is over: the dealer's hand and the whole result. */
export function endWords(round: RoundView, own: PrivateView): string {
  if (round.phase === "voided") return t("say.void", { reason: round.void_reason ?? "" });
  const result = Object.keys(own.hands).length ? netWords(own.net_cents) : "";
  return `${dealerSpeech(round)} ${result}`.trim();
}

/** What is said of the dealer's hand and of each own hand once a round is over. */
function endSpeech(round: RoundView, own: PrivateView): string {
  if (round.phase === "voided") return t("say.void", { reason: round.void_reason ?? "" });
  const sentences = [dealerSpeech(round)];
  const hands = Object.values(own.hands);
  for (const hand of hands) {
    const name = hands.length > 1 ? `${t("hand.name", { number: hand.hand })}: ` : "";
    const made = hand.made ? `${madeWords(hand.made)}. ` : "";
    sentences.push(`${name}${made}${netWords(hand.net_cents ?? 0)}`);
  }
  return sentences.filter(Boolean).join(" ");
}

/** What is said when the table has come to rest after a change. */
export function resultSpeech(before: Scene, after: Scene): string {
  const { round, own } = after;
  if (!round || !own) return "";
  const over = round.phase === "settled" || round.phase === "voided";
  const again = before.round?.id === round.id && before.round.phase === round.phase;
  if (over) return again ? "" : endSpeech(round, own);
  if (round.phase === "wagering") return again ? "" : t("say.place_bets");
  const due = Object.values(own.hands).filter((hand) => hand.due);
  const wereDue = Object.values(before.own?.hands ?? {}).filter((hand) => hand.due);
  if (due.length === 0 || (round.street === before.round?.street && wereDue.length === due.length)) {
    return "";
  }
  const hand = due[0];
  if (!hand) return "";
  const cards = cardsWords(hand.cards);
  const words = hand.made ? madeWords(hand.made) : cards.charAt(0).toUpperCase() + cards.slice(1);
  return Object.keys(own.hands).length > 1
    ? t("say.your_turn_hand", { number: hand.hand, hand: words })
    : t("say.your_turn", { hand: words });
}
