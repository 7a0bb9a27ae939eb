import { beforeEach, describe, expect, it } from "vitest";
import { ApiError } from "./api";
import { press } from "./presses";

const store = new Map<string, string>();
Object.defineProperty(globalThis, "sessionStorage", {
  configurable: true,
  value: {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => void store.set(key, value),
  },
});

beforeEach(() => store.clear());

/** The id that a press was sent with; it is answered, or fails. */
async function sent(what: string, error: unknown = null, lasting = false): Promise<string> {
  let used = "";
  const send = (id: string): Promise<null> => {
    used = id;
    return error === null ? Promise.resolve(null) : Promise.reject(error as Error);
  };
  await press(what, send, { lasting }).catch(() => null);
  return used;
}

describe("a press", () => {
  it("has a new id after each answer", async () => {
    expect(await sent("pay 5")).not.toBe(await sent("pay 5"));
  });

  it.each([
    new ApiError(0, "unreachable", ""),
    new ApiError(503, "stopped", ""),
    new ApiError(429, "too_many_requests", ""),
    new ApiError(409, "busy", ""),
    new TypeError("the line was cut"),
  ])("keeps its id while its answer is open: %s", async (error) => {
    const first = await sent("pay 5", error);
    expect(await sent("pay 6")).not.toBe(first);
    expect(await sent("pay 5", error)).toBe(first);
    expect(await sent("pay 5")).toBe(first);
    expect(await sent("pay 5")).not.toBe(first);
  });

  it("is over once it is refused", async () => {
    const refusal = new ApiError(409, "voucher_used", "It was used.");
    expect(await sent("pay 5", refusal)).not.toBe(await sent("pay 5", refusal));
  });

  it("is kept over a reload only where it may be", async () => {
    const lost = new ApiError(0, "unreachable", "");
    const id = await sent("collect 5", lost, true);
    await sent("a secret code", lost);
    expect([...store.values()].join()).toContain(id);
    expect([...store.values()].join()).not.toContain("secret");
    expect(await sent("collect 5", null, true)).toBe(id);
    expect([...store.values()].join()).not.toContain(id);
  });
});
