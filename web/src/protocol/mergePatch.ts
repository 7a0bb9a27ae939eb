// JSON merge patch (RFC 7396), which brings a view up to date.

type Plain = Record<string, unknown>;

function isObject(value: unknown): value is Plain {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value after a patch. The old value is not changed. */
export function applyPatch<T>(before: T, patch: unknown): T {
  if (!isObject(patch)) return patch as T;
  const after: Plain = isObject(before) ? { ...before } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete after[key];
    else after[key] = isObject(value) ? applyPatch(after[key], value) : value;
  }
  return after as T;
}
