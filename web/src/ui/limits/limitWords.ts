// Limits of a player in words.

import type { LimitLine } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { money } from "../../words/money";

export const KINDS = ["deposit", "loss", "time"] as const;
export const PERIODS = ["day", "week", "month"] as const;
export const TERMS = ["day", "week", "month", "half_year", "year", "five_years", "for_good"] as const;

/** An amount of money, or a time such as "1 h 05 min". */
export function amountWords(kind: LimitLine["kind"], amount: number): string {
  if (kind !== "time") return money(amount);
  const minutes = String(amount % 60).padStart(2, "0");
  return amount < 60 ? t("limits.in_minutes", { minutes: amount }) : t("limits.in_hours", { hours: Math.floor(amount / 60), minutes });
}

/** How much of a limit is used, from 0 to 1. */
export function usedShare(line: Pick<LimitLine, "most" | "used">): number {
  if (line.most === null) return 0;
  return line.most === 0 ? 1 : Math.min(1, Math.max(0, line.used / line.most));
}
