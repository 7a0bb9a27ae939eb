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
    ["#/deal/practice-1", { page: "deal", table: "practice-1" }],
    ["#/practice/practice-1", { page: "practice", table: "practice-1" }],
    ["#/table/stadium-1", { page: "table", table: "stadium-1", history: false }],
    ["#/audit", { page: "audit", view: "events" }],
    ["#/audit/checks", { page: "audit", view: "checks" }],
    ["#/audit/nothing", { page: "audit", view: "events" }],
    ["#/floor", { page: "floor", view: "tables", table: null, dispute: null }],
    ["#/floor/people", { page: "floor", view: "people", table: null, dispute: null }],
    ["#/floor/table/pit-3", { page: "floor", view: "tables", table: "pit-3", dispute: null }],
    [
      "#/floor/transfers/subject=table&name=pit-3&figure=win",
      { page: "floor", view: "transfers", table: null, dispute: null, figure: { subject: "table", name: "pit-3", figure: "win" } },
    ],
    ["#/cage", { page: "cage" }],
    [
      "#/cage/transfers/subject=drawer&name=window-1&figure=holds",
      { page: "cage", figure: { subject: "drawer", name: "window-1", figure: "holds" } },
    ],
    ["#/audit/rounds/pit-3%2F31", { page: "audit", view: "rounds", round: "pit-3/31" }],
    ["#/floor/disputes", { page: "floor", view: "disputes", table: null, dispute: null }],
    ["#/floor/disputes/7", { page: "floor", view: "disputes", table: null, dispute: 7 }],
    ["#/floor/disputes/x", { page: "floor", view: "disputes", table: null, dispute: null }],
    ["#/table/stadium-1/history", { page: "table", table: "stadium-1", history: true }],
  ])("%s is a page", (hash, wanted) => {
    expect(router.read(hash)).toEqual(wanted);
  });

  it("keep the sessions of a dealer and a player on one machine apart", () => {
    const here = { protocol: "http:", hostname: "127.0.0.1", port: "8080" };
    const there = "http://localhost:8080/#/practice/practice-1";
    expect(router.practiceAddress("practice-1", here)).toBe(there);
    const other = { ...here, hostname: "localhost", port: "" };
    expect(router.practiceAddress("practice-1", other)).toBe("http://127.0.0.1/#/practice/practice-1");
  });

  it("lead staff to their workplace, and all others to the lobby", () => {
    expect(router.home(["lobby", "floor", "cage"])).toBe("#/floor");
    expect(router.home(["lobby", "cage"])).toBe("#/cage");
    expect(router.home(["lobby"])).toBe("#/");
  });

  it("are read as they are written", () => {
    const table = "private.online/ann";
    expect(router.read(router.to.table(table))).toMatchObject({ table, history: false });
    expect(router.read(router.to.history(table))).toMatchObject({ table, history: true });
    const figure = { subject: "drawer" as const, name: "window-1", figure: "holds", span: "shift" as const };
    expect(router.read(router.to.ownTransfers(figure))).toEqual({ page: "cage", figure });
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
