// The tray of one table as the server has it, and the presses of those who sign for its chips.

import { api } from "../protocol/api";
import type { ChipMoveView, CountLine, TrayView, WaitingCountView } from "../protocol/forms";
import { press } from "../protocol/presses";
import { problemWords } from "../words/cageProblems";
import { t } from "../words/i18n.svelte";

/** As what a person signs for chips. */
export type TrayRole = "dealer" | "supervisor" | "cashier" | "auditor";

export class TrayDesk {
  view = $state.raw<TrayView | null>(null);
  busy = $state(false);
  /** What was done, or why it was not. */
  done = $state("");
  problem = $state("");
  /** The code of the last refusal. */
  code = $state("");

  constructor(readonly table: string) {}

  async load(): Promise<void> {
    try {
      this.view = await api.tray(this.table);
    } catch {
      // The page says elsewhere that the connection is lost.
    }
  }

  private async act(what: string, send: (id: string) => Promise<TrayView>, done: string): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.done = this.problem = this.code = "";
    try {
      this.view = await press(`${this.table} ${what}`, send);
      this.done = done;
      return true;
    } catch (error) {
      this.problem = problemWords(error);
      this.code = (error as { code?: string }).code ?? "";
      return false;
    } finally {
      this.busy = false;
    }
  }

  count(moment: "opening" | "closing", count: CountLine[], reason: string): Promise<boolean> {
    const sent = reason ? { moment, count, reason } : { moment, count };
    const what = `count ${moment} ${JSON.stringify(count)} ${reason}`;
    return this.act(what, (id) => api.countTray(this.table, { id, ...sent }), t("tray.did.counted"));
  }

  sign(waiting: WaitingCountView): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.signCount(this.table, waiting.number, { id });
    return this.act(`sign ${waiting.number}`, send, t(`tray.did.${waiting.moment}`));
  }

  drop(waiting: WaitingCountView, reason: string): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.dropCount(this.table, waiting.number, { id, reason });
    return this.act(`drop ${waiting.number} ${reason}`, send, t("tray.did.dropped"));
  }

  request(kind: "fill" | "credit", count: CountLine[]): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.requestChips(this.table, { id, kind, count });
    return this.act(`${kind} ${JSON.stringify(count)}`, send, t("tray.did.requested"));
  }

  give(move: ChipMoveView): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.giveChips(this.table, move.number, { id });
    return this.act(`give ${move.number}`, send, t("tray.did.given"));
  }

  receive(move: ChipMoveView): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.receiveChips(this.table, move.number, { id });
    return this.act(`receive ${move.number}`, send, t("tray.did.received"));
  }

  refuse(move: ChipMoveView, reason: string): Promise<boolean> {
    const send = (id: string): Promise<TrayView> => api.refuseChips(this.table, move.number, { id, reason });
    return this.act(`refuse ${move.number} ${reason}`, send, t("tray.did.refused"));
  }
}
