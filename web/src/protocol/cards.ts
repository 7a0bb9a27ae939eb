// Cards as the server writes them: two letters such as `As`, a rank and a suit.

export type Suit = "c" | "d" | "h" | "s";

export const RANKS = "23456789TJQKA";

interface CardParts {
  rank: string;
  suit: Suit;
}

export function parts(card: string): CardParts {
  return { rank: card[0] ?? "?", suit: (card[1] ?? "s") as Suit };
}

/** The letter or number in a card's corner. */
export function corner(rank: string): string {
  return rank === "T" ? "10" : rank;
}

export function isCourt(rank: string): boolean {
  return rank === "J" || rank === "Q" || rank === "K";
}
