// Who is signed in.

import { api, ApiError, type Me } from "./api";

export const account = $state<{ me: Me | null; known: boolean; unreachable: boolean }>({
  me: null,
  known: false,
  unreachable: false,
});

export async function loadMe(): Promise<void> {
  try {
    account.me = await api.me();
    account.unreachable = false;
  } catch (error) {
    // Only the server's own word signs somebody out; a line that is down does not.
    const signedOut = error instanceof ApiError && error.status === 401;
    if (signedOut) account.me = null;
    account.unreachable = !signedOut;
  }
  account.known = true;
}

export async function signOut(): Promise<void> {
  await api.signOut();
  account.me = null;
}
