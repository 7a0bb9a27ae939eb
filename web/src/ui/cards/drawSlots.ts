// The five places of a draw poker hand, before and after the draw.

/** One place of a hand: a held or discarded card, or the draw card that replaced it. */
export interface Slot {
  card: string | null;
  keeps: boolean;
  /** The number of the draw card in this place; null if there is none. */
  number: number | null;
}

/** Whether the draw cards are laid out from spot 5 down to spot 1 (D.4b). */
export function fromFive(round: { procedure?: string | null } | null | undefined): boolean {
  return round?.procedure === "draw_from_five";
}

/** What lies on each of `count` spots; undefined where no card lies yet. */
export function onSpots<Place>(
  cards: readonly Place[],
  count: number,
  fromRight = false,
): (Place | undefined)[] {
  const free = fromRight ? Math.max(0, count - cards.length) : 0;
  return Array.from({ length: count }, (_, at) => cards[at - free]);
}

/** How many draw cards a hand takes. */
export function drawnCount(cards: readonly unknown[], held: readonly string[] | null): number {
  return held ? cards.length - held.length : 0;
}

/** The places of a hand. Draw cards replace the discards once all of them are face up. */
export function drawSlots(
  cards: readonly (string | null)[],
  held: readonly string[] | null,
  common: readonly (string | null)[],
): Slot[] {
  const drawn = common.slice(0, drawnCount(cards, held));
  const up = held !== null && drawn.every((card) => card !== null);
  const taken = up && drawn.length === drawnCount(cards, held);
  let next = 0;
  return cards.map((card) => {
    const keeps = card !== null && (held?.includes(card) ?? false);
    if (!taken || keeps) return { card, keeps, number: null };
    next += 1;
    return { card: drawn[next - 1] ?? null, keeps, number: next };
  });
}
