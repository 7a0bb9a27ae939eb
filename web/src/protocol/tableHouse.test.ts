import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, api } from "./api";
import type { HouseView } from "./forms";
import { TableHouse } from "./tableHouse.svelte";

/** The answer that a test gives later, for each request in order. */
type Answer = { give: (house: HouseView) => void; fail: () => void };

const OLD = { id: "online", fingerprint: "aa" } as unknown as HouseView;
const NEW = { id: "online", fingerprint: "bb" } as unknown as HouseView;

describe("the house of a table", () => {
  let answers: Answer[];
  let house: TableHouse;
  const failed = vi.fn();

  beforeEach(() => {
    answers = [];
    vi.spyOn(api, "house").mockImplementation(
      () =>
        new Promise((resolve, reject) => {
          answers.push({ give: resolve, fail: () => reject(new ApiError(404, "not_found", "Gone.")) });
        }),
    );
    house = new TableHouse({ public: null, status: "connecting" }, failed);
  });

  afterEach(() => {
    vi.restoreAllMocks();
    failed.mockReset();
  });

  /** Wait until answers that were given have been taken. */
  const taken = () => new Promise((resolve) => setTimeout(resolve));

  it("is asked for by name and rules, and shown when it has come", async () => {
    house.load("online", "aa", failed);
    expect(api.house).toHaveBeenCalledExactlyOnceWith("online", "aa");
    expect(house.view).toBeNull();
    answers[0]?.give(OLD);
    await taken();
    expect(house.view).toBe(OLD);
    expect(failed).not.toHaveBeenCalled();
  });

  it("is the newest one, even where the older answer comes last", async () => {
    const unwanted = house.load("online", "aa", failed);
    unwanted();
    house.load("online", "bb", failed);
    answers[1]?.give(NEW);
    await taken();
    answers[0]?.give(OLD);
    await taken();
    expect(house.view).toBe(NEW);
  });

  it("stays as it was where it cannot be loaded again, and says so once", async () => {
    house.load("online", "aa", failed);
    answers[0]?.give(OLD);
    await taken();
    house.load("online", "bb", failed);
    answers[1]?.fail();
    await taken();
    expect(house.view).toBe(OLD);
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it("does not report a failure that no longer matters", async () => {
    house.load("online", "aa", failed)();
    answers[0]?.fail();
    await taken();
    expect(failed).not.toHaveBeenCalled();
  });
});
