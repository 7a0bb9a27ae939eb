// A house of the player's own: what the player has chosen of what may be changed.

import type { OwnRules, OwnRulesChoices } from "../protocol/forms";

/** The choices of the dialog: a number of hands, and the name of a paytable for each wager. */
export interface Chosen {
  hands: number;
  paytables: Record<string, string>;
}

/** The house as it is. */
export function usualOf(choices: OwnRulesChoices): Chosen {
  return {
    hands: Math.min(choices.hands, choices.hands_max),
    paytables: Object.fromEntries(choices.wagers.map(({ wager, usual }) => [wager, usual])),
  };
}

/** What the server is asked for: only what differs from the house. */
export function rulesOf(choices: OwnRulesChoices, chosen: Chosen): OwnRules {
  const changed = choices.wagers
    .map(({ wager, usual }) => [wager, chosen.paytables[wager] ?? usual, usual] as const)
    .filter(([, name, usual]) => name !== usual);
  return {
    paytables: Object.fromEntries(changed.map(([wager, name]) => [wager, name])),
    hands: chosen.hands === choices.hands ? null : chosen.hands,
  };
}
