// The dealing plan of a round: where each card goes, in order, and from which deck it comes.

import type { AnyProofForm, DealtCardForm } from "../protocol/forms";

/** A place to which a card is dealt. */
export interface Place {
  lies: DealtCardForm["lies"];
  spot: string | null;
  position: number;
  /** The deck from which the card comes; the dealer's and the common cards are of the table. */
  deck: string;
}

const COMMON_CARDS = 5;
const HAND_CARDS = { draw: 5, holdem: 2 };
export const TABLE_DECK = "table";

export function seatDeck(seat: number | string): string {
  return `seat-${seat}`;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

/** All places of a round's plan, those of a live dealer included. */
export function dealingPlan(proof: AnyProofForm): Place[] {
  const { procedure, spots } = proof;
  const own = proof.deck === "per_terminal";
  const draw = procedure === "draw" || procedure === "draw_from_five";
  const size = draw ? HAND_CARDS.draw : HAND_CARDS.holdem;
  const inHand = (spot: string, position: number): Place => ({
    lies: "hand",
    spot,
    position,
    deck: own ? seatDeck(spot.split(".")[0] ?? "") : TABLE_DECK,
  });
  const ofTable = (lies: "dealer" | "common", position: number): Place => ({
    lies,
    spot: null,
    position,
    deck: TABLE_DECK,
  });
  const hands = spots.flatMap((spot) => upTo(size).map((position) => inHand(spot, position)));
  const dealer = upTo(size).map((position) => ofTable("dealer", position));
  const spread = procedure === "draw_from_five" ? upTo(COMMON_CARDS).reverse() : upTo(COMMON_CARDS);
  const common = spread.map((position) => ofTable("common", position));
  if (own) return draw ? [...dealer, ...common, ...hands] : [...common, ...dealer, ...hands];
  switch (procedure) {
    case "community_first":
      return [...common, ...hands, ...dealer];
    case "shoe": {
      const around = upTo(size).flatMap((position) => [
        ...spots.map((spot) => inHand(spot, position)),
        ofTable("dealer", position),
      ]);
      return [...around, ...common];
    }
    default:
      return [...hands, ...dealer, ...common];
  }
}

/** Whether the hands are listed once each, in dealing order. */
export function inDealingOrder(spots: readonly string[]): boolean {
  const numbers = spots.map((spot) => spot.split(".").map(Number) as [number, number]);
  return numbers.every(([seat, hand], at) => {
    const [before, handBefore] = numbers[at - 1] ?? [0, 0];
    return seat > before || (seat === before && hand > handBefore);
  });
}
