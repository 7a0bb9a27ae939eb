// Copying a text, also where the page is served without encryption and the browser offers less.

/** Whether the text is in the clipboard now. */
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
  // Inside an open dialog nothing outside it can be selected.
  const room = document.querySelector("dialog[open]") ?? document.body;
  const before = document.activeElement;
  room.append(area);
  area.select();
  let copied = false;
  try {
    copied = document.execCommand("copy");
  } catch {
    // The browser does not let pages copy; the text can still be selected by hand.
  }
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
