import { describe, expect, it } from "vitest";
import { NOTHING_LAID, revealSteps, type Laid } from "./reveal";

const laid = (parts: Partial<Laid>): Laid => ({ ...NOTHING_LAID, round: "t/1", ...parts });

function played(from: Laid, target: Laid, draw = false): { seen: Laid[]; order: string[] } {
  const steps = revealSteps(from, target, draw);
  const seen: Laid[] = [];
  let now = from;
  for (const step of steps) {
    now = step.change(now);
    seen.push(now);
  }
  return { seen, order: steps.map((step) => step.what) };
}

describe("revealing", () => {
  it("ends with exactly what the table shows", () => {
    const target = laid({
      common: ["As", "Kd", "2c", "9h", "9s"],
      dealer: ["Qc", "Qd"],
      hands: { "1.1": ["5c", "5d"] },
    });
    expect(played(laid({}), target).seen.at(-1)).toEqual(target);
  });

  it("shows the dealer's cards after the river", () => {
    const from = laid({ common: ["As", "Kd", "2c"], dealer: [null, null] });
    const target = laid({ common: ["As", "Kd", "2c", "9h", "9s"], dealer: ["Qc", "Qd"] });
    expect(played(from, target).order).toEqual(["turn", "river", "dealer", "dealer"]);
  });

  it("lays the dealer's cards face down before it turns them", () => {
    const { seen } = played(laid({}), laid({ dealer: ["Qc", "Qd"] }));
    expect(seen[1]?.dealer).toEqual([null, null]);
  });

  it("clears the felt for another round", () => {
    const old = laid({ round: "t/0", common: ["As"] });
    const { seen } = played(old, laid({ hands: { "1.1": ["5c", null] } }));
    expect(seen[0]?.common).toEqual([]);
  });

  it("does nothing where nothing has changed", () => {
    const same = laid({ common: ["As"], dealer: [null] });
    expect(revealSteps(same, same, false)).toEqual([]);
  });

  it("lays draw cards from spot 5 down where the house deals them so", () => {
    const five = { ...NOTHING_LAID, round: "t/1", fromFive: true };
    const cards = ["2c", "3c", "4c", "5c", "6c"];
    const { seen, order } = played(five, { ...five, common: cards }, true);
    expect(order).toEqual([...Array<string>(5).fill("deal"), ...Array<string>(5).fill("draw")]);
    expect(seen[1]?.common).toEqual([null, null]);
    expect(seen.at(-1)?.common).toEqual(cards);
    const two = played({ ...five, common: [null] }, { ...five, common: [null, null] }, true);
    expect(two.seen.map((view) => view.common)).toEqual([[null, null]]);
  });
});
