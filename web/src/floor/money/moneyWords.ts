// The money of a shift in words. What is not known is null here, a dash on the page, and never zero.

import { settings } from "../../app/settings.svelte";
import type { TableMoneyView, TrayShiftView, WinToDropView } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { money } from "../../words/money";

/** A part of a whole in percent; null without a whole. */
export function percentWords(part: number, whole: number): string | null {
  if (whole === 0) return null;
  const percent = ((100 * part) / whole).toFixed(1);
  return `${percent.replace("-", "−")}%`;
}

/** A share in percent; null if it is not known. */
export function shareWords(share: number | null): string | null {
  return share === null ? null : percentWords(share, 1);
}

/** What a period of win to drop is compared with, or why with nothing. */
export function bandWords(line: WinToDropView): string {
  const [low, high] = [shareWords(line.low), shareWords(line.high)];
  if (low !== null && high !== null) return t("drop.band_words", { low, high });
  return line.usual === null ? t("drop.too_few", { count: line.days_before }) : t("drop.no_drop");
}

/** What the figures of a table cover. */
export function coversWords(line: TableMoneyView): string {
  if (line.covers === "day") return t("money.from_day");
  const time = new Intl.DateTimeFormat(settings.language, { timeStyle: "short" });
  const from = time.format(line.from_ms);
  return line.shift?.closing ? t("money.from_shift", { from, to: time.format(line.to_ms) }) : t("money.from_open", { from });
}

/** A difference of a count: `$5.00 short`; null where there is nothing to compare. */
export function differenceWords(cents: number | null): string | null {
  if (cents === null) return null;
  if (cents === 0) return t("cage.no_difference");
  return t(cents > 0 ? "cage.over" : "cage.short", { amount: money(Math.abs(cents)) });
}

/** The difference of a shift that stands out: that of its closing, or before it of its opening. */
export function shiftDifference(shift: TrayShiftView | null): number | null {
  if (!shift) return null;
  return shift.closing ? shift.closing.difference_cents : shift.opening.difference_cents;
}
