// Words of the page of fairness.

import type { WagerFairness } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { wagerWords } from "../../words/vocabulary";

/** The name of the house, a table or a dealer. */
export function subjectWords({ kind, name }: { kind: string; name: string }): string {
  return kind === "house" ? t("isfair.kind.house") : name;
}

/** Whether this stands for the wagers that a game itself requires, by the Ante. */
function isGame(wager: string): wager is "game" | "draw_game" {
  return wager === "game" || wager === "draw_game";
}

/** A wager, or the wagers that a game itself requires. */
export function wagerName(wager: string): string {
  return isGame(wager) ? t(`isfair.${wager}`) : wagerWords(wager);
}

/** What a comparison rests on, and why rounds are missing in it. */
export function basisNote(row: Pick<WagerFairness, "wager" | "basis" | "unknown" | "left_out">): string {
  const why = row.unknown && t(`isfair.unknown.${row.unknown}`);
  if (!row.basis) return why ? t("isfair.not_compared_why", { why }) : "";
  const notes = [t(`isfair.basis.${row.basis}`)];
  if (isGame(row.wager)) notes.push(t("isfair.per_ante"));
  if (why) notes.push(t("isfair.left_out", { count: row.left_out, why }));
  return notes.join(" ");
}

/** A part in percent with two decimals; a dash for parts of nothing. */
export function percentWords(part: number, whole: number): string {
  return whole ? `${((100 * part) / whole).toFixed(2).replace("-", "−")}%` : "—";
}

/** How likely chance alone goes so far. */
export function chanceWords(p: number): string {
  if (p >= 0.001) return `${(100 * p).toFixed(1)}%`;
  return p > 0 ? t("isfair.one_in", { number: oneInWords(1 / p) }) : t("isfair.never");
}

/** A large number in words that a person can compare: `1`, `340`, `12,000`, `10^8`. */
export function oneInWords(number: number): string {
  if (number < 1) return "1";
  if (number < 1e6) {
    const digits = 10 ** Math.max(0, Math.floor(Math.log10(number)) - 1);
    return String(Math.floor(number / digits) * digits).replace(/\B(?=(\d{3})+$)/g, ",");
  }
  return `10^${Math.floor(Math.log10(number))}`;
}
