// Who may sign for chips now: the server decides, and a screen offers only what it would take.

import type { ChipMoveView, WaitingCountView } from "../protocol/forms";
import type { TrayRole } from "./trayDesk.svelte";

/** Whether a person of this role may sign a count that another one has made. */
export function maySign(waiting: WaitingCountView, role: TrayRole, name: string): boolean {
  return waiting.by !== name && role === (waiting.by_supervisor ? "dealer" : "supervisor");
}

/** The role at the table that is the other side of a request. */
function otherSide(move: ChipMoveView): TrayRole {
  return move.by_supervisor ? "dealer" : "supervisor";
}

/** Whether a person may approve a request and give the chips. */
export function mayGive(move: ChipMoveView, role: TrayRole, name: string): boolean {
  if (move.given_by !== null || move.by === name) return false;
  return role === (move.kind === "fill" ? "cashier" : otherSide(move));
}

/** Whether a person may receive chips that are on their way. */
export function mayReceive(move: ChipMoveView, role: TrayRole, name: string): boolean {
  if (move.given_by === null || move.given_by === name || move.by === name) return false;
  return role === (move.kind === "credit" ? "cashier" : otherSide(move));
}

/** Whether a person may end a request; once chips are on their way, the chip bank does. */
export function mayRefuse(move: ChipMoveView, role: TrayRole, name: string): boolean {
  if (role === "auditor") return false;
  if (move.given_by !== null) return role === "cashier";
  return role !== "dealer" || move.by === name;
}
