// A press that is held: it explains a circle instead of placing a chip.

const HOLD_MS = 500;
/** A finger that moves further scrolls. */
const MOVED_PX = 10;

/** Call `held` when a press on an element is held, and keep the click after it from counting. */
export function longPress(held: () => void): (element: HTMLElement) => () => void {
  return (element) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let done = false;
    let start = { x: 0, y: 0 };

    function down(event: PointerEvent): void {
      done = false;
      start = { x: event.clientX, y: event.clientY };
      clearTimeout(timer);
      timer = setTimeout(act, HOLD_MS);
    }
    function move(event: PointerEvent): void {
      if (Math.hypot(event.clientX - start.x, event.clientY - start.y) > MOVED_PX) clearTimeout(timer);
    }
    function end(): void {
      clearTimeout(timer);
    }
    function act(): void {
      clearTimeout(timer);
      done = true;
      held();
    }
    function menu(event: Event): void {
      event.preventDefault();
      if (!done) act();
    }
    function click(event: Event): void {
      if (!done) return;
      done = false;
      event.stopImmediatePropagation();
      event.preventDefault();
    }

    const listeners = {
      pointerdown: down, pointermove: move, pointerup: end, pointercancel: end, pointerleave: end,
      contextmenu: menu,
    } as Record<string, (event: never) => void>;
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener);
    }
    element.addEventListener("click", click, { capture: true });
    return () => {
      clearTimeout(timer);
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
      element.removeEventListener("click", click, { capture: true });
    };
  };
}
