// One terminal's table: the views as they stand, the clock, and commands with their answers.

import { applyPatch } from "./mergePatch";
import type {
  Answered,
  Change,
  CommandAsked,
  FromServer,
  PrivateView,
  Problem,
  PublicView,
  ScanRefused,
} from "./messages";
import { TableSocket, type Status, type Wire } from "./socket";

function wireTo(table: string): Wire {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const address = `${scheme}://${location.host}/ws/tables/${encodeURIComponent(table)}`;
  return new WebSocket(address) as unknown as Wire;
}

export class TableLink {
  public = $state.raw<PublicView | null>(null);
  private = $state.raw<PrivateView | null>(null);
  version = $state(0);
  status = $state<Status>("connecting");
  /** What the server said when it closed the line. */
  problem = $state.raw<Problem | null>(null);
  /** The code with which the line was last lost; null while it is there. */
  closeCode = $state<number | null>(null);
  /** When the running clock ends, on this machine's own clock. */
  clockEndsAt = $state<number | null>(null);
  /** How often the line was lost. */
  losses = 0;
  /** How many commands wait for their answer. */
  pending = $state(0);
  /** Called after every change; `fresh` after the first one of a connection. */
  onView: (fresh: boolean) => void = () => {};
  /** Called, for the dealer and supervisors, when a card reader's card was not taken. */
  onScanRefused: (scan: ScanRefused) => void = () => {};

  private readonly socket: TableSocket;

  constructor(table: string, connect: () => Wire = () => wireTo(table)) {
    this.socket = new TableSocket({
      connect,
      onMessage: (message) => this.receive(message),
      onStatus: (status) => {
        this.status = status;
        if (status === "live") this.problem = this.closeCode = null;
      },
      onLost: (code) => {
        this.closeCode = code;
        this.losses += 1;
      },
    });
  }

  may(kind: string): boolean {
    return this.status === "live" && (this.private?.may.includes(kind) ?? false);
  }

  async command(command: CommandAsked, approval: string | null = null): Promise<Answered> {
    this.pending += 1;
    try {
      return await this.socket.command(command, approval);
    } finally {
      this.pending -= 1;
    }
  }

  hurry(): void {
    this.socket.hurry();
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "welcome":
        this.public = message.public;
        this.private = message.private;
        this.version = message.version;
        this.setClock(message.clock_left_ms);
        this.onView(true);
        break;
      case "change":
        this.apply(message);
        break;
      case "problem":
        this.problem = message;
        break;
      case "scan_refused":
        this.onScanRefused(message);
        break;
    }
  }

  /** Bring both views up to date. A connection that resumes is shown when it has everything. */
  private apply(change: Change): void {
    if (change.public) this.public = applyPatch(this.public, change.public) as PublicView;
    if (change.private) {
      const before = change.whole ? {} : this.private;
      this.private = applyPatch(before, change.private) as PrivateView;
    }
    this.version = change.version;
    this.setClock(change.clock_left_ms);
    if (change.whole || this.status === "live") this.onView(change.whole === true);
  }

  private setClock(leftMs: number | null | undefined): void {
    this.clockEndsAt = this.public?.clock && leftMs != null ? performance.now() + leftMs : null;
  }
}
