// Amounts with fractions of a cent, which the server writes as a text in cents.

import { money } from "../../words/money";

/** An exact amount in dollars with every digit: `1000025.75` is `$10,000.2575`. */
export function exactMoney(cents: string): string {
  const negative = cents.startsWith("-");
  const [whole = "0", digits = ""] = cents.replace("-", "").split(".", 2);
  return `${negative ? "−" : ""}${money(Number(whole))}${digits}`;
}
