// Formatting and reading amounts, which are always whole cents.

function grouped(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** An amount with its cents: `$1,250.00`. */
export function money(cents: number): string {
  const size = Math.abs(cents);
  const rest = String(size % 100).padStart(2, "0");
  return `${cents < 0 ? "−" : ""}$${grouped(Math.floor(size / 100))}.${rest}`;
}

/** An amount as a chip shows it, without zero cents: `$30`, `$2.50`. */
export function chipMoney(cents: number): string {
  return cents % 100 === 0 ? money(cents).slice(0, -3) : money(cents);
}

/** The number on a chip: `25`, `1K`. */
export function chipFigure(cents: number): string {
  if (cents < 100) return `${cents}¢`;
  const dollars = cents / 100;
  return dollars >= 1000 && dollars % 500 === 0 ? `${dollars / 1000}K` : String(dollars);
}

/** A change with its sign: `+$30`, `−$10`. */
export function signedMoney(cents: number): string {
  return cents > 0 ? `+${chipMoney(cents)}` : chipMoney(cents);
}

/** A typed amount of dollars in cents; null if it is not an amount. */
export function readMoney(text: string): number | null {
  const match = /^\$?\s*(\d{1,9})(?:[.](\d{1,2}))?$/.exec(text.trim().replaceAll(",", ""));
  if (!match) return null;
  return Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
}
