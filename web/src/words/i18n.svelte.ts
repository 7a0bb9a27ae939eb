// Texts in the player's language, from en.json and es.json.

import { settings, type Language } from "../app/settings.svelte";
import en from "./en.json";
import es from "./es.json";

export type MessageKey = keyof typeof en;

const FILES: Record<Language, Record<string, string>> = { en, es };

type Values = Record<string, string | number>;

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text by its key. If there is a `key.one`, it is used for a count of 1. */
export function t(key: MessageKey, values: Values = {}): string {
  const file = FILES[settings.language];
  const singular = values["count"] === 1 ? file[`${key}.one`] : undefined;
  return fill(singular ?? file[key] ?? en[key] ?? key, values);
}

/** A text whose key is computed at run time; null if there is none. */
export function maybe(key: string, values: Values = {}): string | null {
  const text = FILES[settings.language][key];
  return text === undefined ? null : fill(text, values);
}
