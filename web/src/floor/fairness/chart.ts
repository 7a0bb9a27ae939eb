// The shape of a chart of results: points in a box of fixed size, and round marks on its axes.

import type { FairnessPoint } from "../../protocol/forms";

export const WIDTH = 640;
export const HEIGHT = 260;
const LEFT = 78;
const RIGHT = 12;
const TOP = 12;
const BOTTOM = 30;

export interface Drawn {
  x: number;
  actual: number;
  expected: number;
  low: number;
  high: number;
}

interface Mark {
  at: number;
  value: number;
}

interface Shape {
  points: Drawn[];
  /** The outline of the band. */
  band: string;
  actual: string;
  expected: string;
  xMarks: Mark[];
  yMarks: Mark[];
}

/** A step of 1, 2 or 5 times a power of ten that cuts a length into about so many parts. */
export function step(length: number, parts: number): number {
  const rough = Math.max(length / parts, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

function marks(low: number, high: number, parts: number): number[] {
  const by = step(high - low, parts);
  const values: number[] = [];
  for (let value = Math.ceil(low / by) * by; value <= high; value += by) values.push(value);
  return values;
}

function path(points: readonly [number, number][]): string {
  return points.map(([x, y], index) => `${index ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join(" ");
}

/** Draw a series; it begins at nothing before the first round. */
export function shape(series: readonly FairnessPoint[]): Shape {
  const all = [{ rounds: 0, win_cents: 0, expected_cents: 0, reach_cents: 0 }, ...series];
  const last = Math.max(1, all[all.length - 1]?.rounds ?? 1);
  const values = all.flatMap((point) => [point.win_cents, point.expected_cents + point.reach_cents, point.expected_cents - point.reach_cents]);
  const low = Math.min(...values);
  const high = Math.max(...values, low + 1);
  const x = (rounds: number): number => LEFT + (rounds / last) * (WIDTH - LEFT - RIGHT);
  const y = (cents: number): number => TOP + ((high - cents) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const points = all.map((point) => ({
    x: x(point.rounds),
    actual: y(point.win_cents),
    expected: y(point.expected_cents),
    low: y(point.expected_cents - point.reach_cents),
    high: y(point.expected_cents + point.reach_cents),
  }));
  const upper = points.map((point): [number, number] => [point.x, point.high]);
  const lower = points.map((point): [number, number] => [point.x, point.low]).reverse();
  return {
    points,
    band: `${path([...upper, ...lower])} Z`,
    actual: path(points.map((point) => [point.x, point.actual])),
    expected: path(points.map((point) => [point.x, point.expected])),
    xMarks: marks(0, last, 5).map((value) => ({ at: x(value), value })),
    yMarks: marks(low, high, 4).map((value) => ({ at: y(value), value })),
  };
}
