// The steps of a replay in words.

import type { CardDealt, DecisionView, Happened, IrregularityDeclared } from "../protocol/messages";
import { netWords } from "./outcomes";
import { maybe, t } from "./i18n.svelte";
import { handPlace, placeWords, type Watching } from "./places";
import { cardsWords, cardWords, decisionWords, voidWords } from "./vocabulary";

function decided({ by, ...decision }: DecisionView): string {
  const words = decisionWords({ by, ...decision });
  const small = words.charAt(0).toLowerCase() + words.slice(1);
  if (by === "clock") return `${small} (${t("hand.by_clock")})`;
  return by === "floor" ? `${small} (${t("hand.by_floor")})` : small;
}

function turned(lies: CardDealt["lies"], cards: readonly string[], draw: boolean): string {
  if (lies === "hand") return t("replay.cards_turned");
  const common = draw ? t("dealer.draw_cards") : t("place.board");
  const place = lies === "dealer" ? t("place.dealer") : common;
  return t("replay.card_dealt", { place, card: cardsWords(cards) });
}

function wentWrong(what: IrregularityDeclared, watching: Watching): string {
  const { about, seat, hand } = what;
  const common = watching.draw ? t("dealer.draw_cards") : t("place.board");
  const place =
    seat != null && hand != null
      ? handPlace(seat, hand, watching.seat)
      : about === "common"
        ? common
        : t(about === "dealer" ? "place.dealer" : "place.deck");
  const card = what.card ? cardWords(what.card) : "";
  return t("replay.irregularity_declared", {
    place,
    what: maybe(`replay.wrong.${what.irregularity}`) ?? what.irregularity,
    effect: maybe(`replay.effect.${what.effect}`, { card }) ?? what.effect,
  });
}

/** One step of a replay. */
export function happenedWords(what: Happened, watching: Watching): string {
  switch (what.kind) {
    case "bets_closed":
      return t("replay.bets_closed");
    case "card_dealt":
    case "card_corrected": {
      const card = what.card ? cardWords(what.card) : t("place.face_down");
      return t(`replay.${what.kind}`, { place: placeWords(what, watching), card });
    }
    case "antes_returned":
      return t("replay.antes_returned");
    case "cards_turned":
      if (what.seat != null && what.hand != null)
        return t("replay.hand_turned", { hand: handPlace(what.seat, what.hand, watching.seat) });
      return turned(what.lies, what.cards, watching.draw);
    case "decision_made": {
      const hand = handPlace(what.seat, what.hand, watching.seat);
      return what.decision
        ? t("replay.decision_made", { hand, decision: decided(what.decision) })
        : t("replay.decision_made.other", { hand });
    }
    case "irregularity_declared":
      return wentWrong(what, watching);
    case "round_settled":
      return t("replay.round_settled", { net: netWords(what.net_cents) });
    case "round_voided":
      return t("replay.round_voided", { reason: voidWords(what.reason, what.code) });
  }
}
