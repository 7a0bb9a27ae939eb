// The terms of a house as a supervisor edits them, and the form that is sent for their figures.

import type { DraftRow, DraftWager, DraftWagerView, FigureLine, HouseDraftForm, HouseDraftView } from "../../protocol/forms";
import { chipMoney, readMoney } from "../../words/money";

interface DraftedRow {
  label: string;
  pays: string;
  envy: string;
}

export interface DraftedWager {
  kind: string;
  least: string;
  most: string;
  step: string;
  /** Empty for the Ante, which has none. */
  paytable: string;
  rows: DraftedRow[];
}

export interface HouseDraft {
  house: string;
  hand: string;
  atLeast: string;
  beforeFlop: string;
  onFlop: string;
  onRiver: string;
  wagers: DraftedWager[];
}

const dollars = (cents: number): string => chipMoney(cents).slice(1).replaceAll(",", "");

/** The rows of a paytable as they are typed. */
export function rowsOf(wager: DraftWagerView, paytable: string): DraftedRow[] {
  const table = wager.tables.find((candidate) => candidate.name === paytable);
  return (table?.rows ?? []).map((row, place) => ({
    label: table?.labels[place] ?? "",
    pays: row.pays,
    envy: row.envy ? String(row.envy) : "",
  }));
}

export function draftOf(view: HouseDraftView): HouseDraft {
  return {
    house: view.house,
    hand: view.qualifying.hand,
    atLeast: view.qualifying.at_least ?? "",
    beforeFlop: view.before_flop.join(", "),
    onFlop: view.on_flop.join(", "),
    onRiver: view.on_river.join(", "),
    wagers: view.wagers.map((offered) => ({
      kind: offered.wager.kind,
      least: dollars(offered.wager.min_cents),
      most: dollars(offered.wager.max_cents),
      step: dollars(offered.wager.step_cents),
      paytable: offered.wager.paytable ?? "",
      rows: rowsOf(offered, offered.wager.paytable ?? ""),
    })),
  };
}

/** Typed multiples such as `3, 4`, from the smallest; null if they are none. */
export function readMultiples(text: string): number[] | null {
  const parts = text.split(/[\s,;/x]+/i).filter((part) => part !== "");
  if (parts.some((part) => !/^[1-9]\d?$/.test(part))) return null;
  return [...new Set(parts.map(Number))].sort((a, b) => a - b);
}

/** Odds as they are sent: `4` and `4:1` are also typed for `4 to 1`. */
export function readPays(text: string, progressive: boolean): string {
  const typed = text.trim().replaceAll(",", "");
  if (progressive) return typed;
  const odds = /^(\d+)(?:\s*(?::|\/|-|to|a)\s*(\d+))?$/i.exec(typed);
  return odds ? `${odds[1]} to ${odds[2] ?? "1"}` : typed;
}

/** The form that is sent, or the fields that do not hold an amount or a multiple. */
export function formOf(draft: HouseDraft, view: HouseDraftView): { form: HouseDraftForm | null; wrong: string[] } {
  const wrong: string[] = [];
  const multiples = (name: "beforeFlop" | "onFlop" | "onRiver"): number[] => {
    const read = readMultiples(draft[name]);
    if (!read) wrong.push(name);
    return read ?? [];
  };
  const wagers = draft.wagers.map((wager) => wagerForm(wager, view, wrong));
  const form: HouseDraftForm = {
    house: draft.house,
    qualifying: { hand: draft.hand, at_least: draft.hand === "pair" && draft.atLeast ? draft.atLeast : null },
    before_flop: multiples("beforeFlop"),
    on_flop: multiples("onFlop"),
    on_river: multiples("onRiver"),
    wagers,
  };
  return { form: wrong.length ? null : form, wrong };
}

function wagerForm(wager: DraftedWager, view: HouseDraftView, wrong: string[]): DraftWager {
  const cents = (name: "least" | "most" | "step"): number => {
    const read = readMoney(wager[name]);
    if (!read) wrong.push(`${wager.kind}.${name}`);
    return read ?? 0;
  };
  const usual = view.wagers.find((offered) => offered.wager.kind === wager.kind);
  const rows = wager.rows.map((row, place): DraftRow => {
    const envy = row.envy.trim() === "" ? 0 : Number(row.envy);
    if (!Number.isInteger(envy) || envy < 0) wrong.push(`${wager.kind}.rows[${place}]`);
    return { pays: readPays(row.pays, wager.kind === "progressive"), envy };
  });
  const table = usual?.tables.find((candidate) => candidate.name === wager.paytable);
  const same = JSON.stringify(rows) === JSON.stringify(table?.rows ?? []);
  return {
    kind: wager.kind,
    min_cents: cents("least"),
    max_cents: cents("most"),
    step_cents: cents("step"),
    paytable: wager.paytable || null,
    rows: same ? null : rows,
  };
}

/** A figure as it is shown: `2.1850%`, `4.939299`, `$0.1092`. */
export function figureText(text: string, unit: string): string {
  const [, sign = "", whole = "", rest = ""] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? ["", "", text, ""];
  const shown = sign === "-" ? "−" : sign;
  if (unit === "percent") return `${shown}${whole}.${rest}%`;
  if (unit !== "dollars") return `${shown}${whole}.${rest}`;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return `${shown}$${grouped}.${rest.endsWith("00") ? rest.slice(0, 2) : rest}`;
}

/** Whether a figure of the draft is another one than the published. */
export function differs(line: FigureLine): boolean {
  if (!line.draft || !line.published) return false;
  return line.draft.fraction !== line.published.fraction || line.draft.decimal !== line.published.decimal;
}

/** The lines of each wager together, in the order in which they come. */
export function grouped(lines: readonly FigureLine[]): { of: string; lines: FigureLine[] }[] {
  const groups: { of: string; lines: FigureLine[] }[] = [];
  for (const line of lines) {
    let group = groups.find((candidate) => candidate.of === line.of);
    if (!group) groups.push((group = { of: line.of, lines: [] }));
    group.lines.push(line);
  }
  // The game comes first, also where its figures are counted last.
  return groups.sort((a, b) => Number(b.of === "game") - Number(a.of === "game"));
}
