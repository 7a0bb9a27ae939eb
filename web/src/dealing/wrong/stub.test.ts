import { expect, it } from "vitest";
import { StubScan } from "./stub.svelte";

it("keeps every card in order, twice where it is scanned twice", () => {
  const stub = new StubScan();
  stub.begin();
  for (const card of ["As", "5d", "As"]) stub.scan(card);
  expect(stub.end()).toEqual(["As", "5d", "As"]);
  expect(stub.scanning).toBe(false);
  stub.begin();
  expect(stub.cards).toEqual([]);
});
