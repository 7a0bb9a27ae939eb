import { expect, it } from "vitest";
import { BadgeEntry } from "./badgeEntry";

function enter(...typed: string[]): BadgeEntry {
  return typed.reduce((entry, text) => {
    const next = entry.with(text);
    if (next === "differs") throw new Error("the new PIN differs");
    return next;
  }, new BadgeEntry());
}

it("asks for the badge and then for the PIN", () => {
  expect(enter("4711").stage).toBe("pin");
  expect(enter("4711").form).toBeNull();
  expect(enter("4711", "730184").form).toEqual({ badge: "4711", pin: "730184" });
});

it("asks for a new PIN twice where the PIN is a supervisor's", () => {
  const asked = enter("4711", "730184").after("pin_step");
  expect(asked.stage).toBe("new");
  const once = asked.with("520937") as BadgeEntry;
  expect(once.form).toBeNull();
  expect(once.with("520938")).toBe("differs");
  const twice = once.with("520937") as BadgeEntry;
  expect(twice.form).toEqual({ badge: "4711", pin: "730184", new_pin: "520937" });
  expect(twice.after("weak_pin").stage).toBe("new");
});

it("begins again after any other refusal", () => {
  expect(enter("4711", "730184").after("wrong_pin").stage).toBe("badge");
  expect(enter("4711", "730184").after("weak_pin").stage).toBe("badge");
});
