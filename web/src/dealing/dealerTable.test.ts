import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Answered, CommandAsked, PrivateView, PublicView } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { DealerTable } from "./dealerTable.svelte";

const played = vi.hoisted(() => [] as string[]);
vi.mock("../ui/sound", () => ({ play: (sound: string) => played.push(sound) }));
beforeEach(() => void (played.length = 0));

const CARD = { number: 7, phase: "playing", step: "card", step_place: "dealer card 1" };
const AT = { round: 7, place: "dealer card 1" };

/** A table whose answers come when the test says so. */
class SlowLink {
  status = "live";
  public = { phase: "open", dealer: "Dora", round: CARD } as unknown as PublicView;
  private = { may: ["deal_card"] } as unknown as PrivateView;
  given: CommandAsked[] = [];
  onScanRefused: TableLink["onScanRefused"] = () => {};
  private answers: ((answer: Answered) => void)[] = [];

  approvals: (string | null)[] = [];

  command(command: CommandAsked, approval: string | null): Promise<Answered> {
    this.given.push(command);
    this.approvals.push(approval);
    return new Promise((resolve) => this.answers.push(resolve));
  }

  async answer(accepted: boolean, refused = "card_already_dealt"): Promise<void> {
    this.answers.shift()?.({ accepted, refused: accepted ? null : refused } as Answered);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function at(link: SlowLink): DealerTable {
  return new DealerTable(link as unknown as TableLink);
}

describe("what needs a supervisor", () => {
  const irregularity = { kind: "irregularity", irregularity: "misdeal", about: "deck" } as CommandAsked;

  it("waits for an approval, and is given again with it", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.press(irregularity);
    await Promise.resolve();
    await link.answer(false, "needs_supervisor");
    expect(dealing.blocked).toEqual(irregularity);
    void dealing.press(irregularity, "token");
    await Promise.resolve();
    expect(dealing.blocked).toBeNull();
    expect(link.approvals).toEqual([null, "token"]);
    await link.answer(false, "needs_supervisor");
    expect(dealing.blocked).toBeNull();
  });

  it("waits for nothing that was refused for another reason", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.press(irregularity);
    await Promise.resolve();
    await link.answer(false);
    expect(dealing.blocked).toBeNull();
  });
});

describe("the dealer's table", () => {
  it("keeps a card that is scanned while another is on its way", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.card("As");
    void dealing.card("Kd");
    await Promise.resolve();
    expect(link.given).toEqual([{ kind: "deal_card", card: "As", ...AT }]);
    await link.answer(true);
    expect(link.given.at(-1)).toEqual({ kind: "deal_card", card: "Kd", ...AT });
    await link.answer(true);
    expect(dealing.busy).toBe(false);
    expect(dealing.last?.card).toBe("Kd");
  });

  it("takes one press for two", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.press({ kind: "confirm" });
    void dealing.press({ kind: "confirm" });
    await Promise.resolve();
    await link.answer(true);
    expect(link.given).toHaveLength(1);
  });

  it("says what was refused until the next card", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.card("As");
    await Promise.resolve();
    await link.answer(false);
    expect(dealing.refused).not.toBeNull();
    expect(played).toEqual(["refused"]);
    expect(dealing.last).toBeNull();
    void dealing.card("Kd");
    await Promise.resolve();
    await link.answer(true);
    expect(dealing.refused).toBeNull();
  });

  it("says and sounds what was refused of another reader, each time", () => {
    const link = new SlowLink();
    const dealing = at(link);
    const scan = { reader: "Shuffler 3", refused: "card_already_dealt", sentence: "No." };
    link.onScanRefused({ ...scan, id: "1", type: "scan_refused" });
    expect(dealing.refused).toBe("Shuffler 3: No.");
    link.onScanRefused({ ...scan, id: "2", read: "E2803A", refused: "unknown_code", type: "scan_refused" });
    expect(dealing.refused).toContain("Shuffler 3: E2803A");
    dealing.refuseCode("E2809s");
    expect(dealing.refused).toContain("E2809s");
    expect(dealing.refusals).toBe(3);
    expect(played).toEqual(["refused", "refused", "refused"]);
  });

  it("corrects the chosen card, and then deals on", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    dealing.correcting = { lies: "hand", spot: "1.1", position: 2 };
    void dealing.card("As");
    await Promise.resolve();
    expect(link.given).toEqual([
      { kind: "correct_card", lies: "hand", spot: "1.1", position: 2, card: "As" },
    ]);
    await link.answer(true);
    expect(dealing.correcting).toBeNull();
  });

  it("has a supervisor approve a correction with all that it names", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    dealing.picking = true;
    await dealing.card("2c");
    expect(link.given).toEqual([]);
    dealing.choose({ lies: "hand", spot: "1.1", position: 2 });
    void dealing.card("As");
    await Promise.resolve();
    await link.answer(false, "needs_supervisor");
    expect(dealing.blocked).toEqual({
      kind: "correct_card",
      lies: "hand",
      spot: "1.1",
      position: 2,
      card: "As",
    });
    expect([dealing.picking, dealing.correcting]).toEqual([false, null]);
  });

  it("exchanges two cards of two places, and takes no scan meanwhile", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    const first = { lies: "hand", spot: "1.1", position: 2 } as const;
    dealing.choose(first);
    dealing.choose({ lies: "hand", spot: "1.1", position: 1 });
    expect(dealing.swapping).toBeNull();
    dealing.choose({ lies: "common", spot: null, position: 3 });
    await dealing.card("As");
    expect(link.given).toEqual([]);
    void dealing.swap();
    await Promise.resolve();
    const swapped = { kind: "swap_cards", place: "hand 1.1 card 2", other: "common card 3", round: 7 };
    expect(link.given).toEqual([swapped]);
    await link.answer(true);
    expect([dealing.correcting, dealing.swapping]).toEqual([null, null]);
  });

  it("keeps the card that is touched twice", () => {
    const dealing = at(new SlowLink());
    for (const _ of [1, 2]) dealing.choose({ lies: "dealer", spot: null, position: 1 });
    expect(dealing.correcting).toBeNull();
  });

  it("takes no card where none is due, and none without a connection", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    link.status = "lost";
    await dealing.card("As");
    expect(dealing.refused).toContain("not connected");
    link.status = "live";
    link.public = { ...link.public, round: null } as PublicView;
    await dealing.card("As");
    expect(dealing.refused).toContain("No card is due");
    expect(link.given).toEqual([]);
  });
});
