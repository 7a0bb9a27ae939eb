// What a wager pays on, in words: each way it may end, and an example of a win.

import type { EndingView, HouseView, WagerTermsView } from "../../protocol/forms";
import { maybe, t } from "../../words/i18n.svelte";
import { chipMoney } from "../../words/money";
import { labelWords, paysWords, wagerWords } from "../../words/vocabulary";

const RESULTS = ["win", "push", "returned", "lose"] as const;

interface TermGroup {
  result: (typeof RESULTS)[number];
  endings: readonly EndingView[];
}

/** The endings of a wager by result: wins first, then what comes back, then losses. */
export function termGroups(terms: WagerTermsView): TermGroup[] {
  return RESULTS.map((result) => ({
    result,
    endings: terms.endings.filter((ending) => ending.result === result),
  })).filter((group) => group.endings.length > 0);
}

/** A row of a paytable within a sentence, as the least hand that is paid. */
function leastWords(label: string | null | undefined): string {
  const words = labelWords(label ?? "").replace(/ (or better|o mejor)$/, "");
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** How a wager ends in one case. */
export function endingWords(ending: EndingView, terms: WagerTermsView, house: HouseView): string {
  const qualifies = house.dealer_qualifies;
  const values = {
    least: leastWords(terms.example?.award),
    qualifies: maybe(`qualifies.${qualifies}`) ?? qualifies,
  };
  return (
    maybe(`terms.${ending.outcome}.${ending.result}`, values) ??
    maybe(`terms.${ending.outcome}`, values) ??
    ending.outcome
  );
}

/** An example of a win; empty if its size depends on more than the stake. */
export function exampleWords({ wager, example }: WagerTermsView): string {
  if (!example) return "";
  const values = {
    wager: wagerWords(wager),
    stake: chipMoney(example.stake_cents),
    payout: chipMoney(example.payout_cents),
    pays: paysWords(example.pays),
    award: leastWords(example.award),
  };
  if (wager === "ante_bonus") return t("terms.example.ante_bonus", values);
  if (example.award === null) return t("terms.example.even", values);
  return t(example.stake_returned ? "terms.example.row" : "terms.example.for_one", values);
}

/** The name of what terms are about. */
export function termsName(terms: WagerTermsView): string {
  return terms.wager === "any" ? t("terms.any") : wagerWords(terms.wager);
}

/** The terms that belong to a circle: those of its wager, and what is paid with it. */
export function termsAt(house: HouseView, kind: string): WagerTermsView[] {
  const beside = { ante: "ante_bonus", progressive: "envy" }[kind];
  return house.terms.filter(({ wager }) => wager === kind || wager === beside || wager === "any");
}

/** The terms of the wagers that the table offers. */
export function offeredTerms(house: HouseView): WagerTermsView[] {
  const offered = new Set([...house.wagers.map((rule) => rule.kind), "play", "ante_bonus", "any"]);
  if (offered.has("progressive")) offered.add("envy");
  return house.terms.filter(({ wager }) => offered.has(wager));
}
