import { describe, expect, it } from "vitest";
import { PracticeShoe, randomBelow, shuffled, type DealsInto } from "./practiceShoe";

class Felt implements DealsInto {
  round: number | null = 1;
  due = 3;
  dealt: string[] = [];
  constructor(readonly out: string[] = []) {}

  get cardDue(): boolean {
    return this.dealt.length < this.due;
  }

  async offer(card: string): Promise<"dealt" | "out" | "refused"> {
    if (this.out.includes(card)) return "out";
    if (!this.cardDue) return "refused";
    this.dealt.push(card);
    return "dealt";
  }
}

describe("a shuffled deck", () => {
  it("has every card once, in an order that random numbers give", () => {
    expect(new Set(shuffled()).size).toBe(52);
    expect(shuffled(() => 0)).not.toEqual(shuffled((bound) => bound - 1));
    expect(shuffled(() => 0)).toEqual(shuffled(() => 0));
  });

  it("draws each number below a bound", () => {
    const drawn = new Set(Array.from({ length: 600 }, () => randomBelow(6)));
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe("the practice shoe", () => {
  it("deals one card at a press, or all that are due", async () => {
    const felt = new Felt();
    const shoe = new PracticeShoe(felt);
    expect(await shoe.dealOne()).toBe(true);
    expect(felt.dealt).toHaveLength(1);
    await shoe.dealAll();
    expect(new Set(felt.dealt).size).toBe(3);
    expect(await shoe.dealOne()).toBe(false);
  });

  it("passes over cards that are out, and takes a new deck for a new round", async () => {
    const felt = new Felt(["As"]);
    const shoe = new PracticeShoe(felt, () => ["Kd", "As"]);
    expect(await shoe.dealOne()).toBe(true);
    expect(felt.dealt).toEqual(["Kd"]);
    felt.round = 2;
    felt.dealt = [];
    await shoe.dealOne();
    expect(felt.dealt).toEqual(["Kd"]);
  });
});
