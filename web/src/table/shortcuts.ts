// Keyboard shortcuts. They can be switched off in the settings.

import { say } from "../app/announcer.svelte";
import { settings } from "../app/settings.svelte";
import { toggleSound } from "../ui/sound";
import { t } from "../words/i18n.svelte";
import type { Terminal } from "./terminal.svelte";

/** The circle that each key places a chip on. */
export const CIRCLE_KEYS: Record<string, string> = {
  a: "ante",
  t: "trips",
  p: "ultimate_pairs",
  b: "bad_beat",
  o: "play_the_board",
  n: "bonus",
  g: "progressive",
};

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, dialog") !== null;
}

function onButton(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a, [role=radio]") !== null;
}

/** Perform the action of a key, if it has one now. */
export function handleKey(terminal: Terminal, event: KeyboardEvent): void {
  if (!settings.shortcuts || !terminal.live || typing(event.target)) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && key === "z") {
    terminal.bets.undo();
    event.preventDefault();
    return;
  }
  if (layFavourite(terminal, event)) {
    event.preventDefault();
    return;
  }
  // A key that is held down acts once.
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  // Enter and space only press the focused button.
  if ((key === "enter" || key === " ") && onButton(event.target)) return;
  if (pages(terminal, key) || hands(terminal, key) || decides(terminal, key) || placeBets(terminal, key)) {
    event.preventDefault();
  }
}

/** Shift and a digit lay a favourite; the digit is that of the key, whatever the layout writes. */
function layFavourite(terminal: Terminal, event: KeyboardEvent): boolean {
  const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
  if (!event.shiftKey || event.ctrlKey || event.metaKey || event.altKey || !digit) return false;
  const slot = Number(digit) - 1;
  if (event.repeat || !terminal.favourites.canLay(slot)) return false;
  terminal.favourites.lay(slot);
  return true;
}

function pages(terminal: Terminal, key: string): boolean {
  if (key === "q") {
    toggleSound();
    say(() => t(settings.sound ? "settings.sound.on" : "settings.sound.off"));
    return true;
  }
  const panel = ({ h: "help", y: "paytables", i: "history", s: "settings", m: "credit" } as const)[key];
  const coach = key === "k" && terminal.coach.offered;
  if (!panel && !coach) return false;
  terminal.panel = panel ?? "coach";
  return true;
}

function hands(terminal: Terminal, key: string): boolean {
  const step = { arrowleft: -1, arrowright: 1 }[key];
  const count = terminal.house.hands_per_seat;
  if (!step || count < 2) return false;
  terminal.activeHand = ((terminal.activeHand - 1 + step + count) % count) + 1;
  return true;
}

function decides(terminal: Terminal, key: string): boolean {
  // A key acts on the marked hand, or on the next one if that has just decided.
  const waiting = terminal.dueHands;
  const due = waiting.find((hand) => hand.number === terminal.activeHand) ?? waiting[0];
  if (!due?.view || terminal.stage.busy) return false;
  if (due.view.may_hold) return holds(terminal, due.spot, due.view.cards, key);
  const choice = due.view.choices.find((option) =>
    option.kind === "bet" ? key === String(option.multiple) : key === option.kind[0],
  );
  if (!choice) return false;
  void terminal.choose(due.spot, choice);
  return true;
}

function holds(
  terminal: Terminal,
  spot: string,
  cards: readonly (string | null)[],
  key: string,
): boolean {
  const card = /^[1-5]$/.test(key) ? cards[Number(key) - 1] : null;
  if (card) terminal.toggleHold(spot, card);
  else if (key === "enter" || key === "d") void terminal.drawCards(spot);
  else return false;
  return true;
}

function placeBets(terminal: Terminal, key: string): boolean {
  const { bets, house, active } = terminal;
  if (!bets.open) return false;
  const chip = /^[1-9]$/.test(key) ? bets.chips[Number(key) - 1] : undefined;
  const circle = CIRCLE_KEYS[key];
  if (chip !== undefined) bets.chipCents = chip;
  else if (circle && active && house.wagers.some((rule) => rule.kind === circle)) {
    bets.place(active.spot, circle);
  } else if (key === "x") bets.double();
  else if (key === "u") bets.undo();
  else if (key === "v") terminal.panel = "favourites";
  else if (key === "r") bets.repeat();
  else if (key === "delete" || key === "backspace") bets.clear();
  else if (key === "e" && house.dealer_wagers) bets.toggleForDealer();
  else if (key === "enter" || key === "d") void terminal.deal();
  else return false;
  return true;
}
