// The paytables of a house, in the order in which they are shown, and the rows that a round paid.

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
  tables.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
  if (house.ante_bonus) tables.unshift({ kind: "ante_bonus", paytable: house.ante_bonus });
  return tables;
}

/** What a row has to do with the round on the screen. */
export interface RowMark {
  label: string;
  /** The own hands that reached the row. */
  hands: number[];
  /** What it paid in all; 0 where the hands reached it and were not paid. */
  cents: number;
}

export type Marks = Readonly<Record<string, readonly RowMark[]>>;

/** An own hand with what became of its wagers; before the end there are no lines. */
export interface SettledHand {
  number: number;
  view: { lines: readonly LineView[] } | null;
}

/** The kind of a hand by its name or by the label of a row: "Flush, ace high" is a flush. */
function kindOfHand(words: string): string {
  return (words.split(",")[0] ?? "").toLowerCase().replaceAll("-", " ");
}

/** The row by which a line was paid, or which a hand reached that was not paid for it. */
function rowOf(table: PaytableView, { wager, why, payout_cents }: LineView): string | null {
  const isHand = (label: string) => kindOfHand(label) === kindOfHand(why.hand ?? why.dealer_hand ?? "");
  const named = (label: string) => label === why.award || isHand(label);
  if (payout_cents === 0) return table.rows.find((row) => isHand(row.label))?.label ?? null;
  const odds = (row: PaytableView["rows"][number]) => (wager === "envy" ? row.envy : row.pays);
  const paid = table.rows.filter((row) => odds(row) != null && odds(row) === why.pays);
  return (paid.find((row) => named(row.label)) ?? paid[0])?.label ?? null;
}

/** A Blind can be lost with a hand of its table; every other wager that reaches a row is paid. */
function isMarked(line: LineView): boolean {
  if (line.for_dealer) return false;
  return line.payout_cents > 0 || (line.wager === "blind" && line.outcome !== "blind.fold");
}

/** The rows of every paytable that the own hands of a settled round have reached. */
export function markedRows(tables: readonly NamedTable[], hands: readonly SettledHand[]): Marks {
  const marks: Record<string, RowMark[]> = {};
  for (const { kind, paytable } of tables) {
    const found = new Map<string, RowMark>();
    for (const hand of hands) {
      for (const line of hand.view?.lines ?? []) {
        const own = line.wager === kind || (kind === "progressive" && line.wager === "envy");
        const label = own && isMarked(line) ? rowOf(paytable, line) : null;
        if (label === null) continue;
        const mark = found.get(label) ?? { label, hands: [], cents: 0 };
        mark.cents += line.payout_cents;
        if (!mark.hands.includes(hand.number)) mark.hands.push(hand.number);
        found.set(label, mark);
      }
    }
    if (found.size) marks[kind] = [...found.values()];
  }
  return marks;
}

/** A paytable that the player has picked, and the round in which it was. */
export interface Pick {
  kind: string;
  round: string | null;
}

/**
 * The paytable to show beside the felt. A pick holds for the rest of its round; when another round
 * pays, the wager that paid most comes forward for as long as that round lies there.
 */
export function shownKind(
  tables: readonly NamedTable[],
  picked: Pick | null,
  round: string | null,
  marks: Marks,
): string | null {
  const paid = tables
    .map(({ kind }) => ({ kind, cents: (marks[kind] ?? []).reduce((sum, one) => sum + one.cents, 0) }))
    .filter((one) => one.cents > 0)
    .sort((one, other) => other.cents - one.cents)[0];
  if (picked && (picked.round === round || !paid)) return picked.kind;
  return paid?.kind ?? tables[0]?.kind ?? null;
}
