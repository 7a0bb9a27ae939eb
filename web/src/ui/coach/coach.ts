// What the coach says of a player's decisions, in figures and words.

import type { CoachedDecision, PricedChoice } from "../../protocol/forms";
import { t, type MessageKey } from "../../words/i18n.svelte";
import { money } from "../../words/money";

/** What decisions have cost, in Antes and in cents. */
interface Cost {
  antes: number;
  cents: number;
}

/** The decision that was made. */
export function chosenOf(decision: CoachedDecision): PricedChoice | undefined {
  return decision.choices[decision.chosen];
}

/** What a decision has cost; nothing if it was the best, or as good as the best. */
export function costOf(decision: CoachedDecision): Cost {
  const antes = chosenOf(decision)?.cost ?? 0;
  return { antes, cents: antes * decision.ante_cents };
}

/** What all decisions together have cost. */
export function totalCost(decisions: readonly CoachedDecision[]): Cost {
  return decisions.map(costOf).reduce(
    (sum, cost) => ({ antes: sum.antes + cost.antes, cents: sum.cents + cost.cents }),
    { antes: 0, cents: 0 },
  );
}

/** A number of Antes: three decimals, and never a difference that rounds to none. */
export function antesFigure(antes: number): string {
  if (antes > 0 && antes < 0.0005) return "0.001";
  return antes.toFixed(3).replace("-", "−");
}

/** A cost in words: `0.151 Ante ($1.51)`. */
export function costWords({ antes, cents }: Cost): string {
  if (antes === 0) return t("coach.nothing");
  const amount = cents < 0.5 ? t("coach.under_cent") : money(Math.round(cents));
  return t("coach.amount", { antes: antesFigure(antes), amount });
}

/** A decision in words: `Check`, `Play 4x`. */
export function choiceWords({ kind, multiple }: PricedChoice): string {
  return kind === "bet" ? t("coach.play", { multiple: multiple ?? 1 }) : t(`choice.${kind}`);
}

export function streetWords(street: string): string {
  return t(`coach.street.${street}` as MessageKey);
}
