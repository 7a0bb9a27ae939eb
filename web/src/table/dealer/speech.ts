// The dealer's announcements about a round.

import type { OwnHandView, PrivateView, RoundView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";
import { chipMoney } from "../../words/money";
import { netWords } from "../../words/outcomes";
import { capital, cardWords, cardsWords, handWords, madeWords, voidWords } from "../../words/vocabulary";
import type { RevealStep } from "../reveal";

interface Scene {
  round: RoundView | null;
  own: PrivateView | null;
}

/** Whether the viewer banks the round and so plays the dealer's hand. */
export function banks({ round, own }: Scene): boolean {
  return round?.banker_seat != null && round.banker_seat === own?.seat;
}

/** What the wagers for the dealer have won. */
export function wonForDealer(hands: Iterable<Pick<OwnHandView, "lines">>): number {
  let cents = 0;
  for (const { lines } of hands) {
    for (const line of lines) if (line.for_dealer) cents += line.payout_cents;
  }
  return cents;
}

/** The announcement of common cards that have been turned over. */
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

function voidSpeech(round: RoundView): string {
  return t("say.void", { reason: voidWords(round.void_reason, round.void_code) });
}

/** How the dealer's hand is called. */
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

/** After the result: the dealer's winnings and the house's collection. */
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

/** The text on the felt once a round is over: the dealer's hand and the net result. */
export function endWords(round: RoundView, own: PrivateView): string {
  if (round.phase === "voided") return voidSpeech(round);
  const took = Object.keys(own.hands).length > 0 || banks({ round, own });
  const result = took ? [netWords(own.net_cents), ...afterSpeech(own)] : [];
  return joined([dealerSpeech(round, own), ...result]);
}

/** The announcement once a round is over: the dealer's hand and each hand of the player. */
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

/** The collection taken when bets closed; empty if there is none. */
function collectionSpeech(before: Scene, { round, own }: Scene): string {
  const closed = before.round?.id === round?.id && before.round?.phase === "wagering";
  const cents = own?.collection_cents ?? 0;
  return closed && cents > 0 ? t("say.collection_taken", { amount: chipMoney(cents) }) : "";
}

/** The announcement after a change, once all cards are shown. */
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

/** The prompt for the hand that has to decide, if that is new. */
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
