// Who is signed in, and whether the session has ended by itself.

import { beginSession } from "./playSession.svelte";
import { api } from "../protocol/api";
import type { Me, SignedOut } from "../protocol/forms";

/** What kind of session has ended. */
export type Ended = "guest" | "account";

interface Account {
  me: Me | null;
  /** False until the server has answered who is signed in. */
  known: boolean;
  unreachable: boolean;
  /** Whether the house offers play money, and so admits guests. */
  playMoney: boolean;
  /** The table of which this browser is the dealer's terminal. */
  terminalOf: string | null;
  /** The table at which any visitor may deal; null on all floors but a local starter floor. */
  practiceTable: string | null;
  /** New recovery codes, until the owner has kept them. */
  newCodes: string[] | null;
  /** Whether they are shown on the page of the first steps, and nothing else is before that. */
  newCodesFirst: boolean;
  /** Set if a session has ended other than by signing out in this window. */
  ended: Ended | null;
}

export const account = $state<Account>({
  me: null,
  known: false,
  unreachable: false,
  playMoney: true,
  terminalOf: null,
  practiceTable: null,
  newCodes: null,
  newCodesFirst: false,
  ended: null,
});

const KEY = "openfelt.signed-in";
/** Counts requests, so that a late answer does not overwrite a newer one. */
let asked = 0;
/** Whether a sign-in is under way; answers about the previous session are then ignored. */
let entering = false;

function remembered(): Ended | null {
  if (account.me) return account.me.guest ? "guest" : "account";
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "guest" || kept === "account" ? kept : null;
  } catch {
    return null;
  }
}

function remember(who: Ended | null): void {
  try {
    if (who) localStorage.setItem(KEY, who);
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage it is remembered as long as the page is open.
  }
}

// Another page of this browser has signed in or out, so ask again.
addEventListener("storage", (event) => {
  if (event.key === KEY) void loadMe();
});

function take(me: Me | SignedOut): void {
  account.playMoney = me.play_money;
  account.terminalOf = me.terminal_of ?? null;
  account.practiceTable = me.practice_table ?? null;
  account.unreachable = false;
  if (me.name === null) {
    account.ended = remembered() ?? account.ended;
    account.me = null;
    remember(null);
    return;
  }
  account.me = me;
  account.ended = null;
  remember(me.guest ? "guest" : "account");
  beginSession(me.player);
}

/** Ask the server who is signed in. A lost connection does not sign the player out. */
export async function loadMe(): Promise<void> {
  const own = (asked += 1);
  try {
    const me = await api.me();
    if (own === asked && !entering) take(me);
  } catch {
    if (own === asked && !entering) account.unreachable = true;
  }
  account.known = true;
}

/** Sign in by the given request: as a guest, with a new account, or with name and password. */
export async function enter(ask: () => Promise<Me>): Promise<void> {
  entering = true;
  try {
    const me = await ask();
    asked += 1;
    take(me);
  } finally {
    entering = false;
  }
}

export async function signOut(): Promise<void> {
  await api.signOut();
  asked += 1;
  account.me = null;
  account.ended = null;
  account.newCodes = null;
  account.newCodesFirst = false;
  remember(null);
}
