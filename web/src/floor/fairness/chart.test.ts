import { expect, test } from "vitest";
import { HEIGHT, WIDTH, shape, step } from "./chart";

test.each([
  [100, 5, 20],
  [7, 5, 2],
  [1234, 4, 500],
  [0, 4, 1],
])("a length of %i in about %i parts has steps of %i", (length, parts, size) => {
  expect(step(length, parts)).toBe(size);
});

test("a chart begins at nothing and stays in its box", () => {
  const drawn = shape([
    { rounds: 10, win_cents: 500, expected_cents: 20, reach_cents: 4000 },
    { rounds: 20, win_cents: -9000, expected_cents: 40, reach_cents: 5600 },
  ]);
  expect(drawn.points).toHaveLength(3);
  expect(drawn.points[0]?.high).toBe(drawn.points[0]?.low);
  for (const point of drawn.points) {
    expect(point.x).toBeGreaterThanOrEqual(0);
    expect(point.x).toBeLessThanOrEqual(WIDTH);
    for (const y of [point.actual, point.expected, point.low, point.high]) {
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThanOrEqual(HEIGHT);
    }
  }
  // The last result lies below its band.
  expect(drawn.points[2]?.actual).toBeGreaterThan(drawn.points[2]?.low ?? 0);
});

test("an empty series is a chart too", () => {
  expect(shape([]).points).toHaveLength(1);
});
