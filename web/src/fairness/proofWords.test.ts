import { afterEach, describe, expect, it } from "vitest";
import { settings } from "../app/settings.svelte";
import type { DealtCardForm } from "../protocol/forms";
import { placeTitle } from "../words/places";
import type { ProofProblem } from "./proof";
import { deckWords, problemWords } from "./proofWords";

afterEach(() => {
  settings.language = "en";
});

const card = (lies: DealtCardForm["lies"], spot: string | null): DealtCardForm => ({
  lies,
  spot,
  position: 2,
  deck: "table",
  index: 0,
  proof: null,
});

// What is wrong with a proof, in English and in Spanish.
const PROBLEMS: readonly [ProofProblem, string, string][] = [
  [{ what: "format" }, "it is not in the expected format", "no tiene el formato esperado"],
  [
    { what: "commitment", deck: "seat-12" },
    "the fingerprint of the deck of terminal 12 was published too late",
    "la huella de la baraja del terminal 12 se publicó demasiado tarde",
  ],
  [{ what: "card", card: card("dealer", null), draw: false }, "Dealer, card 2", "Crupier, carta 2"],
  [{ what: "card", card: card("common", null), draw: false }, "Board, card 2", "Cartas comunes, carta 2"],
  [{ what: "card", card: card("common", null), draw: true }, "Draw card 2", "Carta de cambio 2"],
  [{ what: "card", card: card("hand", "3.1"), draw: false }, "Seat 3, card 2", "Asiento 3, carta 2"],
  [
    { what: "card", card: card("hand", "3.2"), draw: false },
    "Seat 3, hand 2, card 2",
    "Asiento 3, mano 2, carta 2",
  ],
];

describe("the places of a proof", () => {
  it.each<[DealtCardForm["lies"], string | null, boolean, string]>([
    ["dealer", null, false, "Dealer hand"],
    ["common", null, false, "Board"],
    ["common", null, true, "Draw cards"],
    ["hand", "3.1", false, "Seat 3"],
    ["hand", "3.2", false, "Seat 3, hand 2"],
  ])("have names: %s %s", (lies, spot, draw, wanted) => {
    expect(placeTitle(lies, spot, draw)).toBe(wanted);
  });
});

describe("what is wrong with a proof", () => {
  it.each(PROBLEMS)("is said in both languages", (problem, english, spanish) => {
    expect(problemWords(problem)).toBe(english);
    settings.language = "es";
    expect(problemWords(problem)).toBe(spanish);
  });

  it("names the decks", () => {
    expect([deckWords("table"), deckWords("seat-3")]).toEqual([
      "the table's deck",
      "the deck of terminal 3",
    ]);
  });
});
