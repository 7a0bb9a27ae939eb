import { describe, expect, it } from "vitest";
import { reminderDue } from "./playSession.svelte";

describe("the reminder", () => {
  it.each<[string, number, number, number, boolean, boolean]>([
    ["comes when its time is over", 15, 0, 15, true, true],
    ["waits while something is due", 40, 0, 15, false, false],
    ["comes once in its time", 29, 15, 15, true, false],
    ["comes again", 30, 15, 15, true, true],
    ["never comes where it is not set", 600, 0, 0, true, false],
  ])("%s", (_, played, said, every, quiet, wanted) => {
    expect(reminderDue({ played, said, every }, quiet)).toBe(wanted);
  });
});
