// The coach at a player's own table: asked whenever the screen shows another decision.

import { settings } from "../../app/settings.svelte";
import { antesFigure, totalCost } from "../../ui/coach/coach";
import { RoundCoach } from "../../ui/coach/roundCoach.svelte";
import type { CoachView } from "../../protocol/forms";
import type { PrivateView, PublicView, RoundView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";

interface Watched {
  readonly public: PublicView | null;
}
interface Shown {
  readonly round: RoundView | null;
  readonly own: PrivateView | null;
  readonly busy: boolean;
}

export class TableCoach {
  /** The decisions that the coach was last asked about. */
  private asked = "";

  constructor(
    private readonly link: Watched,
    private readonly stage: Shown,
    private readonly draw: boolean,
    readonly round = new RoundCoach(),
  ) {}

  /** Whether this is a table at which the coach may speak: only the player's own. */
  get offered(): boolean {
    return this.link.public?.private === true;
  }

  get on(): boolean {
    return this.offered && settings.coach;
  }

  /** What the coach says of the round on the screen, or of the last one. */
  get view(): CoachView | null {
    if (!this.draw) return this.round.view;
    const { round } = this.stage;
    return { round: round?.id ?? "", number: round?.number ?? 0, decisions: [], missing: "game" };
  }

  /** Follow the screen: what it does not show yet is not spoken of. */
  follow(): void {
    const { round, own, busy } = this.stage;
    if (!this.on) {
      this.close();
      return;
    }
    if (busy || !round || this.draw) return;
    const made = Object.values(own?.hands ?? {}).flatMap((hand) => hand.decisions).length;
    const asked = `${round.id} ${made}`;
    if (made === 0 || asked === this.asked) return;
    this.asked = asked;
    void this.round.look(this.link.public?.table ?? "", round.number);
  }

  close(): void {
    this.asked = "";
    this.round.close();
    this.round.view = null;
  }

  /** The coach in a few words, for the top bar. */
  get mark(): string {
    return t(`coach.mark.${this.state}`, { antes: this.costFigure });
  }

  /** The same beside its sign, where there is little room. */
  get shortMark(): string {
    return t(`coach.short.${this.state}`, { antes: this.costFigure });
  }

  private get state(): "off" | "ready" | "missing" | "best" | "cost" {
    if (!this.on) return "off";
    if (this.draw) return "missing";
    const view = this.view;
    if (this.round.busy || !view) return "ready";
    if (view.decisions.length === 0) return view.missing ? "missing" : "ready";
    return totalCost(view.decisions).antes === 0 ? "best" : "cost";
  }

  private get costFigure(): string {
    return antesFigure(totalCost(this.view?.decisions ?? []).antes);
  }
}
