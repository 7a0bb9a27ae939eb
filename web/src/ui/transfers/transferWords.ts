// A figure in words: what it is, and what it is of.

import type { FigureOf } from "../../app/router.svelte";
import { maybe, t } from "../../words/i18n.svelte";

/** What a figure is called, as on its own page. */
export function figureWords(of: FigureOf): string {
  const name = maybe(`transfers.of.${of.subject}.${of.figure}`) ?? maybe(`transfers.of.${of.figure}`) ?? of.figure;
  return of.wager ? `${name} · ${maybe(`wager.${of.wager}`) ?? of.wager}` : name;
}

/** What it is of: a table, a drawer, all tables. */
export function subjectWords(of: FigureOf): string {
  if (of.subject === "vouchers") return t("transfers.subject.vouchers");
  const ofAllTables = of.subject === "tables" || (of.subject === "takings" && !of.name);
  const subject = ofAllTables ? t("money.sum") : (of.name ?? "");
  const span = maybe(`transfers.span.${of.span ?? "now"}`);
  return span ? `${subject} · ${span}` : subject;
}
