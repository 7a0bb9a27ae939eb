// Bytes as the fairness proofs write and hash them.

import { sha256 } from "./sha256";

const text = new TextEncoder();

export function bytesOf(hex: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(hex)) throw new Error("not hexadecimal");
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A number as four bytes, big-endian. */
export function fourBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** Parts, each behind its length; a text stands for its bytes in UTF-8. */
export function withLengths(parts: readonly (string | Uint8Array)[]): Uint8Array[] {
  return parts
    .map((part) => (typeof part === "string" ? text.encode(part) : part))
    .flatMap((part) => [fourBytes(part.length), part]);
}

/** The SHA-256 of parts, each behind its length. */
export function hashOf(parts: readonly (string | Uint8Array)[]): string {
  return hexOf(sha256(...withLengths(parts)));
}
