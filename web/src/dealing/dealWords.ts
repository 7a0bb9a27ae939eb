// The dealer's next step in words, and the label of its button.

import { t } from "../words/i18n.svelte";
import { placeTitle, placeWords } from "../words/places";
import type { NextStep, Place } from "./nextStep";

/** A place of the felt in words: "Seat 3, card 2". */
export function namePlace(place: Place, draw: boolean): string {
  if (place.position === null) {
    return place.lies === "hand" && place.spot === null
      ? t("deal.all_hands")
      : placeTitle(place.lies, place.spot, draw);
  }
  const [seat = null, hand = null] = place.spot?.split(".").map(Number) ?? [];
  return placeWords({ lies: place.lies, seat, hand, position: place.position }, { seat: null, draw });
}

/** The cards that are turned: "Board, cards 1 to 3". */
function turnedWords({ place, cards }: NextStep & { kind: "turn" }, draw: boolean): string {
  const named = namePlace(place, draw);
  return cards ? t("deal.cards_from_to", { place: named, ...cards }) : named;
}

/** What the dealer does now, as a sentence. */
export function stepWords(step: NextStep, draw: boolean): string {
  switch (step.kind) {
    case "taken":
      return t("deal.step.taken", { dealer: step.dealer });
    case "close_bets":
      return step.bets ? t("deal.step.close_bets", { count: step.bets }) : t("deal.step.no_bets");
    case "open_bets":
      return t(step.pay ? "deal.step.pay" : "deal.step.open_bets");
    case "confirm":
      return t(step.pay ? "deal.step.confirm" : "deal.step.confirm_only");
    case "card":
      return t("deal.step.card", { place: namePlace(step.place, draw) });
    case "turn":
      return t("deal.step.turn", { place: turnedWords(step, draw) });
    case "decisions":
      return t("deal.step.decisions", { count: step.waiting });
    case "stopped":
      return step.sentence;
    default:
      return t(`deal.step.${step.kind}`);
  }
}
