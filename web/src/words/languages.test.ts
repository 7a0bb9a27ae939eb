import { describe, expect, it } from "vitest";
import en from "./en.json";
import es from "./es.json";

const english = en as Record<string, string>;
const spanish = es as Record<string, string>;

function places(text: string): string[] {
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "").sort();
}

describe("the message files", () => {
  it("have the same keys", () => {
    expect(Object.keys(spanish).sort()).toEqual(Object.keys(english).sort());
  });

  it.each(Object.keys(english))("say %s in both languages with the same values", (key) => {
    expect(spanish[key]).toBeTruthy();
    expect(places(spanish[key] ?? "")).toEqual(places(english[key] ?? ""));
  });

  it.each([english, spanish])("begin what a key does with a capital", (file) => {
    const keys = Object.keys(file).filter((key) => key.startsWith("keys."));
    expect(keys.length).toBeGreaterThan(5);
    for (const key of keys) expect(file[key]).toMatch(/^\p{Lu}/u);
  });

  it("call keys what is written on them", () => {
    expect([spanish["key.delete"], spanish["key.enter"]]).toEqual(["Supr", "Intro"]);
  });

  it.each([english, spanish])("point to more credit where it does not suffice", (file) => {
    const short = ["bet.credit_short", "bet.double_credit", "refused.credit_short"];
    for (const key of short) expect(file[key]).toContain("+");
  });
});
