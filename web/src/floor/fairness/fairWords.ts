// Words of the page of fairness.

import type { WagerFairness } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { wagerWords } from "../../words/vocabulary";

/** The name of the house, a table or a dealer. */
export function subjectWords({ kind, name }: { kind: string; name: string }): string {
  return kind === "house" ? t("isfair.kind.house") : name;
}

/** A wager, or the wagers that a game itself requires. */
export function wagerName(wager: string): string {
  if (wager === "game") return t("isfair.game");
  return wager === "draw_game" ? t("isfair.draw_game") : wagerWords(wager);
}

/** What a comparison rests on, and why rounds are missing in it. */
export function basisNote({ basis, unknown, left_out: count }: Pick<WagerFairness, "basis" | "unknown" | "left_out">): string {
  const why = unknown && t(`isfair.unknown.${unknown}`);
  if (!basis) return why ? t("isfair.not_compared_why", { why }) : "";
  const note = t(`isfair.basis.${basis}`);
  return why ? `${note} ${t("isfair.left_out", { count, why })}` : note;
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
