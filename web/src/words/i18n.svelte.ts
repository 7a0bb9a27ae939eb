// Every text of the pages, in the player's language, from the message files.

import { settings, type Language } from "../app/settings.svelte";
import en from "./en.json";
import es from "./es.json";

export type MessageKey = keyof typeof en;

const FILES: Record<Language, Record<string, string>> = { en, es };

export type Values = Record<string, string | number>;

export function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** A text by its key. Where there is a `key.one`, it is used for the count 1. */
export function t(key: MessageKey, values: Values = {}): string {
  const file = FILES[settings.language];
  const one = values["count"] === 1 ? file[`${key}.one`] : undefined;
  return fill(one ?? file[key] ?? en[key] ?? key, values);
}

/** A text whose key is only known at run time; null where there is none. */
export function maybe(key: string, values: Values = {}): string | null {
  const text = FILES[settings.language][key];
  return text === undefined ? null : fill(text, values);
}
