// What the dealer says: written on the felt, and read out by screen readers.

/** A sentence, or how it is made: such a one changes its language with the page. */
export type Words = string | (() => string);

function read(words: Words): string {
  return typeof words === "string" ? words : words();
}

class Announcer {
  private said = $state.raw<Words>("");
  private wrote = $state.raw<Words>("");
  urgent = $state("");
  /** How many felts are on the screen; where there is one, what is urgent is written on it. */
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

/** Say a sentence, and write it or a shorter one on the felt; an empty one says nothing. */
export function say(line: Words, written: Words = line): void {
  if (!read(line)) return;
  announcer.line = line;
  announcer.written = written;
}

export function silence(): void {
  announcer.line = announcer.written = "";
}

let fade: ReturnType<typeof setTimeout> | undefined;
const NOTICE_MS = 4500;

/** Say something that the player has to know at once, such as why a wager was refused. */
export function warn(line: string): void {
  if (!line) return;
  announcer.urgent = line;
  clearTimeout(fade);
  fade = setTimeout(() => {
    announcer.urgent = "";
  }, NOTICE_MS);
}
