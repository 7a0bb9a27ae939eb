// The actions of a live dealer, announced to the player: bets closed, cards corrected, and what
// the table is waiting for.

import { announcer, say, warn, type Words } from "../../app/announcer.svelte";
import { mayMove } from "../../app/settings.svelte";
import type { PublicView, RoundView } from "../../protocol/messages";
import { t } from "../../words/i18n.svelte";
import { cardWords } from "../../words/vocabulary";
import { cardsOf, NOTHING_LAID, type Faces, type Laid } from "../reveal";
import type { Terminal } from "../terminal.svelte";
import { waitWords } from "../waitReason";
import { commonSpeech } from "./speech";

/** A card that replaces one that was entered by mistake. */
interface Correction {
  place: "own" | "seat" | "dealer" | "board" | "draw";
  seat: number;
  number: number;
  card: string;
  before: string;
}

/** The face-up cards that have changed within one round. */
export function corrections(before: Laid, now: Laid, own: number | null, draw: boolean): Correction[] {
  if (before.round !== now.round) return [];
  const changed: Correction[] = [];
  const compare = (place: Correction["place"], seat: number, old: Faces, faces: Faces) => {
    faces.forEach((card, at) => {
      const was = old[at];
      if (card && was && card !== was) changed.push({ place, seat, number: at + 1, card, before: was });
    });
  };
  compare("dealer", 0, before.dealer, now.dealer);
  compare(draw ? "draw" : "board", 0, before.common, now.common);
  for (const [spot, cards] of Object.entries(now.hands)) {
    const seat = Number(spot.split(".")[0]);
    compare(seat === own ? "own" : "seat", seat, before.hands[spot] ?? [], cards);
  }
  return changed;
}

export function correctionWords({ place, seat, number, card, before }: Correction): string {
  return t(`corrected.${place}`, {
    seat,
    number,
    card: cardWords(card),
    before: cardWords(before),
  });
}

/** The notice that bets are closed. With a clock, it may have been the clock that closed them. */
export function closingWords({ dealer, clock_rule }: Pick<PublicView, "dealer" | "clock_rule">): string {
  return dealer && !clock_rule ? t("say.dealer_closed", { name: dealer }) : t("say.no_more_bets");
}

/** What the dealer is doing, in a few words for the felt. */
function dealingWords(terminal: Terminal): Words {
  const seen = terminal.link.public;
  const step = seen?.round?.step;
  if (step !== "card" && step !== "turn" && step !== "confirm") return waitWords(terminal);
  return seen?.dealer ? () => t(`say.live_${step}`) : () => t("say.live_nobody");
}

/** The announcement of new common cards, if animations are off. */
function turnedWords(before: Laid, now: Laid, draw: boolean): string {
  const shown = (faces: Faces) => faces.filter((card) => card !== null).length;
  const [old, count] = [shown(before.common), shown(now.common)];
  if (mayMove() || before.round !== now.round || count <= old) return "";
  if (draw) return count === 5 ? commonSpeech("draw", now.common) : "";
  if (count === 3) return commonSpeech("flop", now.common);
  return count < 4 ? "" : commonSpeech(count === 4 ? "turn" : "river", now.common);
}

export class LiveDealer {
  private laid: Laid = NOTHING_LAID;
  private phase: RoundView["phase"] | null = null;
  /** Undefined until the first view has arrived. */
  private dealer: string | null | undefined;
  private waiting = "";
  private held = false;

  constructor(private readonly terminal: Terminal) {}

  /** To be called whenever the views or the screen have changed. */
  follow(): void {
    const { link, seat, draw, over } = this.terminal;
    const seen = link.public;
    if (!seen || seen.dealer_mode !== "live") return;
    const round = seen.round ?? null;
    const [before, now] = [this.laid, cardsOf(round, link.private)];
    const wrong = corrections(before, now, seat, draw);
    const turned = () => turnedWords(before, now, draw);
    const closed = this.phase === "wagering" && round?.phase === "playing";
    this.laid = now;
    this.phase = round?.phase ?? null;
    this.meet(seen.dealer ?? null);
    this.hold(seen.hold != null);
    if (closed) {
      say(() => t("say.no_more_bets"));
      warn(closingWords(seen));
    }
    say(turned);
    if (wrong.length) {
      warn(wrong.map(correctionWords).join(" "));
      announcer.written = () => t("say.corrected");
    }
    const playing = round?.phase === "playing" || round?.phase === "ready";
    const due = this.terminal.hands.some((hand) => hand.view?.due);
    if (playing && !due && !over) this.write(turned() !== "" || wrong.length > 0);
    else this.waiting = "";
  }

  /** Announce a dealer who arrives or leaves. */
  private meet(dealer: string | null): void {
    const before = this.dealer;
    this.dealer = dealer;
    if (before === undefined || before === dealer) return;
    if (dealer === null) warn(t("say.dealer_left"));
    else say(() => t("say.dealer_here", { name: dealer }));
  }

  /** Announce that the floor has been called, and that play goes on. */
  private hold(held: boolean): void {
    if (held && !this.held) warn(t("say.floor_called"));
    if (!held && this.held) say(() => t("say.play_resumed"));
    this.held = held;
  }

  /** Keep on the felt what the table is waiting for. The dock shows a seated player the details. */
  private write(taken: boolean): void {
    const words = waitWords(this.terminal);
    if (!words || words === this.waiting || taken) return;
    this.waiting = words;
    if (this.terminal.seat === null) say(() => waitWords(this.terminal) || words);
    else announcer.written = dealingWords(this.terminal);
  }
}
