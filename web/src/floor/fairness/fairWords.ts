// Words of the page of fairness.

import { t } from "../../words/i18n.svelte";
import { wagerWords } from "../../words/vocabulary";

/** The name of the house, a table or a dealer. */
export function subjectWords({ kind, name }: { kind: string; name: string }): string {
  return kind === "house" ? t("isfair.kind.house") : name;
}

/** A wager; `game` is Ante, Blind and Play together. */
export function wagerName(wager: string): string {
  return wager === "game" ? t("isfair.game") : wagerWords(wager);
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
