import { describe, expect, it } from "vitest";
import type { HouseView } from "../protocol/forms";
import type { FromServer } from "../protocol/messages";
import type { Wire } from "../protocol/socket";
import { TableLink } from "../protocol/tableLink.svelte";
import { Terminal } from "./terminal.svelte";

const HOUSE = {
  game: "ultimate_holdem", hands_per_seat: 1, chips_cents: [1000], wagers: [],
} as unknown as HouseView;

/** A server that answers each command as it really does: first the change, then the answer. */
class FakeServer implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  asked: { kind: string; seat: number | null }[] = [];
  private version = 1;

  close(): void {}
  send(text: string): void {
    const message = JSON.parse(text);
    if (message.type !== "command") return;
    this.asked.push(message.command);
    this.version += 1;
    const own = message.command.kind === "take_seat" ? { seat: 3 } : { credit_cents: 500 };
    this.says({ type: "change", version: this.version, private: own });
    this.says({ type: "answer", id: message.id, version: this.version, accepted: true });
  }
  says(message: Partial<FromServer> & { type: string }): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

describe("a player who sits down", () => {
  it("has the seat with the answer, and buys in for it", async () => {
    const server = new FakeServer();
    const link = new TableLink("t", () => server);
    const terminal = new Terminal(link, HOUSE);
    server.onopen?.();
    const own = { name: "ann", credit_cents: 0, hands: {}, may: ["take_seat"] };
    server.says({ type: "welcome", version: 1, public: { table: "t", results: [] }, private: own } as never);
    expect(terminal.seat).toBeNull();
    await terminal.sit(null, 500);
    expect(server.asked).toEqual([
      { kind: "take_seat", seat: null },
      { kind: "buy_in", seat: 3, cents: 500 },
    ]);
    expect(terminal.seat).toBe(3);
    expect(terminal.creditCents).toBe(500);
    link.close();
  });
});
