// What the table is waiting for, in words.

import { maybe, t } from "../words/i18n.svelte";
import type { Terminal } from "./terminal.svelte";

/** The live dealer's next step, and for which seat. */
function dealerStep(terminal: Terminal): string {
  const seen = terminal.link.public;
  const step = seen?.round?.step ?? null;
  if (!seen?.dealer) return t(step ? "wait.no_dealer_playing" : "wait.no_dealer");
  const place = seen.round?.step_place ?? "";
  const common = terminal.draw ? "draw" : "board";
  const against = terminal.house.bank === "player" ? "bank" : "dealer";
  switch (step) {
    case "card": {
      const hand = /^hand (\d+)\./.exec(place);
      if (hand) {
        const seat = Number(hand[1]);
        return seat === terminal.seat ? t("wait.deal_own") : t("wait.deal_seat", { seat });
      }
      return t(`wait.deal_${place.startsWith("dealer") ? against : common}`);
    }
    case "turn":
      if (place === "hand") return t("wait.turn_hands");
      return t(`wait.turn_${place === "dealer" ? against : common}`);
    case "confirm":
      return t("wait.dealer_confirm");
    default:
      return t("wait.dealer_opens");
  }
}

/** Who is offered the bank; empty if the house banks. */
function bankWords(terminal: Terminal): string {
  const seat = terminal.link.public?.bank_offered_to ?? null;
  if (terminal.house.bank !== "player") return "";
  if (seat === null) return t("wait.no_bank");
  return seat === terminal.seat ? t("wait.bank_yours") : t("wait.bank", { seat });
}

/** The sentence shown instead of the chips when none can be placed. */
export function waitWords(terminal: Terminal): string {
  const seen = terminal.link.public;
  const own = terminal.link.private;
  const round = seen?.round ?? null;
  if (!seen) return "";
  if (seen.stopped_code) return maybe(`refused.${seen.stopped_code}`) ?? t("refused.stopped");
  if (seen.phase === "closed") return t("wait.closed");
  if (seen.phase === "paused") return t("wait.paused");
  if (seen.hold) return t("wait.floor");
  if (terminal.stage.busy) return "";
  if (terminal.hands.some((hand) => hand.view?.due)) {
    return terminal.draw ? t("wait.hold") : t("wait.decide");
  }
  const playing = round?.phase === "playing" || round?.phase === "ready";
  if (playing && round.step === "decisions") {
    return t("wait.others", { count: round.hands_waited_for });
  }
  if (seen.dealer_mode === "live" && (playing || !round || terminal.over)) {
    return (!playing && bankWords(terminal)) || dealerStep(terminal);
  }
  if (round?.phase === "wagering" && round.banker_seat === own?.seat) return t("wait.you_bank");
  if (playing && seen.seeds && !seen.seeds.fixed) return t("wait.seeds");
  if (playing) return t("wait.cards");
  return (round?.phase !== "wagering" && bankWords(terminal)) || t("wait.next_round");
}
