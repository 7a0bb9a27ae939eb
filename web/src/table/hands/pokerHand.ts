// Which cards make a poker hand. The table alone says who wins and what is paid; this is only for
// showing the cards that did it.

import { parts, RANKS } from "../../protocol/cards";

export const CATEGORIES = [
  "high card",
  "pair",
  "two pair",
  "three of a kind",
  "straight",
  "flush",
  "full house",
  "four of a kind",
  "straight flush",
  "royal flush",
] as const;

export type Category = (typeof CATEGORIES)[number];

export interface Hand {
  category: Category;
  /** The five cards that play, in the order in which they count. */
  five: readonly string[];
  /** Those of the five that give the hand its name: both cards of a pair, all five of a flush. */
  core: readonly string[];
  /** The category and then the ranks, for comparing. */
  worth: readonly number[];
}

function rankOf(card: string): number {
  return RANKS.indexOf(parts(card).rank);
}

const ACE = RANKS.length - 1;
const WHEEL = [ACE, 3, 2, 1, 0].join();
const NAMED_BY: Partial<Record<Category, number>> = {
  "high card": 1,
  pair: 2,
  "two pair": 4,
  "three of a kind": 3,
  "four of a kind": 4,
};

function categoryOf(counts: readonly number[], straight: boolean, flush: boolean): Category {
  const shape = counts.join("");
  if (straight && flush) return "straight flush";
  if (shape.startsWith("4")) return "four of a kind";
  if (shape === "32") return "full house";
  if (flush) return "flush";
  if (straight) return "straight";
  if (shape.startsWith("3")) return "three of a kind";
  if (shape.startsWith("22")) return "two pair";
  return shape.startsWith("2") ? "pair" : "high card";
}

function fiveCards(cards: readonly string[]): Hand {
  const held = new Map<number, number>();
  for (const card of cards) held.set(rankOf(card), (held.get(rankOf(card)) ?? 0) + 1);
  const count = (card: string) => held.get(rankOf(card)) ?? 0;
  let five = cards.toSorted((a, b) => count(b) - count(a) || rankOf(b) - rankOf(a));
  const ranks = five.map(rankOf);
  const wheel = ranks.join() === WHEEL;
  const straight = held.size === 5 && (wheel || (ranks[0] ?? 0) - (ranks[4] ?? 0) === 4);
  const flush = new Set(cards.map((card) => parts(card).suit)).size === 1;
  // The ace of the lowest straight counts as a one, and comes last.
  if (wheel) five = [...five.slice(1), ...five.slice(0, 1)];
  const counts = [...held.values()].sort((a, b) => b - a);
  const found = categoryOf(counts, straight, flush);
  const royal = found === "straight flush" && ranks[0] === ACE && !wheel;
  const category: Category = royal ? "royal flush" : found;
  const counted = wheel ? ranks.slice(1) : ranks;
  return {
    category,
    five,
    core: five.slice(0, NAMED_BY[category] ?? 5),
    worth: [CATEGORIES.indexOf(category), ...counted],
  };
}

/** Above 0 where the first hand is the better one, below 0 where it is not, 0 for a tie. */
export function compareHands(one: Hand, other: Hand): number {
  const at = one.worth.findIndex((value, place) => value !== other.worth[place]);
  return at < 0 ? 0 : (one.worth[at] ?? 0) - (other.worth[at] ?? 0);
}

/** Every way to leave out cards until five are left. */
function fives(cards: readonly string[], from = 0): string[][] {
  if (cards.length === 5) return [[...cards]];
  return cards
    .slice(from)
    .flatMap((_, at) => fives(cards.toSpliced(from + at, 1), from + at));
}

/**
 * The best five of five or more cards; null where there are fewer. Where several fives are as
 * good, it is the one of the first cards, so own cards named first are not left out for the board's.
 */
export function bestHand(cards: readonly string[]): Hand | null {
  return fives(cards)
    .map(fiveCards)
    .reduce<Hand | null>((best, hand) => (best && compareHands(best, hand) > 0 ? best : hand), null);
}
