// Presses that move money: the id of a press stays the same until its answer has come.
//
// A press whose answer was lost is repeated with the same id, and the server carries it out once.

import { ApiError } from "./api";
import { newCommandId } from "./socket";

const KEY = "openfelt.presses";
/** Answers that say nothing about whether the press was carried out. */
const UNDECIDED = [408, 425, 429];

const waiting = new Map<string, string>();

function kept(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

function keep(ids: Record<string, string>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(ids));
  } catch {
    // Without storage, ids last as long as the page.
  }
}

function forget(what: string): void {
  waiting.delete(what);
  const { [what]: _, ...others } = kept();
  keep(others);
}

/** Whether a failure leaves open what has become of a press. */
export function isUndecided(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status >= 500 || UNDECIDED.includes(error.status) || error.code === "busy";
}

/**
 * Send what was pressed with its id. `what` names the press and all that it asks for: the same
 * again is the same press. With `lasting`, its id also survives a reload; what it names must then
 * be no secret.
 */
export async function press<T>(
  what: string,
  send: (id: string) => Promise<T>,
  { lasting = false } = {},
): Promise<T> {
  const id = waiting.get(what) ?? kept()[what] ?? newCommandId();
  waiting.set(what, id);
  if (lasting) keep({ ...kept(), [what]: id });
  try {
    const answer = await send(id);
    forget(what);
    return answer;
  } catch (error) {
    if (!isUndecided(error)) forget(what);
    throw error;
  }
}
