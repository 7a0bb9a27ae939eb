// The roles of accounts that a supervisor gives.

import { maybe } from "../../words/i18n.svelte";

const ROLES = ["player", "dealer", "cashier", "supervisor", "auditor"];

export function roleWords(role: string): string {
  return maybe(`role.${role}`) ?? role;
}

export function roleOptions(): { value: string; words: string }[] {
  return ROLES.map((value) => ({ value, words: roleWords(value) }));
}
