// What the dealer says: written on the felt, and read out by screen readers.

export const voice = $state({ line: "", written: "", urgent: "" });

/** Say a sentence, and write it or a shorter one on the felt; an empty one says nothing. */
export function say(line: string, written = line): void {
  if (!line) return;
  voice.line = line;
  voice.written = written;
}

export function silence(): void {
  voice.line = voice.written = "";
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
