import { afterEach, describe, expect, it } from "vitest";
import { settings } from "../app/settings.svelte";
import { happenedWords } from "./replay";
import type { Happened, LineView } from "../protocol/messages";
import en from "./en.json";
import es from "./es.json";
import { outcomeWords } from "./outcomes";
import { aggregateWords, labelWords, madeWords, noticeWords, paysWords, refusalWords, voidWords } from "./vocabulary";
import example from "./vocabulary.example.json";

// What the rules and the server can say, written by tools/terminal_words.py.
const lines = example.lines as LineView[];
const steps = example.steps as { seat: number; draw: boolean; what: Happened; text: string }[];

/** Every word of two letters or more, without the names of placeholders. */
function wordsOf(texts: Iterable<string>): Set<string> {
  const plain = [...texts].map((text) => text.replace(/\{\w+\}/g, " ").toLowerCase());
  return new Set(plain.flatMap((text) => text.match(/\p{L}{2,}/gu) ?? []));
}

/** Words that occur in the English texts and in no Spanish one. */
const spanish = wordsOf(Object.values(es));
const said = [...Object.values(en), ...lines.map((line) => line.because), ...steps.map((step) => step.text)];
const english = new Set([...wordsOf(said)].filter((word) => !spanish.has(word)));

function checkSpanish(text: string): void {
  expect(text).not.toBe("");
  expect(text).not.toMatch(/[{}]|undefined|\bNaN\b/);
  expect([...wordsOf([text])].filter((word) => english.has(word))).toEqual([]);
}

afterEach(() => {
  settings.language = "en";
});

describe("the words that tell English from Spanish", () => {
  it("find an English sentence", () => {
    for (const { because } of lines) expect(() => checkSpanish(because)).toThrow();
  });
});

describe("the name of a hand", () => {
  it("is the dealer's own in English, for every hand there is", () => {
    expect(example.hands).toHaveLength(309);
    expect(example.hands.map(madeWords)).toEqual(example.hands);
  });

  it("is another one in Spanish for every hand, and no English one", () => {
    settings.language = "es";
    const names = example.hands.map(madeWords);
    expect(new Set(names).size).toBe(names.length);
    names.forEach(checkSpanish);
  });

  it.each([
    ["Royal flush", "Escalera real"],
    ["Straight flush, queen high", "Escalera de color a la reina"],
    ["Full house, sixes over aces", "Full de seises y ases"],
    ["Straight, ten high", "Escalera al diez"],
    ["Two pair, kings and fours", "Doble pareja de reyes y cuatros"],
    ["Ace high", "As como carta alta"],
  ])("%s is %s", (name, wanted) => {
    settings.language = "es";
    expect(madeWords(name)).toBe(wanted);
  });
});

// Sentences that differ from the settlement's own, which is stored with the round and stays: they
// name a paytable row as the paytable does, or the hand instead of the person.
const OTHERWISE: Record<string, string> = {
  "Royal flush earns 50 times the Ante, win or lose.":
    "Royal flush pays 50 to 1 on the Ante, win or lose.",
  "Seat 1 made a royal flush: Envy pays 400 for 1.":
    "Seat 1: Royal flush. Envy pays 400 for 1.",
  "Both have straight, ace high: nobody was beaten.":
    "Both have straight, ace high: neither hand was beaten.",
};

describe("why a wager ended as it did", () => {
  it.each(lines.map((line) => [line.because, line] as const))("%s", (because, line) => {
    const wanted = OTHERWISE[because] ?? because.replace(/ \(\w\.[\w.]+\)\.$/, ".");
    expect(outcomeWords(line)).toBe(wanted);
  });

  it.each(lines.map((line) => [line.outcome, line] as const))("in Spanish: %s", (_, line) => {
    settings.language = "es";
    checkSpanish(outcomeWords(line));
  });

  it("names every value in Spanish", () => {
    settings.language = "es";
    const win = lines.find((line) => line.outcome === "ante.win");
    expect(win && outcomeWords(win)).toBe("Escalera al diez: gana al crupier, que tiene pareja de reyes.");
    const jackpot = lines.find((line) => line.why.winners != null);
    expect(jackpot && outcomeWords(jackpot)).toBe(
      "Escalera de color a la jota: gana el 10% del bote de $10,000.30, dividido entre 2.",
    );
  });

  it("does not name an Envy's winner whose hand is not shown", () => {
    const envy = lines.find((line) => line.outcome === "envy.win");
    expect(envy && outcomeWords({ ...envy, why: {} })).toBe("Another player's hand earns Envy.");
  });
});

describe("a payout aggregate", () => {
  it("is told beside the limits of a wager that has one, in both languages", () => {
    const trips = { kind: "trips", payout_aggregate_cents: 500_000 };
    expect(aggregateWords(trips)).toMatch(/^Trips: all such wagers of a round are paid at most \$5,000 together\./);
    settings.language = "es";
    checkSpanish(aggregateWords(trips));
    expect(aggregateWords({ kind: "ante", payout_aggregate_cents: null })).toBe("");
  });
});

describe("a step of a replay", () => {
  it.each(steps.map((step) => [step.text, step] as const))("%s", (text, step) => {
    expect(happenedWords(step.what, step)).toBe(text);
  });

  it.each(steps.map((step) => [step.text, step] as const))("in Spanish: %s", (_, step) => {
    settings.language = "es";
    const typed = step.what.kind === "round_voided" && !step.what.code;
    const words = happenedWords(step.what, step);
    if (typed) expect(words).toMatch(/^La ronda queda anulada: «.+»\.$/);
    else checkSpanish(words);
  });
});

describe("what the catalog's houses say", () => {
  it("has Spanish words for every row of every paytable", () => {
    settings.language = "es";
    example.labels.map(labelWords).forEach((label) => {
      if (/[a-z]/.test(label)) checkSpanish(label);
    });
    example.pays.map(paysWords).forEach((pays) => expect(pays).toMatch(/ (?:a|por) \d+$|% del bote$/));
    example.notices.map(noticeWords).forEach(checkSpanish);
  });

  it("is what the paytable says in English", () => {
    expect(example.pays.map(paysWords)).toEqual(example.pays);
    expect(example.notices.map((notice) => `${noticeWords(notice)}.`)).toEqual(example.notices);
  });
});

describe("reasons", () => {
  it("are said in the player's language, or quoted as they were typed", () => {
    settings.language = "es";
    expect(voidWords("Malfunction.", "malfunction")).toBe("avería");
    expect(voidWords("Spilled coffee.", null)).toBe("«Spilled coffee»");
  });

  it("of refusals fall back to a plain no, and never to English", () => {
    expect(refusalWords("below_minimum", "Ante is at least $5.00.")).toBe("Ante is at least $5.00.");
    settings.language = "es";
    expect(refusalWords("below_minimum", "Ante is at least $5.00.")).toBe(es["refused.below_minimum"]);
    expect(refusalWords("quite_new", "Quite new.")).toBe(es["refused.other"]);
  });
});
