// What a form asks of the server: one thing at a time, and what went wrong with it.

import { errorWords } from "../words/vocabulary";

export class ServerCall {
  /** Whether an answer is awaited; its buttons are disabled meanwhile. */
  busy = $state(false);
  /** What went wrong the last time, in the words of the page. */
  problem = $state("");

  /** Do something unless something else is under way. Returns whether it was done. */
  async run(deed: () => Promise<unknown>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = "";
    try {
      await deed();
    } catch (error) {
      this.problem = errorWords(error);
    }
    this.busy = false;
    return !this.problem;
  }
}
