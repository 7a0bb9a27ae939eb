// The paytables of a house in display order, and the rows that a round has reached.

import type { HouseView, PaytableView } from "../../protocol/forms";
import type { LineView } from "../../protocol/messages";

export interface NamedTable {
  kind: string;
  paytable: PaytableView;
}

const ORDER = [
  "trips",
  "blind",
  "ultimate_pairs",
  "bad_beat",
  "play_the_board",
  "bonus",
  "progressive",
];

export function paytablesOf(house: HouseView): NamedTable[] {
  const tables = house.wagers.flatMap((rule) =>
    rule.paytable ? [{ kind: rule.kind, paytable: rule.paytable }] : [],
  );
  tables.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  if (house.ante_bonus) tables.unshift({ kind: "ante_bonus", paytable: house.ante_bonus });
  return tables;
}

/** How the current round relates to a row. */
export interface RowMark {
  label: string;
  /** The player's hands that reached the row. */
  hands: number[];
  /** The total it paid; 0 if the hands reached it but were not paid. */
  cents: number;
}

export type Marks = Readonly<Record<string, readonly RowMark[]>>;

/** A hand of the player with its settlement lines; none before the end. */
interface SettledHand {
  number: number;
  view: { lines: readonly LineView[] } | null;
}

/** The kind of a hand from its name or a row's label: "Flush, ace high" is a flush. */
function kindOfHand(words: string): string {
  return (words.split(",")[0] ?? "").toLowerCase().replaceAll("-", " ");
}

/** The row that a line was paid by, or that the hand reached without being paid. */
function rowOf(table: PaytableView, { wager, why, payout_cents }: LineView): string | null {
  const isHand = (label: string) => kindOfHand(label) === kindOfHand(why.hand ?? why.dealer_hand ?? "");
  const named = (label: string) => label === why.award || isHand(label);
  if (payout_cents === 0) return table.rows.find((row) => isHand(row.label))?.label ?? null;
  const odds = (row: PaytableView["rows"][number]) => (wager === "envy" ? row.envy : row.pays);
  const paid = table.rows.filter((row) => odds(row) != null && odds(row) === why.pays);
  return (paid.find((row) => named(row.label)) ?? paid[0])?.label ?? null;
}

/** A Blind can lose with a hand on its paytable; every other wager that reaches a row is paid. */
function isMarked(line: LineView): boolean {
  if (line.for_dealer) return false;
  return line.payout_cents > 0 || (line.wager === "blind" && line.outcome !== "blind.fold");
}

/** The rows of every paytable that the player's hands have reached in a settled round. */
export function markedRows(tables: readonly NamedTable[], hands: readonly SettledHand[]): Marks {
  const marks: Record<string, RowMark[]> = {};
  for (const { kind, paytable } of tables) {
    const rows = new Map<string, RowMark>();
    for (const hand of hands) {
      for (const line of hand.view?.lines ?? []) {
        const own = line.wager === kind || (kind === "progressive" && line.wager === "envy");
        const label = own && isMarked(line) ? rowOf(paytable, line) : null;
        if (label === null) continue;
        const mark = rows.get(label) ?? { label, hands: [], cents: 0 };
        mark.cents += line.payout_cents;
        if (!mark.hands.includes(hand.number)) mark.hands.push(hand.number);
        rows.set(label, mark);
      }
    }
    if (rows.size) marks[kind] = [...rows.values()];
  }
  return marks;
}

/** A paytable that the player has picked, and in which round. */
export interface Pick {
  kind: string;
  round: string | null;
}

/**
 * The paytable to show beside the felt. The player's pick holds for the rest of its round; after
 * that, a round that pays brings the paytable of its highest-paying wager forward.
 */
export function shownKind(
  tables: readonly NamedTable[],
  picked: Pick | null,
  round: string | null,
  marks: Marks,
): string | null {
  const paid = tables
    .map(({ kind }) => ({ kind, cents: (marks[kind] ?? []).reduce((sum, mark) => sum + mark.cents, 0) }))
    .filter((wager) => wager.cents > 0)
    .sort((a, b) => b.cents - a.cents)[0];
  if (picked && (picked.round === round || !paid)) return picked.kind;
  return paid?.kind ?? tables[0]?.kind ?? null;
}
