// What is counted in a drawer, notes and coins, and in a tray, chips; the largest first.

import type { CountLine } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { money } from "../../words/money";

export const DENOMINATIONS_CENTS = [10000, 5000, 2000, 1000, 500, 200, 100, 25, 10, 5, 1] as const;
/** What is counted in a tray: chips, the largest first. */
export const CHIPS_CENTS = [100000, 50000, 10000, 2500, 1000, 500, 200, 100, 50, 25, 5, 1] as const;
const PIECES_MAX = 1_000_000;

/** How many pieces were typed; null if it is not a number of pieces. */
export function readPieces(typed: string): number | null {
  const text = typed.trim();
  if (text === "") return 0;
  if (!/^\d{1,7}$/.test(text)) return null;
  const pieces = Number(text);
  return pieces <= PIECES_MAX ? pieces : null;
}

/** A count as the server takes it; null if a line is not a number of pieces. */
export function readCount(
  typed: Readonly<Record<number, string>>,
  denominations: readonly number[] = DENOMINATIONS_CENTS,
): CountLine[] | null {
  const lines: CountLine[] = [];
  for (const cents of denominations) {
    const pieces = readPieces(typed[cents] ?? "");
    if (pieces === null) return null;
    if (pieces > 0) lines.push({ denomination_cents: cents, pieces });
  }
  return lines;
}

/** What a count adds up to, in cents. */
export function countedCents(lines: readonly CountLine[]): number {
  return lines.reduce((sum, line) => sum + line.denomination_cents * line.pieces, 0);
}

/** How a count differs from the book: the count less what the drawer must hold. */
export function differenceWords(cents: number): string {
  if (cents === 0) return t("cage.no_difference");
  return t(cents > 0 ? "cage.over" : "cage.short", { amount: money(Math.abs(cents)) });
}
