// What the dealer says: written on the felt, and read out by screen readers.

export const voice = $state<{ line: string; urgent: string }>({ line: "", urgent: "" });

/** Say a sentence; an empty one says nothing. */
export function say(line: string): void {
  if (line) voice.line = line;
}

let fade: ReturnType<typeof setTimeout> | undefined;
const NOTICE_MS = 4500;

/** Say something that the player has to know at once, such as why a wager was refused. */
export function warn(line: string): void {
  if (!line) return;
  voice.urgent = line;
  clearTimeout(fade);
  fade = setTimeout(() => {
    voice.urgent = "";
  }, NOTICE_MS);
}
