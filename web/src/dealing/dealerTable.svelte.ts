// The dealer's state of a table: the next step, the commands, what was refused, the last card.

import type { CommandAsked, ScanRefused } from "../protocol/messages";
import type { TableLink } from "../protocol/tableLink.svelte";
import { play } from "../ui/sound";
import { t } from "../words/i18n.svelte";
import { cardWords, refusalWords } from "../words/vocabulary";
import { inOneHand, nextStep, placeName, same, type NextStep, type Place } from "./nextStep";

export class DealerTable {
  /** Why the last press or scan was refused, until the next one; it stays on the screen. */
  refused = $state<string | null>(null);
  /** How often something was refused, so that the same words are said again. */
  refusals = $state(0);
  /** The last card that the table has taken, and where it went. */
  last = $state.raw<{ card: string; place: Place } | null>(null);
  /** The card to be corrected; the next scan or pick takes its place. */
  correcting = $state.raw<Place | null>(null);
  /** The card that lies at the place of the other one: both were scanned in the wrong order. */
  swapping = $state.raw<Place | null>(null);
  /** Whether a card is chosen that only a supervisor may correct now. */
  picking = $state(false);
  /** A command that the table has refused without a supervisor, who may approve it now. */
  blocked = $state.raw<CommandAsked | null>(null);
  private waiting = $state(0);
  /** Cards and presses are given one after another: a card scanned early waits for its turn. */
  private turns: Promise<unknown> = Promise.resolve();

  constructor(readonly link: TableLink) {
    link.onScanRefused = (scan) => this.refuseScan(scan);
  }

  get step(): NextStep | null {
    const { public: table, private: own } = this.link;
    return table && own ? nextStep(table, own) : null;
  }

  /** Whether something is on its way, so that a second press does nothing. */
  get busy(): boolean {
    return this.waiting > 0 || this.link.status !== "live";
  }

  /** A press of a button, which does nothing while something else is on its way. */
  async press(command: CommandAsked, approval: string | null = null): Promise<void> {
    if (!this.busy) await this.inTurn(() => this.give(command, { approval }));
  }

  /** Have a supervisor approve a command that the dealer may never give alone. */
  block(command: CommandAsked, why: string): void {
    this.refused = why;
    this.blocked = command;
  }

  /** A card from the scanner or the picker. */
  async card(card: string): Promise<void> {
    await this.inTurn(() => this.take(card));
  }

  /** Leave the cards as they are. */
  keepCard(): void {
    this.correcting = null;
    this.swapping = null;
    this.picking = false;
  }

  /** Choose the card to be corrected, and then perhaps the one it was exchanged with. */
  choose(place: Place): void {
    if (this.correcting === null) this.correcting = place;
    else if (same(this.correcting, place)) this.keepCard();
    else this.swapping = same(this.swapping, place) || inOneHand(this.correcting, place) ? null : place;
  }

  /** Exchange the two cards that were chosen. */
  async swap(): Promise<void> {
    const { correcting: place, swapping: other } = this;
    if (!place || !other) return;
    const round = this.round ?? undefined;
    await this.inTurn(() =>
      this.mend({ kind: "swap_cards", place: placeName(place), other: placeName(other), round }),
    );
  }

  /** The number of the round in progress. */
  get round(): number | null {
    return this.link.public?.round?.number ?? null;
  }

  /** Whether the table waits for a card. */
  get cardDue(): boolean {
    return this.step?.kind === "card" && this.link.status === "live";
  }

  /** A card of the practice shoe, which is passed over if it lies on the felt already. */
  async offer(card: string): Promise<"dealt" | "out" | "refused"> {
    const before = this.refusals;
    let dealt = false;
    await this.inTurn(async () => {
      dealt = await this.deal(card, "card_already_dealt");
    });
    if (dealt) return "dealt";
    return this.refusals > before ? "refused" : "out";
  }

  private async inTurn(task: () => Promise<unknown>): Promise<void> {
    this.waiting += 1;
    const turn = this.turns.then(task);
    this.turns = turn;
    await turn;
    this.waiting -= 1;
  }

  /** Give a command, and say why it was refused, unless for the reason that is `passedOver`. */
  private async give(
    command: CommandAsked,
    { approval = null, passedOver = "" }: { approval?: string | null; passedOver?: string } = {},
  ): Promise<boolean> {
    this.refused = null;
    this.blocked = null;
    if (this.link.status !== "live") {
      this.refuse(t("deal.not_connected"));
      return false;
    }
    try {
      const answer = await this.link.command(command, approval);
      if (!answer.accepted && answer.refused !== passedOver) {
        this.refuse(refusalWords(answer.refused, answer.sentence));
        if (answer.refused === "needs_supervisor" && approval === null) this.blocked = command;
      }
      return answer.accepted;
    } catch {
      this.refuse(t("deal.unanswered"));
      return false;
    }
  }

  private async take(card: string): Promise<void> {
    const corrected = this.correcting;
    if (this.swapping || (this.picking && !corrected)) {
      this.refuse(t("deal.no_card_due", { card: cardWords(card) }));
    } else if (corrected) {
      await this.correct(corrected, card);
    } else {
      await this.deal(card);
    }
  }

  private async deal(card: string, passedOver = ""): Promise<boolean> {
    const step = this.step;
    if (step?.kind !== "card") {
      this.refuse(t("deal.no_card_due", { card: cardWords(card) }));
      return false;
    }
    const { number, step_place: place } = this.link.public?.round ?? {};
    // Another reader may have filled the place meanwhile: the card then goes nowhere.
    const command: CommandAsked = { kind: "deal_card", card, round: number, place };
    const dealt = await this.give(command, { passedOver });
    if (dealt) this.last = { card, place: step.place };
    return dealt;
  }

  private async correct(place: Place, card: string): Promise<void> {
    const { lies, spot, position } = place;
    const command: CommandAsked = { kind: "correct_card", lies, spot, position: position ?? 1, card };
    if (await this.mend(command)) this.last = { card, place };
  }

  /** Correct what was scanned; a supervisor may have to approve it, with all that it names. */
  private async mend(command: CommandAsked): Promise<boolean> {
    const mended = await this.give(command);
    if (mended || this.blocked) this.keepCard();
    return mended;
  }

  /** A scanner has typed a code that stands for no card of this table. */
  refuseCode(code: string): void {
    this.refuse(t("deal.unknown_code", { code }));
  }

  /** A card that another reader has sent was not taken. */
  private refuseScan({ reader, read, refused, sentence }: ScanRefused): void {
    const words = refusalWords(refused, sentence);
    const what = read ? t("deal.reader_code", { code: read, words }) : words;
    this.refuse(t("deal.reader_refused", { reader, words: what }));
  }

  /** Say why something was not done. */
  refuse(words: string): void {
    this.refused = words;
    this.refusals += 1;
    play("refused");
  }
}
