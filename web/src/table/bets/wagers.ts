// The arithmetic of wagers. The protocol sets a hand's wagers as a whole, so adding, doubling and
// repeating are computed here. The server decides what is allowed; limits are checked here only to
// refuse at once what the server would refuse.

import type { WagerView } from "../../protocol/messages";

export interface Limits {
  min_cents: number;
  max_cents: number;
  multiple_of_cents: number;
}

/** The rules of a house that placing chips depends on. */
export interface BetRules {
  wagers: readonly (Limits & { kind: string })[];
  dealer_wagers?: Limits | null;
  play?: object | null;
  wagers_per_hand_max?: number | null;
}

export type Wagers = readonly WagerView[];
/** The wagers of each of the player's hands, by spot. */
export type Placed = Readonly<Record<string, Wagers>>;

type Changed =
  | { ok: true; wagers: Wagers; raisedToMinimum: boolean }
  | { ok: false; reason: Unplaced; cents: number };
type Unplaced = "above_maximum" | "fixed" | "not_offered" | "too_many";

/** The limits of a wager; wagers for the dealer have their own. */
export function limitsOf(rules: BetRules, kind: string, forDealer: boolean): Limits | null {
  const own = rules.wagers.find((rule) => rule.kind === kind) ?? null;
  return own && forDealer ? (rules.dealer_wagers ?? null) : own;
}

export function isFixed(limits: Limits): boolean {
  return limits.min_cents === limits.max_cents;
}

export function staked(wagers: Wagers, kind: string, forDealer = false): number {
  return wagers
    .filter((wager) => wager.kind === kind && wager.for_dealer === forDealer)
    .reduce((sum, wager) => sum + wager.cents, 0);
}

/** What is wagered for the dealer. */
export function totalForDealer(wagers: Wagers): number {
  return total(wagers.filter((wager) => wager.for_dealer));
}

export function total(wagers: Wagers): number {
  return wagers.reduce((sum, wager) => sum + wager.cents, 0);
}

export function totalPlaced(placed: Placed): number {
  return Object.values(placed).reduce((sum, wagers) => sum + total(wagers), 0);
}

function isSame(wager: WagerView, kind: string, forDealer: boolean): boolean {
  return wager.kind === kind && wager.for_dealer === forDealer;
}

/** Set the stake on a circle. If the house has a Blind, it equals the Ante. */
function withStake(
  rules: BetRules,
  wagers: Wagers,
  kind: string,
  forDealer: boolean,
  cents: number,
): Wagers {
  const both = kind === "ante" && rules.wagers.some((rule) => rule.kind === "blind");
  const kinds = both ? ["ante", "blind"] : [kind];
  const kept = wagers.filter((wager) => !kinds.some((paired) => isSame(wager, paired, forDealer)));
  if (cents === 0) return kept;
  return [...kept, ...kinds.map((paired) => ({ kind: paired, cents, for_dealer: forDealer }))];
}

/**
 * Whether a hand may carry a wager on this circle beside the others. Where Play is a wager of its
 * own, one may follow each Ante, and it counts.
 */
export function takesWager(rules: BetRules, wagers: Wagers, kind: string, forDealer = false): boolean {
  const most = rules.wagers_per_hand_max ?? null;
  if (most === null || staked(wagers, kind, forDealer) > 0) return true;
  const after = withStake(rules, wagers, kind, forDealer, 1);
  const plays = rules.play ? after.filter((wager) => wager.kind === "ante").length : 0;
  return after.length + plays <= most;
}

/** Add a chip to a circle: at least to the minimum, and not above the maximum. */
export function addChip(
  rules: BetRules,
  wagers: Wagers,
  kind: string,
  chipCents: number,
  forDealer = false,
): Changed {
  const limits = limitsOf(rules, kind, forDealer);
  if (!limits) return { ok: false, reason: "not_offered", cents: 0 };
  if (!takesWager(rules, wagers, kind, forDealer)) {
    return { ok: false, reason: "too_many", cents: 0 };
  }
  const before = staked(wagers, kind, forDealer);
  if (isFixed(limits)) {
    if (before) return { ok: false, reason: "fixed", cents: limits.max_cents };
    return {
      ok: true,
      wagers: withStake(rules, wagers, kind, forDealer, limits.min_cents),
      raisedToMinimum: false,
    };
  }
  const wanted = before + chipCents;
  if (wanted > limits.max_cents) {
    return { ok: false, reason: "above_maximum", cents: limits.max_cents };
  }
  const cents = Math.max(wanted, limits.min_cents);
  return {
    ok: true,
    wagers: withStake(rules, wagers, kind, forDealer, cents),
    raisedToMinimum: cents > wanted,
  };
}

type Doubled =
  | { ok: true; placed: Placed }
  | { ok: false; reason: "above_maximum" | "credit_short" | "nothing"; cents: number };

