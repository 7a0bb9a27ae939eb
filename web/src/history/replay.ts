// An old round in words: what happened step by step, and what is wrong with its proof.

import { t } from "../words/i18n.svelte";
import type { CardDealt, DecisionView, Happened } from "../protocol/messages";
import type { ProofProblem } from "../fairness/proof";
import { netWords } from "../table/dealer/speech";
import { cardsWords, cardWords, decisionWords, voidWords } from "../words/vocabulary";

/** Whose replay it is, and of which game. */
export interface Watching {
  /** The own seat; null where nobody's hands are called one's own. */
  seat: number | null;
  draw: boolean;
}

/** An own hand by its number, anybody else's by the seat; most seats have one hand only. */
function handPlace(seat: number, hand: number, own: number | null): string {
  if (seat === own) return t("hand.name", { number: hand });
  return hand === 1 ? t("seat.number", { number: seat }) : t("place.seat_hand", { seat, hand });
}

/** Where a card lies: "Hand 1, card 2". */
export function placeWords(
  { lies, seat, hand, position }: Pick<CardDealt, "lies" | "seat" | "hand" | "position">,
  watching: Watching,
): string {
  if (lies === "common" && watching.draw) return t("place.draw_card", { number: position });
  const whose =
    seat != null && hand != null
      ? handPlace(seat, hand, watching.seat)
      : t(lies === "common" ? "place.board" : "place.dealer");
  return t("place.card", { place: whose, number: position });
}

/** The name of a place with all its cards: the dealer's, the common ones, or a hand's. */
export function placeTitle(lies: CardDealt["lies"], spot: string | null, draw: boolean): string {
  if (lies === "dealer") return t("dealer.hand");
  if (lies === "common") return draw ? t("dealer.draw_cards") : t("dealer.board");
  const [seat = 0, hand = 0] = spot?.split(".").map(Number) ?? [];
  return handPlace(seat, hand, null);
}

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

/** What has just happened. */
export function happenedWords(what: Happened, watching: Watching): string {
  switch (what.kind) {
    case "bets_closed":
      return t("replay.bets_closed");
    case "card_dealt":
    case "card_corrected": {
      const card = what.card ? cardWords(what.card) : t("place.face_down");
      return t(`replay.${what.kind}`, { place: placeWords(what, watching), card });
    }
    case "cards_turned":
      return turned(what.lies, what.cards, watching.draw);
    case "decision_made": {
      const hand = handPlace(what.seat, what.hand, watching.seat);
      return what.decision
        ? t("replay.decision_made", { hand, decision: decided(what.decision) })
        : t("replay.decision_made.other", { hand });
    }
    case "round_settled":
      return t("replay.round_settled", { net: netWords(what.net_cents) });
    case "round_voided":
      return t("replay.round_voided", { reason: voidWords(what.reason, what.code) });
  }
}

/** The cards of a hand as they lie: draw cards, once turned, are where the discards were. */
export function lyingCards(
  cards: readonly (string | null)[],
  held: readonly string[] | null | undefined,
  common: readonly (string | null)[],
): (string | null)[] {
  const drawn = held ? common.slice(0, cards.length - held.length) : [];
  if (!held || drawn.length === 0 || drawn.includes(null)) return [...cards];
  const next = drawn.values();
  return cards.map((card) => (card && held.includes(card) ? card : (next.next().value ?? null)));
}

/** A deck of a round by its name: the table's, or that of one terminal. */
export function deckWords(deck: string): string {
  const seat = /^seat-(\d+)$/.exec(deck)?.[1];
  return seat ? t("fair.deck.seat", { number: seat }) : t("fair.deck.table");
}

/** What is wrong with a proof. */
export function problemWords(problem: ProofProblem | null): string {
  if (problem?.what === "commitment") {
    return t("fair.bad.commitment", { deck: deckWords(problem.deck) });
  }
  if (problem?.what !== "card") return t("fair.bad.format");
  const { lies, spot, position } = problem.card;
  const [seat = null, hand = null] = spot?.split(".").map(Number) ?? [];
  return placeWords({ lies, seat, hand, position }, { seat: null, draw: problem.draw });
}
