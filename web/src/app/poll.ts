// A page that stays current: what it shows is asked for when it opens, and again and again after.

/** Call `load` now and every `everyMs`. Returns what stops it: `onMount(() => poll(load, REFRESH_MS))`. */
export function poll(load: () => unknown, everyMs: number): () => void {
  load();
  const timer = setInterval(load, everyMs);
  return () => clearInterval(timer);
}