/**
 * Double every wager of every hand, except those of a fixed size. It is all or nothing: if one
 * limit or the credit would be exceeded, nothing is doubled.
 */
export function doubled(rules: BetRules, placed: Placed, creditCents: number): Doubled {
  const cost = totalPlaced(placed);
  if (cost === 0) return { ok: false, reason: "nothing", cents: 0 };
  const after: Record<string, Wagers> = {};
  for (const [spot, wagers] of Object.entries(placed)) {
    const twice: WagerView[] = [];
    for (const wager of wagers) {
      const kind = wager.kind === "blind" ? "ante" : wager.kind;
      const limits = limitsOf(rules, kind, wager.for_dealer);
      const cents = limits && isFixed(limits) ? wager.cents : wager.cents * 2;
      if (limits && cents > limits.max_cents) {
        return { ok: false, reason: "above_maximum", cents: limits.max_cents };
      }
      twice.push({ ...wager, cents });
    }
    after[spot] = twice;
  }
  const more = totalPlaced(after) - cost;
  if (more > creditCents) return { ok: false, reason: "credit_short", cents: more };
  return { ok: true, placed: after };
}

/**
 * The chips of the tray: the house's chips, preceded by one for the smallest wager if no chip of
 * the house is that small. A wager of a fixed size accepts any chip.
 */
export function trayChips(rules: BetRules & { chips_cents: readonly number[] }): number[] {
  const own = rules.chips_cents;
  const wagers = [...rules.wagers, ...(rules.dealer_wagers ? [rules.dealer_wagers] : [])];
  const least = Math.min(...wagers.filter((limits) => !isFixed(limits)).map((limits) => limits.min_cents));
  return least < Math.min(...own) && Number.isFinite(least) ? [least, ...own] : [...own];
}

/** The chip selected by default: the smallest that makes an Ante by itself. */
export function firstChip(rules: BetRules & { chips_cents: readonly number[] }): number {
  const chips = trayChips(rules);
  const ante = rules.wagers.find((rule) => rule.kind === "ante")?.min_cents ?? 0;
  return chips.find((chip) => chip >= ante) ?? chips.at(-1) ?? 100;
}

/** How many of the largest chips take part in the search for the fewest chips. */
const LARGEST_KEPT = 4;
const STACK_MAX = 40;

/** A stake in the fewest chips, largest first, without a remainder that no chip covers. */
export function chipsFor(cents: number, chipsCents: readonly number[]): number[] {
  const sizes = chipsCents.toSorted((a, b) => b - a);
  const largest = sizes[0];
  if (!largest) return [];
  const many = Math.max(0, Math.min(STACK_MAX, Math.floor(cents / largest) - LARGEST_KEPT));
  const rest = cents - many * largest;
  // For every multiple of the common step up to the rest: the chip count, and the last chip.
  const step = sizes.reduce(commonDivisor);
  const reached = Math.floor(rest / step);
  const count = [0];
  const last = [0];
  for (let at = 1; at <= reached; at += 1) {
    count[at] = Infinity;
    for (const size of sizes) {
      const before = count[at - size / step];
      if (before !== undefined && before + 1 < (count[at] ?? 0)) {
        count[at] = before + 1;
        last[at] = size;
      }
    }
  }
  let at = reached;
  while (count[at] === Infinity) at -= 1;
  const chips = Array.from({ length: many }, () => largest);
  for (; at > 0; at -= (last[at] ?? 0) / step) chips.push(last[at] ?? 0);
  return chips.sort((a, b) => b - a).slice(0, STACK_MAX);
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}

/** The wagers of a hand to send: Play is made by deciding, and Blind follows Ante. */
export function toSend(wagers: Wagers): WagerView[] {
  return wagers
    .filter((wager) => wager.kind !== "play" && wager.kind !== "blind")
    .map(({ kind, cents, for_dealer }) => ({ kind, cents, for_dealer }));
}

/** The wagers that re-bet places in the next round. */
export function repeatable(placed: Placed): Placed {
  const kept = Object.entries(placed).map(
    ([spot, wagers]) => [spot, wagers.filter((wager) => wager.kind !== "play")] as const,
  );
  return Object.fromEntries(kept.filter(([, wagers]) => wagers.length > 0));
}

/** Whether two sets of wagers are the same on every hand. */
export function samePlaced(a: Placed, b: Placed): boolean {
  const spots = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...spots].every((spot) => sameWagers(a[spot] ?? [], b[spot] ?? []));
}

/** Of all wagers, those for the dealer. */
export function totalTips(placed: Placed): number {
  const all = Object.values(placed).flat();
  return total(all.filter((wager) => wager.for_dealer));
}

export function sameWagers(a: Wagers, b: Wagers): boolean {
  const text = (wagers: Wagers) =>
    toSend(wagers)
      .map((wager) => `${wager.kind}:${wager.for_dealer}:${wager.cents}`)
      .sort()
      .join();
  return text(a) === text(b);
}
