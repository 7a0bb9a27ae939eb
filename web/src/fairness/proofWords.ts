// A fairness proof in words: its decks, and what is wrong with it.

import { t } from "../words/i18n.svelte";
import { placeWords } from "../words/places";
import { cardWords } from "../words/vocabulary";
import type { ProofProblem } from "./proof";

/** The name of a deck: the table's, or one terminal's. */
export function deckWords(deck: string): string {
  const seat = /^seat-(\d+)$/.exec(deck)?.[1];
  return seat ? t("fair.deck.seat", { number: seat }) : t("fair.deck.table");
}

/** What is wrong with a proof. */
export function problemWords(problem: ProofProblem | null): string {
  if (problem?.what === "commitment") {
    return t("fair.bad.commitment", { deck: deckWords(problem.deck) });
  }
  switch (problem?.what) {
    case "seeds":
      return problem.seat === null
        ? t("fair.bad.seeds")
        : t("fair.bad.seed", { number: problem.seat });
    case "order":
    case "passed":
      return t("fair.bad.order", { deck: deckWords(problem.deck) });
    case "own_root":
      return t("fair.bad.own_root", { deck: deckWords(problem.deck) });
    case "seat":
      return t("fair.bad.seat", { number: problem.seat });
    case "own_seed":
      return t("fair.bad.own_seed");
    case "own_digest":
      return t("fair.bad.own_digest");
    case "own_card":
      return t("fair.bad.own_card", { card: cardWords(problem.shown) });
    case "other_round":
      return t("fair.bad.other_round");
    case "missing":
      return t("fair.bad.missing");
    case "list":
      return t("fair.bad.list");
    case "scanned":
      return t("fair.bad.scanned");
  }
  if (problem?.what !== "card") return t("fair.bad.format");
  const { lies, spot, position } = problem.card;
  const [seat = null, hand = null] = spot?.split(".").map(Number) ?? [];
  return placeWords({ lies, seat, hand, position }, { seat: null, draw: problem.draw });
}
