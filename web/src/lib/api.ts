// What the pages ask of the server beside the table's socket.

import type { ReplayView } from "./messages";

export interface Me {
  name: string;
  /** The name at the tables; a guest who has opened an account keeps the guest's. */
  player: string;
  role: string;
  guest: boolean;
  wallet_cents: number;
  enrolled: boolean;
  /** Whether the house plays for play money; only such a house has guests. */
  play_money: boolean;
}

/** Somebody who has not signed in. */
export interface Nobody {
  name: null;
  play_money: boolean;
}

export interface TableCard {
  table: string;
  house: string;
  house_name: string;
  game: string;
  dealer_mode: string;
  phase: string;
  seats: number;
  seats_taken: number;
  min_cents: number;
  max_cents: number;
  clock_seconds: number | null;
  link: string | null;
  meter_cents: number | null;
  enrolled_only: boolean;
  private: boolean;
  /** Where the visitor sits, null where not at all. */
  own_seat: number | null;
  /** What the visitor has at that seat. */
  own_credit_cents: number | null;
  /** Whether something of the visitor's is in a round that is not over. */
  own_in_play: boolean;
}

export interface Paytable {
  name: string;
  rows: { label: string; pays: string; envy?: string | null }[];
}

export interface WagerRule {
  kind: string;
  words: string;
  min_cents: number;
  max_cents: number;
  multiple_of_cents: number;
  requires: string[];
  paytable: Paytable | null;
}

export interface HouseSheet {
  id: string;
  name: string;
  document: string;
  game: string;
  seats: number;
  hands_per_seat: number;
  chips_cents: number[];
  notices: string[];
  wagers: WagerRule[];
  dealer_wagers: { min_cents: number; max_cents: number; multiple_of_cents: number } | null;
  play: { before_flop: number[]; on_flop: number[]; on_river: number[] } | null;
  reserve_play: boolean;
  ante_bonus: Paytable | null;
  bank: "house" | "player";
  collection: { ante_up_to_cents: number; player_cents: number; banker_cents: number }[];
  clock: { wager_seconds: number; decision_seconds: number } | null;
  returns: { label: string; of: string; measure: string; value: string; source: string }[];
  player_cards_face_up: boolean;
  deck: string;
}

export interface RoundEntry {
  round: string;
  number: number;
  at_ms: number;
  net_cents: number;
  staked_cents: number;
  void: boolean;
  /** Whether the player banked this round. */
  banked: boolean;
}

export interface Verdict {
  ok: boolean;
  cards_checked: number;
  cards_never_shown: number;
  problem: string | null;
}

/** The server's answer was no; the sentence is for people. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    sentence: string,
    /** After how long it is worth while to ask again, where the server says so. */
    readonly waitSeconds: number | null = null,
  ) {
    super(sentence);
  }
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const init: RequestInit = { method, credentials: "same-origin", headers: {} };
  if (body !== undefined) {
    init.body = typeof body === "string" ? body : JSON.stringify(body);
    init.headers = { "Content-Type": "application/json" };
  }
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new ApiError(0, "unreachable", "");
  }
  const text = await response.text();
  let parsed: unknown = null;
  try {
    parsed = text ? JSON.parse(text) : null;
  } catch {
    // An answer that is not JSON comes from something in between; its status says enough.
  }
  if (response.ok) return parsed as T;
  const problem = (parsed ?? {}) as { code?: string; sentence?: string; detail?: unknown };
  const detail = typeof problem.detail === "string" ? problem.detail : "";
  const wait = response.headers.get("Retry-After");
  throw new ApiError(
    response.status,
    problem.code ?? "",
    problem.sentence ?? detail,
    wait === null ? null : Number(wait),
  );
}

const at = encodeURIComponent;

export const api = {
  me: () => ask<Me | Nobody>("GET", "/api/me"),
  guest: () => ask<Me>("POST", "/api/guest"),
  signUp: (name: string, password: string) => ask<Me>("POST", "/api/sign-up", { name, password }),
  signIn: (name: string, password: string) => ask<Me>("POST", "/api/sign-in", { name, password }),
  signOut: () => ask<null>("POST", "/api/sign-out"),
  setPassword: (password: string, next: string) =>
    ask<Me>("POST", "/api/password", { password, new_password: next }),
  tables: () => ask<TableCard[]>("GET", "/api/tables"),
  privateTable: (house: string) => ask<{ table: string }>("POST", "/api/tables/private", { house }),
  house: (house: string, fingerprint: string) =>
    ask<HouseSheet>("GET", `/api/houses/${at(house)}?fingerprint=${at(fingerprint)}`),
  rounds: (table: string, limit: number, before: number | null = null) =>
    ask<RoundEntry[]>(
      "GET",
      `/api/tables/${at(table)}/rounds?limit=${limit}${before === null ? "" : `&before=${before}`}`,
    ),
  round: (table: string, number: number) =>
    ask<ReplayView>("GET", `/api/tables/${at(table)}/rounds/${number}`),
  proof: (table: string, number: number) =>
    ask<unknown>("GET", `/api/tables/${at(table)}/rounds/${number}/proof`),
  verify: (proof: unknown) => ask<Verdict>("POST", "/api/verify", proof),
  topUp: (id: string) => ask<{ wallet_cents: number }>("POST", "/api/wallet/top-up", { id }),
};
