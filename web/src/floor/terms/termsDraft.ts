// The terms of a table as a supervisor edits them, and the form that is sent.

import type { RulesChange, TableTermsView } from "../../protocol/forms";
import { chipMoney, readMoney } from "../../words/money";

export interface WagerRow {
  offered: boolean;
  least: string;
  most: string;
  paytable: string;
}

export interface TermsDraft {
  house: string;
  rows: Record<string, WagerRow>;
  wagerSeconds: string;
  decisionSeconds: string;
  link: string;
}

export function draftOf(terms: TableTermsView): TermsDraft {
  const rows = terms.wagers.map((wager): [string, WagerRow] => [
    wager.kind,
    {
      offered: wager.offered,
      least: chipMoney(wager.min_cents).slice(1),
      most: chipMoney(wager.max_cents).slice(1),
      paytable: wager.paytable ?? "",
    },
  ]);
  return {
    house: terms.house,
    rows: Object.fromEntries(rows),
    wagerSeconds: String(terms.clock?.wager_seconds ?? ""),
    decisionSeconds: String(terms.clock?.decision_seconds ?? ""),
    link: terms.link ?? "",
  };
}

/** What is sent; null if an amount is none. Another house comes with its own wagers. */
export function formOf(draft: TermsDraft, terms: TableTermsView): Pick<RulesChange, "house" | "wagers"> | null {
  if (draft.house !== terms.house) return { house: draft.house, wagers: null };
  const wagers: NonNullable<RulesChange["wagers"]> = [];
  for (const wager of terms.wagers) {
    const row = draft.rows[wager.kind];
    if (!row?.offered) continue;
    const [min_cents, max_cents] = [readMoney(row.least), readMoney(row.most)];
    if (min_cents === null || max_cents === null) return null;
    const paytable = wager.paytables.length > 1 ? row.paytable : null;
    wagers.push({ kind: wager.kind, min_cents, max_cents, paytable });
  }
  return { house: draft.house, wagers };
}
