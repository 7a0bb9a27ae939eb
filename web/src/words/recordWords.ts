// The words of the record: events, actors and times as they are read.

import { maybe, t } from "./i18n.svelte";

/** What an event is called; one that has no words yet is called by its name in the record. */
export function eventWords(name: string): string {
  return maybe(`audit.event.${name}`) ?? name.replaceAll("_", " ");
}

/** Who has acted: `Supervisor sue`. */
export function actorWords(actor: string): string {
  const [role = "", ...rest] = actor.split(":");
  const words = maybe(`audit.actor.${role}`);
  return words ? `${words} ${rest.join(":")}`.trim() : actor || t("audit.actor.unknown");
}

/** A moment to the second: `2026-01-01 12:30:05`, UTC. */
export function secondWords(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace("T", " ");
}
