// The cashier's desk: the cage as the server has it, the presses, and what was done last.

import { account } from "../app/account.svelte";
import { api } from "../protocol/api";
import type { CageView, CountLine, DrawerView, PayoutView, VoucherTicket } from "../protocol/forms";
import { press } from "../protocol/presses";
import { problemWords } from "../words/cageProblems";
import { t } from "../words/i18n.svelte";
import { money } from "../words/money";

/** What a cashier does at the window, in the order of its keys. */
export const TASKS = ["voucher_in", "cash_in", "cash_out", "voucher_out"] as const;
export type Task = (typeof TASKS)[number];

/** Something that was done at this window since the page was opened. */
interface Receipt {
  number: number;
  at: Date;
  kind: Task | "payout";
  cents: number;
  who: string;
}

const RECEIPTS_MAX = 12;

export class CageDesk {
  view = $state.raw<CageView | null>(null);
  lost = $state(false);
  busy = $state(false);
  receipts = $state.raw<Receipt[]>([]);
  /** The voucher that was sold last, to be printed. */
  slip = $state.raw<VoucherTicket | null>(null);
  /** What was done, or why it was not. */
  done = $state("");
  problem = $state("");

  /** The drawer of the cashier who has signed in. */
  get own(): DrawerView | null {
    return this.view?.drawers.find((drawer) => drawer.cashier === account.me?.name) ?? null;
  }

  get limitCents(): number {
    return this.own?.limit_cents ?? 0;
  }

  async load(): Promise<void> {
    try {
      this.view = await api.cage();
      this.lost = false;
    } catch {
      this.lost = true;
    }
  }

  /** Carry a press out; gives its answer, or null after saying why there is none. */
  async act<T>(what: string, send: (id: string) => Promise<T>, done = ""): Promise<T | null> {
    if (this.busy) return null;
    this.busy = true;
    this.done = this.problem = "";
    try {
      const answer = await press(what, send);
      this.done = done;
      return answer;
    } catch (error) {
      this.problem = problemWords(error);
      return null;
    } finally {
      this.busy = false;
      void this.load();
    }
  }

  private note(kind: Receipt["kind"], cents: number, who = ""): void {
    const number = (this.receipts[0]?.number ?? 0) + 1;
    this.receipts = [{ number, at: new Date(), kind, cents, who }, ...this.receipts].slice(0, RECEIPTS_MAX);
  }

  async open(drawer: string, count: CountLine[]): Promise<boolean> {
    const what = `open ${drawer} ${JSON.stringify(count)}`;
    return (await this.act(what, (id) => api.openDrawer(drawer, { id, count }))) !== null;
  }

  /** Close a drawer; the words say how the count and the book compare. */
  async close(drawer: string, count: CountLine[], reason: string, done: string): Promise<boolean> {
    const what = `close ${drawer} ${JSON.stringify(count)} ${reason}`;
    const sent = reason ? { count, reason } : { count };
    return (await this.act(what, (id) => api.closeDrawer(drawer, { id, ...sent }), done)) !== null;
  }

  async cashIn(player: string, cents: number): Promise<boolean> {
    const drawer = this.own?.drawer ?? "";
    const words = t("cage.did.cash_in", { amount: money(cents), player });
    const done = await this.act(`in ${drawer} ${player} ${cents}`, (id) => api.cashIn(drawer, { id, player, cents }), words);
    if (done) this.note("cash_in", cents, player);
    return done !== null;
  }

  /** Pay from a player's account, or ask a supervisor for it. */
  async cashOut(player: string, cents: number): Promise<boolean> {
    const drawer = this.own?.drawer ?? "";
    if (cents > this.limitCents) return this.request(`${player} ${cents}`, { player, cents });
    const words = t("cage.did.cash_out", { amount: money(cents), player });
    const done = await this.act(`out ${drawer} ${player} ${cents}`, (id) => api.cashOut(drawer, { id, player, cents }), words);
    if (done) this.note("cash_out", cents, player);
    return done !== null;
  }

  /** Pay a voucher, or ask a supervisor for it. */
  async voucherIn(code: string, cents: number): Promise<boolean> {
    const drawer = this.own?.drawer ?? "";
    if (cents > this.limitCents) return this.request(code, { code });
    const words = t("cage.did.voucher_in", { amount: money(cents) });
    const done = await this.act(`voucher ${drawer} ${code}`, (id) => api.voucherIn(drawer, { id, code }), words);
    if (done) this.note("voucher_in", cents);
    return done !== null;
  }

  async voucherOut(cents: number): Promise<boolean> {
    const drawer = this.own?.drawer ?? "";
    const words = t("cage.did.voucher_out", { amount: money(cents) });
    const ticket = await this.act(`sell ${drawer} ${cents}`, (id) => api.voucherOut(drawer, { id, cents }), words);
    if (!ticket) return false;
    this.slip = ticket;
    this.note("voucher_out", cents);
    return true;
  }

  private async request(what: string, sent: { player?: string; cents?: number; code?: string }): Promise<boolean> {
    const drawer = this.own?.drawer ?? "";
    const send = (id: string): Promise<DrawerView> => api.requestPayout(drawer, { id, ...sent });
    return (await this.act(`request ${drawer} ${what}`, send, t("cage.did.requested"))) !== null;
  }

  async pay(drawer: string, payout: PayoutView): Promise<void> {
    const words = t("cage.did.paid", { amount: money(payout.cents) });
    const send = (id: string): Promise<DrawerView> => api.payPayout(drawer, payout.number, { id });
    if (await this.act(`pay ${drawer} ${payout.number}`, send, words)) {
      this.note("payout", payout.cents, payout.player ?? "");
    }
  }

  async approve(drawer: string, payout: PayoutView): Promise<void> {
    const send = (id: string): Promise<DrawerView> => api.approvePayout(drawer, payout.number, { id });
    await this.act(`approve ${drawer} ${payout.number}`, send, t("cage.did.approved"));
  }

  async reject(drawer: string, payout: PayoutView, reason: string): Promise<boolean> {
    const send = (id: string): Promise<DrawerView> => api.rejectPayout(drawer, payout.number, { id, reason });
    return (await this.act(`reject ${drawer} ${payout.number} ${reason}`, send, t("cage.did.rejected"))) !== null;
  }
}
