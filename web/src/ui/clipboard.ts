// Copying text, even on pages without a secure origin, which lack the clipboard API.

/** Copy a text; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOldWay(text);
  }
}

function copyOldWay(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  // While a dialog is open, nothing outside it can be selected.
  const room = document.querySelector("dialog[open]") ?? document.body;
  const before = document.activeElement;
  room.append(area);
  area.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    // The browser does not let pages copy; the player can still select the text.
  }
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
