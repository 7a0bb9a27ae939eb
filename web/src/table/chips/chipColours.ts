// The colours of chips, by what they are worth.

export interface ChipColours {
  body: string;
  ink: string;
}

const COLOURS: readonly [fromCents: number, colours: ChipColours][] = [
  [0, { body: "#e8e2d0", ink: "#23201a" }],
  [500, { body: "#b52a33", ink: "#fff7ec" }],
  [1000, { body: "#2559a8", ink: "#f4f8ff" }],
  [2500, { body: "#1b7d45", ink: "#f1fff6" }],
  [5000, { body: "#c8621b", ink: "#fff6ec" }],
  [10000, { body: "#23252d", ink: "#f6efdd" }],
  [50000, { body: "#653a99", ink: "#faf3ff" }],
];

export function chipColours(cents: number): ChipColours {
  const found = COLOURS.findLast(([from]) => from <= cents);
  return found ? found[1] : { body: "#e8e2d0", ink: "#23201a" };
}
