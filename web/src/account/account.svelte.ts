// Who is signed in, and whether that has ended without the player's doing.

import { beginSession } from "../app/playSession.svelte";
import { api } from "../protocol/api";
import type { Me, Nobody } from "../protocol/forms";

/** What somebody was who is signed out now. */
export type Ended = "guest" | "account";

interface Account {
  me: Me | null;
  /** False until the server has said who it is. */
  known: boolean;
  unreachable: boolean;
  /** Whether the house has play money, and so guests. */
  playMoney: boolean;
  /** Set where a session has ended that nobody ended in this window. */
  ended: Ended | null;
}

export const account = $state<Account>({
  me: null,
  known: false,
  unreachable: false,
  playMoney: true,
  ended: null,
});

const KEY = "openfelt.signed-in";
/** Counts what has been asked, so that a late answer does not undo a newer one. */
let asked = 0;
/** Whether somebody is on the way in: who it was until now is not of interest any more. */
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
    // It is known as long as the page is open then.
  }
}

// Another page of this browser has let somebody in or out, so this one asks too.
addEventListener("storage", (event) => {
  if (event.key === KEY) void loadMe();
});

function take(found: Me | Nobody): void {
  account.playMoney = found.play_money;
  account.unreachable = false;
  if (found.name === null) {
    account.ended = remembered() ?? account.ended;
    account.me = null;
    remember(null);
    return;
  }
  account.me = found;
  account.ended = null;
  remember(found.guest ? "guest" : "account");
  beginSession(found.player);
}

/** Ask the server who is signed in. A line that is down signs nobody out. */
export async function loadMe(): Promise<void> {
  const own = (asked += 1);
  try {
    const found = await api.me();
    if (own === asked && !entering) take(found);
  } catch {
    if (own === asked && !entering) account.unreachable = true;
  }
  account.known = true;
}

/** Come in by whatever is asked: as a guest, by a new account, by name and password. */
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
  remember(null);
}
