// What the table waits for, in words.

import { t } from "./i18n.svelte";
import type { Terminal } from "./terminal.svelte";

function dealerStep(terminal: Terminal): string {
  const round = terminal.link.public?.round;
  switch (round?.step) {
    case "card":
      return t("wait.dealer_card");
    case "turn":
      return t("wait.dealer_turn");
    case "confirm":
      return t("wait.dealer_confirm");
    default:
      return t("wait.dealer_opens");
  }
}

/** The sentence in the place of the chips, where none can be placed. */
export function waitingWords(terminal: Terminal): string {
  const seen = terminal.link.public;
  const own = terminal.link.private;
  const round = seen?.round ?? null;
  if (!seen) return "";
  if (seen.stopped) return seen.stopped;
  if (seen.phase === "closed") return t("wait.closed");
  if (terminal.stage.busy) return "";
  if (terminal.hands.some((hand) => hand.view?.due)) {
    return terminal.draw ? t("wait.hold") : t("wait.decide");
  }
  const playing = round?.phase === "playing" || round?.phase === "ready";
  if (playing && round.step === "decisions") {
    return t("wait.others", { count: round.hands_waited_for });
  }
  if (seen.dealer_mode === "live" && (playing || !round || terminal.over)) {
    return seen.bank_offered_to != null ? t("wait.bank", { seat: seen.bank_offered_to }) : dealerStep(terminal);
  }
  if (round?.phase === "wagering" && round.banker_seat === own?.seat) return t("wait.you_bank");
  if (seen.bank_offered_to != null) return t("wait.bank", { seat: seen.bank_offered_to });
  return playing ? t("wait.cards") : t("wait.next_round");
}
