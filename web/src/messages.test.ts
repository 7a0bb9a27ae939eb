import { describe, expect, it } from "vitest";
import en from "./messages/en.json";
import es from "./messages/es.json";

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
});
