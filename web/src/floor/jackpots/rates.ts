// The rates of a meter as a supervisor types them.

import type { LinkRatesForm } from "../../protocol/forms";
import { readMoney } from "../../words/money";

/** What is typed as the form that the server takes; null if a field is not what it should be. */
export function readRates(percent: string, seed: string, ceiling: string): LinkRatesForm | null {
  const part = percent.trim().replace(/\s*%$/, "");
  const seed_cents = readMoney(seed);
  const ceiling_cents = ceiling.trim() ? readMoney(ceiling) : null;
  if (!/^\d{1,3}(\.\d{1,6})?$/.test(part) || seed_cents === null) return null;
  if (ceiling.trim() && ceiling_cents === null) return null;
  return { percent: part, seed_cents, ceiling_cents };
}
