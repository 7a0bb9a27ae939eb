import { expect, test } from "vitest";
import type { TableTermsView } from "../../protocol/forms";
import { draftOf, formOf } from "./termsDraft";

const wager = { optional: true, offered: true, min_cents: 500, max_cents: 10_000, step_cents: 500 };
const TERMS: TableTermsView = {
  table: "t-1",
  house: "online",
  fingerprint: "ab",
  houses: ["online", "own"],
  wagers: [
    { ...wager, kind: "ante", optional: false, paytable: null, paytables: [] },
    { ...wager, kind: "trips", paytable: "A", paytables: ["A", "B"] },
  ],
  clock: { wager_seconds: 25, decision_seconds: 15 },
  link: null,
  links: [],
};

test("an unchanged draft sends the terms as they are", () => {
  expect(formOf(draftOf(TERMS), TERMS)).toEqual({
    house: "online",
    wagers: [
      { kind: "ante", min_cents: 500, max_cents: 10_000, paytable: null },
      { kind: "trips", min_cents: 500, max_cents: 10_000, paytable: "A" },
    ],
  });
});

test("a wager that is withdrawn is not sent, and an amount that is none sends nothing", () => {
  const draft = draftOf(TERMS);
  draft.rows["trips"]!.offered = false;
  expect(formOf(draft, TERMS)?.wagers?.map((wager) => wager.kind)).toEqual(["ante"]);
  draft.rows["ante"]!.most = "many";
  expect(formOf(draft, TERMS)).toBeNull();
});

test("another house comes with its own wagers", () => {
  expect(formOf({ ...draftOf(TERMS), house: "own" }, TERMS)).toEqual({ house: "own", wagers: null });
});
