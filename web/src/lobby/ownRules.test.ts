import { describe, expect, it } from "vitest";
import type { OwnRulesChoices } from "../protocol/forms";
import { rulesOf, usualOf } from "./ownRules";

const CHOICES: OwnRulesChoices = {
  house: "online",
  hands: 1,
  hands_max: 3,
  wagers: [
    { wager: "blind", usual: "UTH-03", names: ["UTH-01", "UTH-03"] },
    { wager: "trips", usual: "UTH-03", names: ["UTH-01", "UTH-03", "UTH-05"] },
  ],
};

describe("a house of one's own", () => {
  it("begins as the house is, and then asks for nothing", () => {
    const usual = usualOf(CHOICES);
    expect(usual).toEqual({ hands: 1, paytables: { blind: "UTH-03", trips: "UTH-03" } });
    expect(rulesOf(CHOICES, usual)).toEqual({ paytables: {}, hands: null });
  });

  it("asks for what differs from the house", () => {
    const chosen = { hands: 3, paytables: { blind: "UTH-03", trips: "UTH-05" } };
    expect(rulesOf(CHOICES, chosen)).toEqual({ paytables: { trips: "UTH-05" }, hands: 3 });
  });

  it("asks only for wagers of the house, after another house was chosen before", () => {
    const chosen = { hands: 1, paytables: { bonus: "UDP-02" } };
    expect(rulesOf(CHOICES, chosen)).toEqual({ paytables: {}, hands: null });
  });
});
