// A scanner types like a keyboard: the letters of a card, quickly, and sometimes a line's end.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** Letters that come later than this after the last one belong to another card. */
const PAUSE_MS = 1_500;
/** The same card within this time is one scan that the reader has sent twice. */
const BOUNCE_MS = 1_200;

/** A card by what a scanner or a dealer types: `As`, `TH`, `10d`; null for anything else. */
export function readCard(typed: string): string | null {
  const text = typed.trim().replace(/^10/, "T");
  const [rank, suit] = [text.charAt(0).toUpperCase(), text.charAt(1).toLowerCase()];
  const whole = text.length === 2 && RANKS.includes(rank) && SUITS.includes(suit);
  return whole ? rank + suit : null;
}

/** Collects what is typed, and gives each card once it is complete. */
export class Scanner {
  private typed = "";
  private lastKey = -Infinity;
  private lastCard = "";
  private lastCardAt = -Infinity;

  /** The letters that have come of the next card. */
  get begun(): string {
    return this.typed;
  }

  /** Take one key; gives a card when it is complete. Keys with other meanings are left alone. */
  key(key: string, now: number): { card: string | null; taken: boolean } {
    if (now - this.lastKey > PAUSE_MS) this.typed = "";
    this.lastKey = now;
    if (key === "Backspace") {
      this.typed = this.typed.slice(0, -1);
      return { card: null, taken: true };
    }
    if (key.length !== 1) return { card: null, taken: false };
    const next = this.typed + key;
    const card = readCard(next);
    if (card) {
      this.typed = "";
      return { card: this.bounced(card, now) ? null : card, taken: true };
    }
    const rank = key.toUpperCase();
    if (this.typed === "1" && key === "0") this.typed = "10";
    else if (RANKS.includes(rank) || key === "1") this.typed = key;
    else return { card: null, taken: false };
    return { card: null, taken: true };
  }

  private bounced(card: string, now: number): boolean {
    const again = card === this.lastCard && now - this.lastCardAt < BOUNCE_MS;
    this.lastCard = card;
    this.lastCardAt = now;
    return again;
  }
}

/** Every card, by suits as a dealer sorts a deck. */
export const DECK: string[][] = [..."shdc"].map((suit) => [...RANKS].reverse().map((rank) => rank + suit));
