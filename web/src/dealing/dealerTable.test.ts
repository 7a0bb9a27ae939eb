import { describe, expect, it } from "vitest";
import type { Answered, CommandAsked, PrivateView, PublicView } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { DealerTable } from "./dealerTable.svelte";

const CARD = { phase: "playing", step: "card", step_place: "dealer card 1" };

/** A table whose answers come when the test says so. */
class SlowLink {
  status = "live";
  public = { phase: "open", dealer: "Dora", round: CARD } as unknown as PublicView;
  private = { may: ["deal_card"] } as unknown as PrivateView;
  given: CommandAsked[] = [];
  private answers: ((answer: Answered) => void)[] = [];

  command(command: CommandAsked): Promise<Answered> {
    this.given.push(command);
    return new Promise((resolve) => this.answers.push(resolve));
  }

  async answer(accepted: boolean): Promise<void> {
    this.answers.shift()?.({ accepted, refused: accepted ? null : "card_already_dealt" } as Answered);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

function at(link: SlowLink): DealerTable {
  return new DealerTable(link as unknown as TableLink);
}

describe("the dealer's table", () => {
  it("keeps a card that is scanned while another is on its way", async () => {
    const link = new SlowLink();
    const dealing = at(link);
    void dealing.card("As");
    void dealing.card("Kd");
    await Promise.resolve();
    expect(link.given).toEqual([{ kind: "deal_card", card: "As" }]);
    await link.answer(true);
    expect(link.given.at(-1)).toEqual({ kind: "deal_card", card: "Kd" });
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
    expect(dealing.last).toBeNull();
    void dealing.card("Kd");
    await Promise.resolve();
    await link.answer(true);
    expect(dealing.refused).toBeNull();
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
