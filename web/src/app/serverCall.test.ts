import { describe, expect, it } from "vitest";
import { ApiError } from "../protocol/api";
import { t } from "../words/i18n.svelte";
import { ServerCall } from "./serverCall.svelte";

describe("a call of the server", () => {
  it("is busy until it is answered, and does one thing at a time", async () => {
    const call = new ServerCall();
    let answer = (): void => {};
    const first = call.run(() => new Promise<void>((resolve) => (answer = resolve)));
    expect(call.busy).toBe(true);
    let twice = false;
    expect(await call.run(async () => (twice = true))).toBe(false);
    expect(twice).toBe(false);
    answer();
    expect(await first).toBe(true);
    expect(call.busy).toBe(false);
  });

  it("says what went wrong, until it is tried again", async () => {
    const call = new ServerCall();
    const refused = new ApiError(409, "name_taken", "Taken.");
    expect(await call.run(() => Promise.reject(refused))).toBe(false);
    expect(call.problem).toBe("Taken.");
    expect(call.busy).toBe(false);
    expect(await call.run(() => Promise.reject(new TypeError("no connection")))).toBe(false);
    expect(call.problem).toBe(t("offline.title"));
    expect(await call.run(async () => {})).toBe(true);
    expect(call.problem).toBe("");
  });
});
