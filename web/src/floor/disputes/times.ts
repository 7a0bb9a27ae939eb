// Moments of a dispute, in UTC as the record has them.

/** A moment to the minute: `2026-01-01 12:30 UTC`. */
export function timeWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
