// Cards as the server writes them, two letters such as `As`, taken apart for drawing.

export type Suit = "c" | "d" | "h" | "s";

export const RANKS = "23456789TJQKA";

export interface CardParts {
  rank: string;
  suit: Suit;
}

export function parts(card: string): CardParts {
  return { rank: card[0] ?? "?", suit: (card[1] ?? "s") as Suit };
}

/** The letter or figure in a card's corner. */
export function corner(rank: string): string {
  return rank === "T" ? "10" : rank;
}

type Point = readonly [x: number, y: number];

// Where the pips of a card lie, on a face that is one unit wide and high.
const LEFT = 0.22;
const RIGHT = 0.78;
const MID = 0.5;
const PIPS: Record<string, readonly Point[]> = {
  A: [[MID, 0.5]],
  "2": [[MID, 0], [MID, 1]],
  "3": [[MID, 0], [MID, 0.5], [MID, 1]],
  "4": [[LEFT, 0], [RIGHT, 0], [LEFT, 1], [RIGHT, 1]],
  "5": [[LEFT, 0], [RIGHT, 0], [MID, 0.5], [LEFT, 1], [RIGHT, 1]],
  "6": [[LEFT, 0], [RIGHT, 0], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 1], [RIGHT, 1]],
  "7": [[LEFT, 0], [RIGHT, 0], [MID, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [LEFT, 1], [RIGHT, 1]],
  "8": [
    [LEFT, 0], [RIGHT, 0], [MID, 0.25], [LEFT, 0.5], [RIGHT, 0.5], [MID, 0.75], [LEFT, 1],
    [RIGHT, 1],
  ],
  "9": [
    [LEFT, 0], [RIGHT, 0], [LEFT, 0.333], [RIGHT, 0.333], [MID, 0.5], [LEFT, 0.667],
    [RIGHT, 0.667], [LEFT, 1], [RIGHT, 1],
  ],
  T: [
    [LEFT, 0], [RIGHT, 0], [MID, 0.167], [LEFT, 0.333], [RIGHT, 0.333], [LEFT, 0.667],
    [RIGHT, 0.667], [MID, 0.833], [LEFT, 1], [RIGHT, 1],
  ],
};

export function pips(rank: string): readonly Point[] {
  return PIPS[rank] ?? [];
}

export function isCourt(rank: string): boolean {
  return rank === "J" || rank === "Q" || rank === "K";
}
