// The dealer's state of a table: the next step, the commands, what was refused, the last card.

import type { CommandAsked } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { t } from "../words/i18n.svelte";
import { cardWords, refusalWords } from "../words/vocabulary";
import { nextStep, type NextStep, type Place } from "./nextStep";

export class DealerTable {
  /** Why the last press or scan was refused, until the next one; it stays on the screen. */
  refused = $state<string | null>(null);
  /** The last card that the table has taken, and where it went. */
  last = $state.raw<{ card: string; place: Place } | null>(null);
  /** The card to be corrected; the next scan or pick takes its place. */
  correcting = $state.raw<Place | null>(null);
  private waiting = $state(0);
  /** Cards and presses are given one after another: a card scanned early waits for its turn. */
  private turns: Promise<unknown> = Promise.resolve();

  constructor(readonly link: TableLink) {}

  get step(): NextStep | null {
    const { public: table, private: own } = this.link;
    return table && own ? nextStep(table, own) : null;
  }

  /** Whether something is on its way, so that a second press does nothing. */
  get busy(): boolean {
    return this.waiting > 0 || this.link.status !== "live";
  }

  /** A press of a button, which does nothing while something else is on its way. */
  async press(command: CommandAsked): Promise<void> {
    if (!this.busy) await this.inTurn(() => this.give(command));
  }

  /** A card from the scanner or the picker. */
  async card(card: string): Promise<void> {
    await this.inTurn(() => this.take(card));
  }

  private async inTurn(task: () => Promise<unknown>): Promise<void> {
    this.waiting += 1;
    const turn = this.turns.then(task);
    this.turns = turn;
    await turn;
    this.waiting -= 1;
  }

  private async give(command: CommandAsked): Promise<boolean> {
    this.refused = null;
    if (this.link.status !== "live") {
      this.refuse(t("deal.not_connected"));
      return false;
    }
    try {
      const answer = await this.link.command(command);
      if (!answer.accepted) this.refuse(refusalWords(answer.refused, answer.sentence));
      return answer.accepted;
    } catch {
      this.refuse(t("deal.unanswered"));
      return false;
    }
  }

  private async take(card: string): Promise<void> {
    const place = this.correcting;
    if (place) {
      await this.correct(place, card);
      return;
    }
    const step = this.step;
    if (step?.kind !== "card") {
      this.refuse(t("deal.no_card_due", { card: cardWords(card) }));
      return;
    }
    if (await this.give({ kind: "deal_card", card })) this.last = { card, place: step.place };
  }

  private async correct(place: Place, card: string): Promise<void> {
    const { lies, spot, position } = place;
    const command: CommandAsked = { kind: "correct_card", lies, spot, position: position ?? 1, card };
    if (await this.give(command)) {
      this.last = { card, place };
      this.correcting = null;
    }
  }

  private refuse(words: string): void {
    this.refused = words;
  }
}
