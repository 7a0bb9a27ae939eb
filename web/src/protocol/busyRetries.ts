// Requests that are repeated while the server is busy.

import { ApiError } from "./api";

const ATTEMPTS_MAX = 8;

/** Ask again while the server is busy, later each time and never at the same time as others. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const busy = error instanceof ApiError && [429, 503].includes(error.status);
      if (!busy || attempt === ATTEMPTS_MAX) throw error;
      await pause((error.waitSeconds ?? 1) * 1000 * (1 + Math.random()) * attempt);
    }
  }
}

/** Wait for a time. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
