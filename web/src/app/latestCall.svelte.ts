// What a search asks of the server: a new search takes the place of one that is not answered yet.

import { errorWords } from "../words/vocabulary";

export class LatestCall {
  /** Whether the answer to the newest question is awaited. */
  busy = $state(false);
  /** What went wrong the last time, in the words of the page. */
  problem = $state("");
  /** The number of the newest question: the answer to an older one is not used. */
  private latest = 0;

  /** Ask, and use the answer unless something else has been asked meanwhile. */
  async run<Answer>(ask: () => Promise<Answer>, use: (answer: Answer) => void): Promise<void> {
    const asking = ++this.latest;
    this.busy = true;
    this.problem = "";
    try {
      const answer = await ask();
      if (asking !== this.latest) return;
      use(answer);
    } catch (error) {
      if (asking !== this.latest) return;
      this.problem = errorWords(error);
    }
    this.busy = false;
  }
}
