import { beforeAll, describe, expect, it, vi } from "vitest";

let router: typeof import("./router.svelte");

beforeAll(async () => {
  vi.stubGlobal("location", { hash: "" });
  vi.stubGlobal("addEventListener", () => {});
  router = await import("./router.svelte");
});

describe("addresses", () => {
  it.each([
    ["", { page: "lobby" }],
    ["#/nowhere/at/all", { page: "lobby" }],
    ["#/verify", { page: "verify" }],
    ["#/table/stadium-1", { page: "table", table: "stadium-1", history: false }],
    ["#/table/stadium-1/history", { page: "table", table: "stadium-1", history: true }],
  ])("%s is a page", (hash, wanted) => {
    expect(router.read(hash)).toEqual(wanted);
  });

  it("are read as they are written", () => {
    const table = "private.online/ann";
    expect(router.read(router.to.table(table))).toMatchObject({ table, history: false });
    expect(router.read(router.to.history(table))).toMatchObject({ table, history: true });
  });
});

describe("the focus", () => {
  it("goes to every page but the first", () => {
    const focus = vi.fn();
    const main = { focus } as unknown as HTMLElement;
    router.landing(main);
    expect(focus).not.toHaveBeenCalled();
    router.landing(main);
    expect(focus).toHaveBeenCalledOnce();
  });
});
