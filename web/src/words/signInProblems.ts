// Why a sign-in was refused, in words, and which field it is about.

import { ApiError } from "../protocol/api";
import { t } from "./i18n.svelte";
import { refusalWords } from "./vocabulary";

export type FieldName = "name" | "password" | "code";

const FIELDS: Record<string, FieldName> = {
  wrong_password: "password",
  bad_password: "password",
  easy_password: "password",
  wrong_code: "code",
  code_needed: "code",
  name_taken: "name",
  bad_name: "name",
};

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Waits longer than this are given in hours. */
const MINUTES_MAX = 90;

/** A waiting time in words, rounded up: "42 seconds", "2 minutes", "24 hours". */
function durationWords(seconds: number): string {
  if (seconds < MINUTE) return t("time.seconds", { count: Math.max(1, Math.ceil(seconds)) });
  const minutes = Math.ceil(seconds / MINUTE);
  if (minutes <= MINUTES_MAX) return t("time.minutes", { count: minutes });
  return t("time.hours", { count: Math.ceil(seconds / HOUR) });
}

/** The sentence for a failed sign-in, and the field that it is about, if any. */
export function problemOf(error: unknown): [string, FieldName | null] {
  if (error instanceof DOMException) {
    // The browser and the device have their own words; a page is told only that it did not work.
    const exists = error.name === "InvalidStateError";
    return [t(exists ? "refused.passkey_exists" : "passkey.cancelled"), null];
  }
  if (!(error instanceof ApiError) || error.status === 0) return [t("welcome.unreachable"), null];
  if (error.waitSeconds !== null) {
    const time = durationWords(error.waitSeconds);
    return [t(error.code === "slow_down" ? "welcome.slow_down" : "welcome.too_often", { time }), null];
  }
  return [refusalWords(error.code, error.message), FIELDS[error.code] ?? null];
}
