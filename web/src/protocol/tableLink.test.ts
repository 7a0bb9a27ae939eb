import { beforeEach, describe, expect, it } from "vitest";
import type { FromServer, PrivateView, PublicView } from "./messages";
import type { Wire } from "./socket";
import { TableLink } from "./tableLink.svelte";

/** A connection that a test speaks on. */
class FakeWire implements Wire {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  send(): void {}
  close(): void {}
  says(message: Partial<FromServer> & { type: string }): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

const PUBLIC = { table: "t", players: 0, round: { id: "t/1", phase: "playing" } } as PublicView;
const PRIVATE = { name: "ann", credit_cents: 500, hands: {}, may: [] } as unknown as PrivateView;

/** What was shown after each change: the phase, the credit, and whether it was fresh. */
type Shown = [string | undefined, number | undefined, boolean];

describe("the views of a table", () => {
  let wires: FakeWire[];
  let link: TableLink;
  let shown: Shown[];

  beforeEach(() => {
    wires = [];
    shown = [];
    link = new TableLink("t", () => {
      wires.push(new FakeWire());
      return wires.at(-1)!;
    });
    link.onView = (fresh) =>
      shown.push([link.public?.round?.phase, link.private?.credit_cents, fresh]);
    wires[0]?.onopen?.();
    wires[0]?.says({ type: "welcome", version: 4, public: PUBLIC, private: PRIVATE } as never);
    shown = [];
  });

  it("change together, for one message and once", () => {
    const settled = { round: { phase: "settled" } };
    wires[0]?.says({ type: "change", version: 5, public: settled, private: { credit_cents: 900 } } as never);
    expect(shown).toEqual([["settled", 900, false]]);
    expect(link.version).toBe(5);
  });

  it("may change one without the other", () => {
    wires[0]?.says({ type: "change", version: 7, private: { credit_cents: 400 } });
    wires[0]?.says({ type: "change", version: 7, public: { players: 3 } } as never);
    wires[0]?.says({ type: "change", version: 8 });
    expect(link.public?.players).toBe(3);
    expect(link.private?.credit_cents).toBe(400);
    expect(link.version).toBe(8);
  });

  it("are shown after a lost connection when everything that was missed is there", () => {
    wires[0]?.onclose?.({ code: 1006 });
    link.hurry();
    wires[1]?.onopen?.();
    wires[1]?.says({ type: "change", version: 6, public: { round: { phase: "ready" } } } as never);
    expect(shown).toEqual([]);
    const own = { name: "ann", credit_cents: 900, hands: {}, may: ["buy_in"] };
    const settled = { round: { phase: "settled" } };
    wires[1]?.says({ type: "change", version: 7, public: settled, private: own, whole: true } as never);
    expect(shown).toEqual([["settled", 900, true]]);
    expect(link.may("buy_in")).toBe(true);
    link.close();
  });

  it("come with the reason for which the line is lost, until it is there again", () => {
    const moved = { code: "moved", sentence: "This table is now run by another process." };
    wires[0]?.says({ type: "problem", ...moved } as never);
    wires[0]?.onclose?.({ code: 4009 });
    expect([link.status, link.closeCode, link.problem?.code]).toEqual(["lost", 4009, "moved"]);
    link.hurry();
    wires[1]?.onopen?.();
    wires[1]?.says({ type: "welcome", version: 4, public: PUBLIC, private: PRIVATE } as never);
    expect([link.status, link.closeCode, link.problem]).toEqual(["live", null, null]);
    link.close();
  });

  it("come later where no process has the table when the terminal connects", () => {
    const lines: FakeWire[] = [];
    const late = new TableLink("t", () => {
      lines.push(new FakeWire());
      return lines.at(-1)!;
    });
    for (const code of [4009, 4010, 1012, 4009]) {
      lines.at(-1)?.onopen?.();
      lines.at(-1)?.says({ type: "problem", code: "moved", sentence: "It is moving." } as never);
      lines.at(-1)?.onclose?.({ code });
      expect([late.status, late.closeCode, late.public]).toEqual(["lost", code, null]);
      late.hurry();
    }
    expect(lines).toHaveLength(5);
    lines[4]?.onopen?.();
    lines[4]?.says({ type: "welcome", version: 4, public: PUBLIC, private: PRIVATE } as never);
    expect([late.status, late.problem, late.public?.table]).toEqual(["live", null, "t"]);
    late.close();
  });

  it("run the clock by what every change says is left of it", () => {
    const clock = { number: 1, gives_time_for: "wagers", total_ms: 25_000 };
    wires[0]?.says({ type: "change", version: 5, public: { clock }, clock_left_ms: 25_000 } as never);
    const ends = link.clockEndsAt ?? 0;
    wires[0]?.says({ type: "change", version: 6, private: {}, clock_left_ms: 1000 });
    expect(link.clockEndsAt).toBeLessThan(ends - 20_000);
    wires[0]?.says({ type: "change", version: 7, public: { clock: null } } as never);
    expect(link.clockEndsAt).toBeNull();
  });
});
