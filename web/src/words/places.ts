// Where a card lies, in words: a hand, the dealer's place, the board.

import type { CardDealt } from "../protocol/messages";
import { t } from "./i18n.svelte";

/** The viewer of a replay or proof, and the game. */
export interface Watching {
  /** The viewer's own seat; null if no hand is the viewer's own. */
  seat: number | null;
  draw: boolean;
}

/** The viewer's own hand by its number, another player's by its seat. */
export function handPlace(seat: number, hand: number, own: number | null): string {
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

/** The title of a place with all its cards: the dealer's hand, the common cards or a hand. */
export function placeTitle(lies: CardDealt["lies"], spot: string | null, draw: boolean): string {
  if (lies === "dealer") return t("dealer.hand");
  if (lies === "common") return draw ? t("dealer.draw_cards") : t("dealer.board");
  const [seat = 0, hand = 0] = spot?.split(".").map(Number) ?? [];
  return handPlace(seat, hand, null);
}
