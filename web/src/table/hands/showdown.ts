// Which cards decided a hand against the dealer, once both are face up.

import type { OwnHandView, RoundView } from "../../protocol/messages";
import type { Light } from "../../ui/cards/light";
import { bestHand, compareHands, type Hand } from "./pokerHand";

export interface Showdown {
  verdict: "win" | "lose" | "tie";
  /** The five cards of the better hand; in a tie, those of both. */
  plays: ReadonlySet<string>;
  /** Those of them that give the hand its name, such as both cards of a pair. */
  makes: ReadonlySet<string>;
}

export function lightOf(seen: Showdown | null, card: string | null): Light {
  if (!seen || !card) return "plain";
  if (seen.makes.has(card)) return "lit";
  return seen.plays.has(card) ? "plain" : "dim";
}

/** The cards if all of them are face up, else null. */
function faceUp(cards: readonly (string | null)[]): string[] | null {
  const open = cards.filter((card) => card !== null);
  return open.length === cards.length ? open : null;
}

/** The hand that counts: in draw poker the held and drawn cards, in hold'em all with the board. */
function counting(
  own: readonly (string | null)[],
  held: readonly string[] | null | undefined,
  common: readonly (string | null)[],
): Hand | null {
  const cards = held ? [...held, ...common.slice(0, own.length - held.length)] : [...own, ...common];
  return bestHand(faceUp(cards) ?? []);
}

/** Who wins and with which cards; null before the end and if no hands were compared. */
export function showdown(round: RoundView | null, hand: OwnHandView | null): Showdown | null {
  if (round?.phase !== "settled" || !hand) return null;
  // In draw poker an unqualified dealer pays every hand alike.
  if (round.dealer_held && round.dealer_qualified === false) return null;
  if (hand.decisions.some((decision) => decision.decision === "fold")) return null;
  const player = counting(hand.cards, hand.held, round.common);
  const dealer = counting(round.dealer, round.dealer_held, round.common);
  if (!player || !dealer) return null;
  const better = compareHands(player, dealer);
  const shown = [...(better >= 0 ? [player] : []), ...(better <= 0 ? [dealer] : [])];
  return {
    verdict: better > 0 ? "win" : better < 0 ? "lose" : "tie",
    plays: new Set(shown.flatMap((best) => best.five)),
    makes: new Set(shown.flatMap((best) => best.core)),
  };
}

/** The showdown that the board shows: the selected hand's, or the first hand's that has one. */
export function shownShowdown(
  round: RoundView | null,
  hands: readonly { number: number; view: OwnHandView | null }[],
  marked: number,
): { number: number; seen: Showdown } | null {
  const ordered = hands.toSorted(
    (a, b) => Number(b.number === marked) - Number(a.number === marked),
  );
  for (const { number, view } of ordered) {
    const seen = showdown(round, view);
    if (seen) return { number, seen };
  }
  return null;
}
