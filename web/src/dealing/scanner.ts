// A scanner types like a keyboard: the letters of a card, quickly, and sometimes a line's end.

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
/** Letters that come later than this after the last one belong to another card. */
const PAUSE_MS = 1_500;
/** The same card within this time is one scan that the reader has sent twice. */
const BOUNCE_MS = 1_200;
/** A line's end within this time after a card comes from the scanner, and presses no button. */
const LINE_END_MS = 150;
const CODE_MAX = 64;

/** A card by what a scanner or a dealer types: `As`, `TH`, `10d`; null for anything else. */
export function readCard(typed: string): string | null {
  const text = typed.trim().replace(/^10/, "T");
  const [rank, suit] = [text.charAt(0).toUpperCase(), text.charAt(1).toLowerCase()];
  const complete = text.length === 2 && RANKS.includes(rank) && SUITS.includes(suit);
  return complete ? rank + suit : null;
}

/** What a key has completed: a card, a code that stands for none, or nothing yet. */
interface Scan {
  card: string | null;
  /** Whether the key belonged to a card, and has no other meaning. */
  taken: boolean;
  /** A whole code that is in no code table. */
  unknown?: string;
}

const NOTHING: Scan = { card: null, taken: false };
const BEGUN: Scan = { card: null, taken: true };

/** Collects what is typed, and gives each card once it is complete. */
export class Scanner {
  private typed = "";
  private lastKey = -Infinity;
  private lastCard = "";
  private lastCardAt = -Infinity;
  private codes: Record<string, string> = {};

  /** Read the codes of this table besides rank and suit. */
  useCodes(codes: Record<string, string>): void {
    this.codes = codes;
  }

  /** The letters that have come of the next card. */
  get begun(): string {
    return this.typed;
  }

  /** Take one key; gives a card when it is complete. Keys with other meanings are left alone. */
  key(key: string, now: number): Scan {
    if (now - this.lastKey > PAUSE_MS) this.typed = "";
    this.lastKey = now;
    if (key === "Enter" || key === "Tab") return this.lineEnd(now);
    if (key === "Backspace") {
      this.typed = this.typed.slice(0, -1);
      return BEGUN;
    }
    if (key.length !== 1) return NOTHING;
    const next = this.typed + key;
    const longer = Object.keys(this.codes).some((code) => code.startsWith(next) && code !== next);
    const card = this.codes[next] ?? (longer ? null : readCard(next));
    if (card) return this.complete(card, now);
    if (Object.keys(this.codes).length === 0) return this.letter(key);
    if (key === " " && !this.typed) return NOTHING;
    // A code that is in no table is collected as well, to be refused as a whole.
    this.typed = next.slice(0, CODE_MAX);
    return BEGUN;
  }

  /** Where scanners send rank and suit, a letter of the next card. */
  private letter(key: string): Scan {
    const rank = key.toUpperCase();
    if (this.typed === "1" && key === "0") this.typed = "10";
    else if (RANKS.includes(rank) || key === "1") this.typed = key;
    else return NOTHING;
    return BEGUN;
  }

  /** The line's end after a code; after a card that is complete already, a scanner's own. */
  private lineEnd(now: number): Scan {
    const text = this.typed;
    this.typed = "";
    if (!text) return now - this.lastCardAt < LINE_END_MS ? BEGUN : NOTHING;
    const card = this.codes[text] ?? readCard(text);
    if (card) return this.complete(card, now);
    return text.length > 1 ? { card: null, taken: true, unknown: text } : NOTHING;
  }

  private complete(card: string, now: number): Scan {
    this.typed = "";
    return { card: this.bounced(card, now) ? null : card, taken: true };
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
