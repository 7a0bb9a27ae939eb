// The chips to cut out for an amount, in the denominations of the table's rack.

interface Stack {
  cents: number;
  count: number;
}

/** An amount in as few chips as there are denominations for, the largest first. What no chip is
 * small enough for is paid in coins, and counts as one stack of them. */
export function cutChips(cents: number, denominations: readonly number[]): Stack[] {
  const stacks: Stack[] = [];
  let left = cents;
  for (const chip of [...denominations].sort((a, b) => b - a)) {
    const count = Math.floor(left / chip);
    if (count > 0) stacks.push({ cents: chip, count });
    left -= count * chip;
  }
  if (left > 0) stacks.push({ cents: left, count: 1 });
  return stacks;
}
