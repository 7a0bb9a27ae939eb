import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROTOCOL, type FromServer } from "./messages";
import { TableSocket, type Status, type Wire } from "./socket";

class FakeWire implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  sent: Record<string, unknown>[] = [];
  closed = false;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>);
  }
  close(): void {
    this.closed = true;
  }
  says(message: Partial<FromServer> & { type: string }): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  greets(version = 1): void {
    this.onopen?.();
    this.says({ type: "welcome", version } as never);
  }
  get commands(): string[] {
    return this.sent.filter((message) => message["type"] === "command").map((message) => String(message["id"]));
  }
}

let wires: FakeWire[];
let statuses: Status[];
let lost: number[];

function terminal(): TableSocket {
  let id = 0;
  return new TableSocket({
    connect: () => {
      const wire = new FakeWire();
      wires.push(wire);
      return wire;
    },
    onMessage: () => {},
    onStatus: (status) => statuses.push(status),
    newId: () => `id-${(id += 1)}`,
    retryMs: [100],
    random: () => 1,
    onLost: (code) => lost.push(code),
  });
}

beforeEach(() => {
  wires = [];
  statuses = [];
  lost = [];
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the socket", () => {
  it("says hello first and is live after the welcome", () => {
    terminal();
    wires[0]?.greets();
    expect(wires[0]?.sent[0]).toEqual({ type: "hello", protocol: PROTOCOL, seen: null });
    expect(statuses).toEqual(["live"]);
  });

  it("closes a line that has not opened as soon as it opens, and says nothing on it", () => {
    const socket = terminal();
    socket.close();
    expect(wires[0]?.closed).toBe(false);
    wires[0]?.onopen?.();
    expect(wires[0]?.closed).toBe(true);
    expect(wires[0]?.sent).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(wires).toHaveLength(1);
  });

  it("comes back with the last version it saw, and is live when it has what it missed", () => {
    terminal();
    wires[0]?.greets(4);
    wires[0]?.says({ type: "change", version: 6, public: {} });
    wires[0]?.says({ type: "change", version: 9, private: {} });
    wires[0]?.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(100);
    wires[1]?.onopen?.();
    expect(wires[1]?.sent[0]).toEqual({ type: "hello", protocol: PROTOCOL, seen: 9 });
    wires[1]?.says({ type: "change", version: 11, public: {} });
    expect(statuses).toEqual(["live", "lost"]);
    wires[1]?.says({ type: "change", version: 12, private: {}, whole: true });
    expect(statuses).toEqual(["live", "lost", "live"]);
  });

  it("repeats what was not answered with the same id, and nothing that was", async () => {
    const socket = terminal();
    wires[0]?.greets();
    const first = socket.command({ kind: "close_bets" });
    void socket.command({ kind: "open_bets" });
    wires[0]?.says({ type: "answer", id: "id-1", version: 7, accepted: true } as never);
    expect((await first).version).toBe(7);
    wires[0]?.onclose?.({ code: 1006 });
    vi.advanceTimersByTime(100);
    wires[1]?.greets();
    expect(wires[1]?.commands).toEqual(["id-2"]);
    expect(statuses).toEqual(["live", "lost", "live"]);
  });

  it("keeps commands that are given while the line is down", () => {
    const socket = terminal();
    void socket.command({ kind: "close_bets" });
    expect(wires[0]?.commands).toEqual([]);
    wires[0]?.greets();
    expect(wires[0]?.commands).toEqual(["id-1"]);
  });

  it("takes silence after a ping for a dead line", () => {
    terminal();
    wires[0]?.greets();
    vi.advanceTimersByTime(10_000);
    expect(wires[0]?.sent.at(-1)).toEqual({ type: "ping" });
    vi.advanceTimersByTime(8_000);
    expect(wires[0]?.closed).toBe(true);
    expect(statuses.at(-1)).toBe("lost");
  });

  it.each([1008, 1009, 4002, 4004])("does not come back after the final code %i", (code) => {
    terminal();
    wires[0]?.greets();
    wires[0]?.onclose?.({ code });
    vi.advanceTimersByTime(60_000);
    expect(wires).toHaveLength(1);
    expect(statuses.at(-1)).toBe("refused");
  });

  it.each([1001, 1006, 1011, 1012, 4001, 4003, 4008, 4009, 4010, 4029])(
    "comes back after %i, which passes, however often",
    (code) => {
      terminal();
      for (let number = 0; number < 40; number += 1) {
        wires.at(-1)?.greets();
        wires.at(-1)?.onclose?.({ code });
        vi.advanceTimersByTime(100);
        expect(wires).toHaveLength(number + 2);
      }
      expect(lost).toEqual(Array(40).fill(code));
      wires.at(-1)?.greets();
      expect(statuses.at(-1)).toBe("live");
    },
  );

  it("never gives up a server that is away, with growing pauses that differ by chance", () => {
    let chance = 0;
    new TableSocket({
      connect: () => {
        const wire = new FakeWire();
        wires.push(wire);
        return wire;
      },
      onMessage: () => {},
      onStatus: () => {},
      retryMs: [100, 200, 400],
      random: () => (chance = 1 - chance),
    });
    for (let number = 0; number < 50; number += 1) {
      wires.at(-1)?.onclose?.({ code: 1006 });
      vi.advanceTimersByTime(400);
    }
    expect(wires).toHaveLength(51);
    const pauses: number[] = [];
    for (let number = 0; number < 4; number += 1) {
      const before = Date.now();
      wires.at(-1)?.onclose?.({ code: 1006 });
      vi.advanceTimersToNextTimer();
      pauses.push(Date.now() - before);
    }
    expect(pauses).toEqual([400, 200, 400, 200]);
  });
});
