// The dealer's announcements: written on the felt and read out by screen readers.

/** A sentence, or a function that makes it, so that it follows a change of language. */
export type Words = string | (() => string);

function read(words: Words): string {
  return typeof words === "string" ? words : words();
}

class Announcer {
  private said = $state.raw<Words>("");
  private wrote = $state.raw<Words>("");
  urgent = $state("");
  /** How many felts are on the screen; a felt shows urgent announcements itself. */
  felts = $state(0);

  get line(): string {
    return read(this.said);
  }
  set line(words: Words) {
    this.said = words;
  }

  get written(): string {
    return read(this.wrote);
  }
  set written(words: Words) {
    this.wrote = words;
  }
}

export const announcer = new Announcer();

/** Announce a sentence, and write it or a shorter one on the felt. An empty one is ignored. */
export function say(line: Words, written: Words = line): void {
  if (!read(line)) return;
  announcer.line = line;
  announcer.written = written;
}

export function silence(): void {
  announcer.line = announcer.written = "";
}

/** Take an urgent announcement away, which is about a table that the player has left. */
export function hush(): void {
  clearTimeout(fade);
  announcer.urgent = "";
}

let fade: ReturnType<typeof setTimeout> | undefined;
const NOTICE_MS = 4500;

/** Announce something that the player has to know at once, such as why a wager was refused. */
export function warn(line: string): void {
  if (!line) return;
  announcer.urgent = line;
  clearTimeout(fade);
  fade = setTimeout(() => {
    announcer.urgent = "";
  }, NOTICE_MS);
}
