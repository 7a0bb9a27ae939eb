// The connection of one terminal to its table: it comes back by itself, and it repeats every
// command that has not been answered, with the same id, until it is.

import { CLOSE_CODES, FINAL_CODES, PROTOCOL } from "./messages";
import type { Answered, CommandAsked, FromClient, FromServer } from "./messages";

export type Status = "connecting" | "live" | "lost" | "ended" | "refused";

/** As much of a WebSocket as is needed here, so that tests can bring their own. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

interface TableSocketOptions {
  connect: () => Wire;
  onMessage: (message: FromServer) => void;
  onStatus: (status: Status) => void;
  /** Called with the close code whenever the line is lost, before the status changes. */
  onLost?: (code: number) => void;
  newId?: () => string;
  retryMs?: readonly number[];
  /** A number from 0 up to 1, for pauses that differ between terminals. */
  random?: () => number;
}

/** The pauses between attempts; each is drawn between half and the whole of its length, so that
 * the terminals of a server that restarts do not all come back in the same moment. */
const RETRY_MS = [300, 700, 1500, 3000, 5000];
const PING_MS = 10_000;
/** Silence for this long after a ping means that the line is dead. */
const SILENCE_MS = 8_000;
const LOST = 1006;

/** Whether to stay away. After the end of a session another one has perhaps begun. */
function isFinal(code: number): boolean {
  return code !== CLOSE_CODES.signed_out && FINAL_CODES.includes(code);
}

/** Whether a terminal that opens or comes back has all it needs after this message. */
function allThere(message: FromServer): boolean {
  return message.type === "welcome" || (message.type === "change" && message.whole === true);
}

interface Waiting {
  command: CommandAsked;
  approval: string | null;
  answer: (answered: Answered) => void;
}

/** A random id for a command. Pages without a secure origin lack `randomUUID`. */
export function newCommandId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class TableSocket {
  private wire: Wire | null = null;
  private status: Status = "connecting";
  private waiting = new Map<string, Waiting>();
  private failures = 0;
  /** The version of the last message, to resume from after the connection was lost. */
  private seen: number | null = null;
  private retry: ReturnType<typeof setTimeout> | null = null;
  private pinger: ReturnType<typeof setInterval> | null = null;
  private silence: ReturnType<typeof setTimeout> | null = null;
  private closed = false;
  /** Whether the present line has opened. */
  private opened = false;

  constructor(private readonly options: TableSocketOptions) {
    this.open();
  }

  /** Ask something of the table; the promise is kept until there is an answer. */
  command(command: CommandAsked, approval: string | null = null): Promise<Answered> {
    const id = (this.options.newId ?? newCommandId)();
    return new Promise((answer) => {
      const waiting = { command, approval, answer };
      this.waiting.set(id, waiting);
      if (this.status === "live") this.ask(id, waiting);
    });
  }

  private ask(id: string, { command, approval }: Waiting): void {
    this.send({ type: "command", id, command, ...(approval === null ? {} : { approval }) });
  }

  /** Try again at once, as when the machine says that it is online again. */
  hurry(): void {
    if (this.retry === null) return;
    clearTimeout(this.retry);
    this.open();
  }

  close(): void {
    this.closed = true;
    this.stopTimers();
    if (this.retry !== null) clearTimeout(this.retry);
    // Browsers complain of a line that is closed before it opens, so that one is closed afterwards.
    if (this.opened) this.wire?.close();
  }

  private open(): void {
    this.retry = null;
    const wire = this.options.connect();
    this.wire = wire;
    this.opened = false;
    wire.onopen = () => {
      this.opened = true;
      if (this.closed) {
        wire.close();
        return;
      }
      this.send({ type: "hello", protocol: PROTOCOL, seen: this.seen });
      this.expectSomething();
    };
    wire.onmessage = (event) => {
      if (wire === this.wire) this.receive(String(event.data));
    };
    wire.onclose = (event) => {
      if (wire === this.wire) this.lose(event.code);
    };
  }

  private receive(text: string): void {
    if (this.silence !== null) clearTimeout(this.silence);
    const message = JSON.parse(text) as FromServer;
    if (message.type === "answer") {
      const waiting = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      this.options.onMessage(message);
      waiting?.answer(message);
      return;
    }
    this.options.onMessage(message);
    if (message.type === "welcome" || message.type === "change") this.seen = message.version;
    if (this.status !== "live" && allThere(message)) this.greet();
  }

  private greet(): void {
    this.failures = 0;
    this.setStatus("live");
    for (const [id, waiting] of this.waiting) this.ask(id, waiting);
    this.pinger = setInterval(() => {
      this.send({ type: "ping" });
      this.expectSomething();
    }, PING_MS);
  }

  private lose(code: number): void {
    this.stopTimers();
    this.wire = null;
    if (this.closed) return;
    this.options.onLost?.(code);
    if (isFinal(code)) {
      this.setStatus("refused");
      return;
    }
    this.setStatus(code === CLOSE_CODES.signed_out ? "ended" : "lost");
    this.retry = setTimeout(() => this.open(), this.pause());
  }

  /** How long to wait before the next attempt. */
  private pause(): number {
    const waits = this.options.retryMs ?? RETRY_MS;
    const longest = waits[Math.min(this.failures, waits.length - 1)] ?? 1000;
    this.failures += 1;
    const random = this.options.random ?? Math.random;
    return (longest / 2) * (1 + random());
  }

  private expectSomething(): void {
    if (this.silence !== null) clearTimeout(this.silence);
    this.silence = setTimeout(() => {
      const wire = this.wire;
      this.lose(LOST);
      wire?.close();
    }, SILENCE_MS);
  }

  private stopTimers(): void {
    if (this.pinger !== null) clearInterval(this.pinger);
    if (this.silence !== null) clearTimeout(this.silence);
    this.pinger = this.silence = null;
  }

  private send(message: FromClient): void {
    this.wire?.send(JSON.stringify(message));
  }

  private setStatus(status: Status): void {
    if (status === this.status) return;
    this.status = status;
    this.options.onStatus(status);
  }
}
