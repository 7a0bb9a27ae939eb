// Which cards make a poker hand. The server decides who wins and what is paid; this only finds the
// cards to highlight.

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
  /** The five cards that play, most significant first. */
  five: readonly string[];
  /** Those of the five that give the hand its name: both cards of a pair, all five of a flush. */
  core: readonly string[];
  /** The category followed by the ranks, for comparison. */
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
  // In a wheel the ace is low and comes last.
  if (wheel) five = [...five.slice(1), ...five.slice(0, 1)];
  const counts = [...held.values()].sort((a, b) => b - a);
  const shape = categoryOf(counts, straight, flush);
  const royal = shape === "straight flush" && ranks[0] === ACE && !wheel;
  const category: Category = royal ? "royal flush" : shape;
  const counted = wheel ? ranks.slice(1) : ranks;
  return {
    category,
    five,
    core: five.slice(0, NAMED_BY[category] ?? 5),
    worth: [CATEGORIES.indexOf(category), ...counted],
  };
}

/** Positive if the first hand is better, negative if the second is, 0 for a tie. */
export function compareHands(a: Hand, b: Hand): number {
  const at = a.worth.findIndex((value, place) => value !== b.worth[place]);
  return at < 0 ? 0 : (a.worth[at] ?? 0) - (b.worth[at] ?? 0);
}

/** Every choice of five cards. */
function fives(cards: readonly string[], from = 0): string[][] {
  if (cards.length === 5) return [[...cards]];
  return cards
    .slice(from)
    .flatMap((_, at) => fives(cards.toSpliced(from + at, 1), from + at));
}

/**
 * The best five of five or more cards; null for fewer. Of several equal fives it is the one with
 * the earliest cards, so that a player's cards, given first, are preferred to the board's.
 */
export function bestHand(cards: readonly string[]): Hand | null {
  return fives(cards)
    .map(fiveCards)
    .reduce<Hand | null>((best, hand) => (best && compareHands(best, hand) > 0 ? best : hand), null);
}
