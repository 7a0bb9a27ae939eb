// Favourite bets: a few sets of wagers, kept in this browser for each house.

import { say, warn } from "../../app/announcer.svelte";
import type { HouseView } from "../../protocol/forms";
import { t } from "../../words/i18n.svelte";
import { chipMoney } from "../../words/money";
import { wagerWords } from "../../words/vocabulary";
import {
  isFixed,
  limitsOf,
  repeatable,
  sameWagers,
  takesWager,
  total,
  totalPlaced,
  type BetRules,
  type Placed,
  type Wagers,
} from "./wagers";

export const SLOTS = 3;

/** The wagers of each hand, by the hand's number; the seat may be another one next time. */
export type Favourite = Readonly<Record<string, Wagers>>;

/** The wagers on the felt as a favourite. */
export function favouriteOf(placed: Placed): Favourite {
  const hands = Object.entries(repeatable(placed));
  return Object.fromEntries(hands.map(([spot, wagers]) => [spot.split(".")[1] ?? "1", wagers]));
}

/** A favourite on the hands of a seat. */
export function placedAt(seat: number, favourite: Favourite): Placed {
  const hands = Object.entries(favourite);
  return Object.fromEntries(hands.map(([hand, wagers]) => [`${seat}.${hand}`, wagers]));
}

function sameFavourite(a: Favourite, b: Favourite): boolean {
  const hands = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...hands].every((hand) => sameWagers(a[hand] ?? [], b[hand] ?? []));
}

interface Misfit {
  reason: "hand" | "limits" | "not_offered" | "too_many";
  wager: string;
  limits: { min_cents: number; max_cents: number };
}

/** What of a favourite the house does not accept any more; limits may change from day to day. */
export function misfit(rules: BetRules, hands: number, favourite: Favourite): Misfit | null {
  const none = { min_cents: 0, max_cents: 0 };
  for (const [hand, wagers] of Object.entries(favourite)) {
    if (Number(hand) > hands) return { reason: "hand", wager: "", limits: none };
    for (const { kind, cents, for_dealer } of wagers) {
      const limits = limitsOf(rules, kind, for_dealer);
      if (!limits) return { reason: "not_offered", wager: kind, limits: none };
      const fits = cents >= limits.min_cents && cents <= limits.max_cents;
      if (!fits || (!isFixed(limits) && cents % limits.multiple_of_cents !== 0)) {
        return { reason: "limits", wager: kind, limits };
      }
      const others = wagers.filter((wager) => wager.kind !== kind || wager.for_dealer !== for_dealer);
      if (kind !== "blind" && !takesWager(rules, others, kind, for_dealer)) {
        return { reason: "too_many", wager: kind, limits };
      }
    }
  }
  return null;
}

/** What a favourite lays, hand by hand: `Ante $10, Trips $5`. The Blind goes with its Ante. */
export function favouriteWords(favourite: Favourite): string {
  const hands = Object.entries(favourite);
  const line = (wagers: Wagers) =>
    wagers
      .filter((wager) => wager.kind !== "blind")
      .map(({ kind, cents, for_dealer }) => {
        const name = kind === "ante" && wagers.some(({ kind: other }) => other === "blind")
          ? t("favourites.ante_and_blind")
          : wagerWords(kind);
        return `${name} ${chipMoney(cents)}${for_dealer ? ` (${t("bet.for_dealer")})` : ""}`;
      })
      .join(", ");
  if (hands.length === 1) return line(hands[0]?.[1] ?? []);
  return hands
    .map(([hand, wagers]) => `${t("hand.name", { number: hand })}: ${line(wagers)}`)
    .join(" · ");
}

export function favouriteTotal(favourite: Favourite): number {
  return Object.values(favourite).reduce((sum, wagers) => sum + total(wagers), 0);
}

/** What storage holds, as far as it is a favourite. */
export function readFavourites(text: string | null): (Favourite | null)[] {
  let stored: unknown = null;
  try {
    stored = JSON.parse(text ?? "[]");
  } catch {
    // What cannot be read is as good as nothing.
  }
  const slots: unknown[] = Array.isArray(stored) ? stored : [];
  return Array.from({ length: SLOTS }, (_, at) => (isFavourite(slots[at]) ? slots[at] : null));
}

function isFavourite(value: unknown): value is Favourite {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const hands = Object.entries(value);
  return (
    hands.length > 0 &&
    hands.every(([hand, wagers]) => /^[1-9]$/.test(hand) && Array.isArray(wagers) && wagers.length > 0 && wagers.every(isWager))
  );
}

function isWager(value: unknown): boolean {
  const wager = value as { kind?: unknown; cents?: unknown; for_dealer?: unknown } | null;
  const { kind, cents, for_dealer } = wager ?? {};
  return typeof kind === "string" && Number.isSafeInteger(cents) && Number(cents) > 0 && typeof for_dealer === "boolean";
}

interface Bets {
  readonly open: boolean;
  readonly placed: Placed;
  readonly betCents: number;
  lay(placed: Placed): boolean;
}

export class Favourites {
  slots = $state.raw<readonly (Favourite | null)[]>([]);

  constructor(
    private readonly house: HouseView,
    private readonly bets: Bets,
    private readonly seat: () => number | null,
  ) {
    this.slots = readFavourites(this.stored());
  }

  private get key(): string {
    return `openfelt.favourites.${this.house.id}`;
  }

  private stored(): string | null {
    try {
      return localStorage.getItem(this.key);
    } catch {
      return null;
    }
  }

  get canSave(): boolean {
    return this.bets.open && this.bets.betCents > 0;
  }

  /** Whether a slot holds exactly what lies on the felt. */
  lies(slot: number): boolean {
    const saved = this.slots[slot];
    return !!saved && sameFavourite(saved, favouriteOf(this.bets.placed));
  }

  canLay(slot: number): boolean {
    return this.bets.open && this.seat() !== null && !!this.slots[slot] && !this.lies(slot);
  }

  save(slot: number): void {
    if (!this.canSave) return;
    const favourite = favouriteOf(this.bets.placed);
    this.keep(this.slots.map((saved, at) => (at === slot ? favourite : saved)));
    say(() => t("favourites.saved", { number: slot + 1, amount: chipMoney(totalPlaced(favourite)) }));
  }

  remove(slot: number): void {
    this.keep(this.slots.map((saved, at) => (at === slot ? null : saved)));
  }

  /** Lay a favourite in place of the bets on the felt; the reason is said if it cannot be. */
  lay(slot: number): boolean {
    const [saved, seat] = [this.slots[slot], this.seat()];
    if (!saved || seat === null || !this.canLay(slot)) return false;
    const wrong = misfit(this.house, this.house.hands_per_seat, saved);
    if (wrong) {
      const { min_cents, max_cents } = wrong.limits;
      warn(
        t(`favourites.misfit.${wrong.reason}`, {
          wager: wagerWords(wrong.wager),
          min: chipMoney(min_cents),
          max: chipMoney(max_cents),
        }),
      );
      return false;
    }
    if (!this.bets.lay(placedAt(seat, saved))) return false;
    say(() => t("favourites.laid", { bets: favouriteWords(saved), amount: chipMoney(favouriteTotal(saved)) }));
    return true;
  }

  private keep(slots: readonly (Favourite | null)[]): void {
    this.slots = slots;
    try {
      localStorage.setItem(this.key, JSON.stringify(slots));
    } catch {
      // Without storage the favourites last as long as the page.
    }
  }
}
