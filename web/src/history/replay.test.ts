import { afterEach, describe, expect, it } from "vitest";
import type { DealtCardForm } from "../protocol/forms";
import type { ProofProblem } from "../fairness/proof";
import { deckWords, lyingCards, placeTitle, problemWords } from "./replay";
import { settings } from "../app/settings.svelte";

afterEach(() => {
  settings.language = "en";
});

const FIVE = ["As", "Ah", "7c", "4d", "2h"];
const DRAW = ["Kc", "Qc", "Jc", "Tc", "9c"];

describe("the cards of a hand", () => {
  it.each<[string, readonly string[] | null, readonly (string | null)[], readonly string[]]>([
    ["before the decision", null, DRAW, FIVE],
    ["before the draw cards are turned", ["As", "Ah"], [null, null, null, null, null], FIVE],
    ["before there are draw cards", ["As", "Ah"], [], FIVE],
    ["with two held", ["As", "Ah"], DRAW, ["As", "Ah", "Kc", "Qc", "Jc"]],
    ["with the third and fifth held", ["7c", "2h"], DRAW, ["Kc", "Qc", "7c", "Jc", "2h"]],
    ["with nothing held", [], DRAW, DRAW],
    ["with all five held", FIVE, DRAW, FIVE],
  ])("lie as they should %s", (_, held, common, wanted) => {
    expect(lyingCards(FIVE, held, common)).toEqual(wanted);
  });

  it("are those of hold'em, which holds none", () => {
    expect(lyingCards(["As", "Kd"], undefined, DRAW)).toEqual(["As", "Kd"]);
  });
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
  [{ what: "format" }, "it has another form", "tiene otra forma"],
  [
    { what: "commitment", deck: "seat-12" },
    "the fingerprint of the deck of terminal 12 came too late",
    "la huella de la baraja del terminal 12 llegó tarde",
  ],
  [{ what: "card", card: card("dealer", null), draw: false }, "Dealer, card 2", "Crupier, carta 2"],
  [{ what: "card", card: card("common", null), draw: false }, "Board, card 2", "Mesa, carta 2"],
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
