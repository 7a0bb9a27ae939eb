// A practice shoe: a shuffled deck in the browser, for play money and for tables without cards.

import { DECK } from "../scanner";

/** Random whole numbers below a bound, each as likely as the others. */
export function randomBelow(bound: number): number {
  const numbers = new Uint32Array(1);
  const fair = Math.floor(2 ** 32 / bound) * bound;
  for (;;) {
    const [number = 0] = crypto.getRandomValues(numbers);
    if (number < fair) return number % bound;
  }
}

/** A deck in random order. */
export function shuffled(random: (bound: number) => number = randomBelow): string[] {
  const deck = DECK.flat();
  for (let at = deck.length - 1; at > 0; at -= 1) {
    const drawn = random(at + 1);
    [deck[at], deck[drawn]] = [deck[drawn] ?? "", deck[at] ?? ""];
  }
  return deck;
}

/** What the shoe deals into. */
export interface DealsInto {
  /** The round in progress; a new round gets a new deck. */
  readonly round: number | null;
  /** Whether a card is due. */
  readonly cardDue: boolean;
  /** Offer a card: "dealt", "out" if it lies on the felt already, "refused" for any other reason. */
  offer(card: string): Promise<"dealt" | "out" | "refused">;
}

/** Deals a shuffled deck, card by card. After a reload it passes over the cards that are out. */
export class PracticeShoe {
  private deck: string[] = [];
  private round: number | null = null;

  constructor(
    private readonly table: DealsInto,
    private readonly shuffle: () => string[] = shuffled,
  ) {}

  /** Deal the card that is due; false where none was dealt. */
  async dealOne(): Promise<boolean> {
    if (this.table.round !== this.round || this.deck.length === 0) {
      this.round = this.table.round;
      this.deck = this.shuffle();
    }
    while (this.table.cardDue) {
      const card = this.deck.pop();
      if (card === undefined) return false;
      const answer = await this.table.offer(card);
      if (answer !== "out") return answer === "dealt";
    }
    return false;
  }

  /** Deal every card that is due, until players decide or cards are turned over. */
  async dealAll(): Promise<void> {
    while (await this.dealOne());
  }
}
