// A hand of draw poker as it lies once the draw cards are turned over.

/** One place of a hand: a card that was kept or thrown away, or the draw card that replaced it. */
export interface Slot {
  card: string | null;
  keeps: boolean;
  /** Which of the draw cards lies there; null where none does. */
  number: number | null;
}

/** How many draw cards a hand takes. */
export function drawnCount(cards: readonly unknown[], held: readonly string[] | null): number {
  return held ? cards.length - held.length : 0;
}

/** The places of a hand. Draw cards lie where the discards were, as soon as all that it takes are up. */
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
