import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { poll } from "./poll";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("a poll", () => {
  it("loads at once, and again after each interval", () => {
    const load = vi.fn();
    const stop = poll(load, 2000);
    expect(load).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(1999);
    expect(load).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2001);
    expect(load).toHaveBeenCalledTimes(3);
    stop();
  });

  it("loads no more once it is stopped", () => {
    const load = vi.fn();
    poll(load, 2000)();
    vi.advanceTimersByTime(10_000);
    expect(load).toHaveBeenCalledTimes(1);
  });
});
