import { describe, expect, it, vi } from "vitest";
import type { RoundLine } from "../protocol/forms";
import { byDay, PAGE, Rounds } from "./rounds.svelte";

function entry(number: number): RoundLine {
  return {
    round: `t/${number}`,
    number,
    at_ms: number,
    credit_change_cents: 0,
    staked_cents: 100,
    void: false,
    banked: false,
    adjusted_cents: 0,
  };
}

/** A server with a number of finished rounds, which may grow. */
class Server {
  asked: [number, number | null][] = [];
  fails = false;

  constructor(public count: number) {}

  ask = (limit: number, before: number | null): Promise<RoundLine[]> => {
    this.asked.push([limit, before]);
    if (this.fails) return Promise.reject(new Error("down"));
    const first = Math.min(before ?? Infinity, this.count + 1) - 1;
    const numbers = Array.from({ length: Math.min(limit, first) }, (_, at) => first - at);
    return Promise.resolve(numbers.map(entry));
  };
}

function numbers(rounds: Rounds): number[] {
  return (rounds.list ?? []).map((round) => round.number);
}

function down(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, at) => from - at);
}

describe("rounds", () => {
  it("come a page at a time until there are none before", async () => {
    const server = new Server(2 * PAGE + 1);
    const rounds = new Rounds("t", server.ask);
    await rounds.newest();
    expect([numbers(rounds), rounds.more]).toEqual([down(41, 22), true]);
    await rounds.older();
    expect([numbers(rounds), rounds.more]).toEqual([down(41, 2), true]);
    await rounds.older();
    expect([numbers(rounds), rounds.more]).toEqual([down(41, 1), false]);
    expect(server.asked.map(([, before]) => before)).toEqual([null, 22, 2]);
  });

  it("are read again if one ended while they were read", async () => {
    const server = new Server(1);
    const slow: (() => void)[] = [];
    const rounds = new Rounds("t", async (limit, before) => {
      const page = await server.ask(limit, before);
      await new Promise<void>((resolve) => slow.push(resolve));
      return page;
    });
    const first = rounds.newest();
    server.count = 2;
    await rounds.newest();
    slow.shift()?.();
    await vi.waitFor(() => expect(slow).toHaveLength(1));
    slow.shift()?.();
    await first;
    expect([numbers(rounds), rounds.busy, server.asked.length]).toEqual([[2, 1], false, 2]);
  });

  it("end with a page that is just full", async () => {
    const rounds = new Rounds("t", new Server(PAGE).ask);
    await rounds.newest();
    expect([numbers(rounds).length, rounds.more]).toEqual([PAGE, false]);
  });

  it("take in a new one and keep the older pages", async () => {
    const server = new Server(50);
    const rounds = new Rounds("t", server.ask);
    await rounds.newest();
    await rounds.older();
    server.count = 51;
    await rounds.newest();
    expect([numbers(rounds), rounds.more]).toEqual([down(51, 11), true]);
    server.count = 51 + 3 * PAGE;
    await rounds.newest();
    expect(numbers(rounds)).toEqual(down(111, 92));
  });

  it("say so where they cannot be read, and stay", async () => {
    const server = new Server(30);
    const rounds = new Rounds("t", server.ask);
    await rounds.newest();
    server.fails = true;
    await rounds.older();
    expect([rounds.failed, rounds.busy, numbers(rounds)]).toEqual([true, false, down(30, 11)]);
    server.fails = false;
    await rounds.older();
    expect([rounds.failed, numbers(rounds)]).toEqual([false, down(30, 1)]);
  });

  it("stand under their days", () => {
    const days = byDay([entry(31), entry(30), entry(19), entry(11)], (ms) => `day ${Math.floor(ms / 10)}`);
    expect(days.map(({ day, rounds }) => [day, rounds.map((round) => round.number)])).toEqual([
      ["day 3", [31, 30]],
      ["day 1", [19, 11]],
    ]);
  });
});
