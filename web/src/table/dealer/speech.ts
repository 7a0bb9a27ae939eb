// The dealer's sentences.

import type { OwnHandView, PrivateView, RoundView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";
import { chipMoney } from "../../words/money";
import { capital, cardWords, cardsWords, handWords, madeWords, voidWords } from "../../words/vocabulary";
import type { RevealStep } from "../reveal";

interface Scene {
  round: RoundView | null;
  own: PrivateView | null;
}

/** Whether the viewer banks the round, so that the dealer's hand is the own one. */
export function banks({ round, own }: Scene): boolean {
  return round?.banker_seat != null && round.banker_seat === own?.seat;
}

/** What wagers have won for the dealer. */
export function wonForDealer(hands: Iterable<Pick<OwnHandView, "lines">>): number {
  let cents = 0;
  for (const { lines } of hands) {
    for (const line of lines) if (line.for_dealer) cents += line.payout_cents;
  }
  return cents;
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

/** What a round has brought. */
export function netWords(net: number): string {
  if (net > 0) return t("say.net_win", { amount: chipMoney(net) });
  if (net < 0) return t("say.net_loss", { amount: chipMoney(-net) });
  return t("say.net_even");
}

function voidSpeech(round: RoundView): string {
  return t("say.void", { reason: voidWords(round.void_reason, round.void_code) });
}

/** Whose hand the others play against. */
function dealerName(scene: Scene): "dealer" | "banker" | "own_bank" {
  if (banks(scene)) return "own_bank";
  return scene.round?.banker_seat == null ? "dealer" : "banker";
}

function dealerSpeech(round: RoundView, own: PrivateView): string {
  if (!round.dealer_made) return "";
  const made = handWords(round.dealer_made);
  const name = dealerName({ round, own });
  return round.dealer_qualified === false
    ? t(`say.${name}_not_qualified`, { made })
    : t(`say.${name}`, { made });
}

/** What is said after the result: what the dealer has got of it, and what the house has taken. */
function afterSpeech(own: PrivateView): string[] {
  const tip = wonForDealer(Object.values(own.hands));
  return [
    tip > 0 ? t("say.tip", { amount: chipMoney(tip) }) : "",
    own.collection_cents > 0 ? t("say.collection", { amount: chipMoney(own.collection_cents) }) : "",
  ];
}

function joined(sentences: readonly string[]): string {
  return sentences.filter(Boolean).join(" ");
}

/** What is written on the felt once a round is over: the dealer's hand and the whole result. */
export function endWords(round: RoundView, own: PrivateView): string {
  if (round.phase === "voided") return voidSpeech(round);
  const took = Object.keys(own.hands).length > 0 || banks({ round, own });
  const result = took ? [netWords(own.net_cents), ...afterSpeech(own)] : [];
  return joined([dealerSpeech(round, own), ...result]);
}

/** What is said of the dealer's hand and of each own hand once a round is over. */
function endSpeech(round: RoundView, own: PrivateView): string {
  if (round.phase === "voided") return voidSpeech(round);
  const sentences = [dealerSpeech(round, own)];
  const hands = Object.values(own.hands);
  if (banks({ round, own })) sentences.push(netWords(own.net_cents));
  for (const hand of hands) {
    const name = hands.length > 1 ? `${t("hand.name", { number: hand.hand })}: ` : "";
    const made = hand.made ? `${madeWords(hand.made)}. ` : "";
    sentences.push(`${name}${made}${netWords(hand.net_cents ?? 0)}`);
  }
  return joined([...sentences, ...afterSpeech(own)]);
}

/** What the house has taken when the bets closed; nothing where it takes nothing. */
function collectionSpeech(before: Scene, { round, own }: Scene): string {
  const closed = before.round?.id === round?.id && before.round?.phase === "wagering";
  const cents = own?.collection_cents ?? 0;
  return closed && cents > 0 ? t("say.collection_taken", { amount: chipMoney(cents) }) : "";
}

/** What is said when the table has come to rest after a change. */
export function resultSpeech(before: Scene, after: Scene): string {
  const { round, own } = after;
  if (!round || !own) return "";
  const over = round.phase === "settled" || round.phase === "voided";
  const again = before.round?.id === round.id && before.round.phase === round.phase;
  if (over) return again ? "" : endSpeech(round, own);
  if (round.phase === "wagering") {
    return again ? "" : t(banks(after) ? "say.you_bank" : "say.place_bets");
  }
  return joined([collectionSpeech(before, after), turnSpeech(before, round, own)]);
}

/** Which hand has to decide, where that has just come about. */
function turnSpeech(before: Scene, round: RoundView, own: PrivateView): string {
  const due = Object.values(own.hands).filter((hand) => hand.due);
  const wereDue = Object.values(before.own?.hands ?? {}).filter((hand) => hand.due);
  if (due.length === 0 || (round.street === before.round?.street && wereDue.length === due.length)) {
    return "";
  }
  const hand = due[0];
  if (!hand) return "";
  const words = hand.made ? madeWords(hand.made) : capital(cardsWords(hand.cards));
  return Object.keys(own.hands).length > 1
    ? t("say.your_turn_hand", { number: hand.hand, hand: words })
    : t("say.your_turn", { hand: words });
}
