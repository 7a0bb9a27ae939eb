// What went wrong, as staff put it together: the kind, the hand, the card that is replaced.

import type { CommandAsked, RulingView } from "../../protocol/messages";
import { maybe, t } from "../../words/i18n.svelte";
import { money } from "../../words/money";

/** What happened, by its kind and its cards. */
export function wrongWords(ruling: Pick<RulingView, "irregularity" | "about">): string {
  return maybe(`wrong.${ruling.irregularity}.${ruling.about}`) ?? ruling.irregularity;
}

/** What follows: for the cards, and for the wagers. */
export function effectWords(ruling: Pick<RulingView, "irregularity" | "effect">): string {
  const { irregularity, effect } = ruling;
  return (
    maybe(`wrong.effect.${effect}.${irregularity}`) ?? maybe(`wrong.effect.${effect}`) ?? effect
  );
}

/** What seeing the exposed card is worth, a line for each case; empty where it is not known. */
export function flashedWords(ruling: Pick<RulingView, "flashed">): string[] {
  return ruling.flashed.map(({ seen, percent, cents, ante_cents }) =>
    t("wrong.flashed.line", {
      seen: maybe(`wrong.flashed.${seen}`) ?? seen,
      percent,
      amount: money(cents),
      antes: money(ante_cents),
    }),
  );
}

const GROUPS = ["cards", "hands", "chips"] as const;
type Group = (typeof GROUPS)[number];

function groupOf(about: string): Group {
  if (about === "hand") return "hands";
  return about === "chips" ? "chips" : "cards";
}

/** The rulings by what they are about, so that a long list can be read at a glance. */
export function grouped(rulings: readonly RulingView[]): { group: Group; rulings: RulingView[] }[] {
  const groups = GROUPS.map((group) => ({
    group,
    rulings: rulings.filter(({ about }) => groupOf(about) === group),
  }));
  return groups.filter((group) => group.rulings.length > 0);
}

/** The panel “Something is wrong”: what was chosen in it so far. */
export class IrregularityChoice {
  open = $state(false);
  chosen = $state.raw<RulingView | null>(null);
  spot = $state<string | null>(null);
  card = $state<string | null>(null);
  /** The chips that it is about, as they are typed. */
  amount = $state("");

  /** Show the panel, with nothing chosen. */
  begin(): void {
    this.choose(null);
    this.open = true;
  }

  choose(ruling: RulingView | null): void {
    this.chosen = ruling;
    this.spot = null;
    this.card = null;
    this.amount = "";
  }

  get needsSpot(): boolean {
    return this.chosen?.about === "hand" || this.needsAmount;
  }

  /** Whether chips are meant, whose amount may be noted. */
  get needsAmount(): boolean {
    return this.chosen?.about === "chips";
  }

  /** Whether it may be about a spot that has no hand: late chips may lie anywhere. */
  get anySpot(): boolean {
    return this.chosen?.irregularity === "wager_late";
  }

  get needsCard(): boolean {
    return this.chosen?.effect === "replace_card" || this.chosen?.effect === "burn_card";
  }

  /** A card from the scanner, while the panel is open. */
  scan(card: string): void {
    if (this.needsCard) this.card = card;
  }

  /** The command, once everything it needs is chosen. */
  command(round: number): CommandAsked | null {
    const { chosen, spot, card } = this;
    if (!chosen || (this.needsSpot && !spot) || (this.needsCard && !card)) return null;
    const about = chosen.about as "deck" | "hand" | "dealer" | "common" | "chips";
    const wrong = { kind: "irregularity" as const, irregularity: chosen.irregularity, about };
    if (!this.needsAmount || this.amount.trim() === "") return { ...wrong, spot, card, round };
    const cents = amountCents(this.amount);
    return cents === null ? null : { ...wrong, spot, card, cents, round };
  }
}

/** An amount of money as it is typed, in cents; null for anything else, and for nothing. */
export function amountCents(typed: string): number | null {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (!match) return null;
  const cents = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return cents > 0 ? cents : null;
}
