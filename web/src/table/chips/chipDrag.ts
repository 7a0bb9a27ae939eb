// Dragging a chip from the tray to a circle, with mouse, finger or pen.

import type { Attachment } from "svelte/attachments";

interface ChipDrag {
  cents: () => number;
  enabled: () => boolean;
  onDrop: (spot: string, kind: string, cents: number) => void;
}

/** How far a press may move and still count as a tap. */
const SLACK_PX = 8;

function circleAt(x: number, y: number): HTMLElement | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-circle]") ?? null;
}

/** Makes a chip draggable; the circle below it gets `data-over`. */
export function draggableChip(options: ChipDrag): Attachment<HTMLElement> {
  return (chip) => {
    let ghost: HTMLElement | null = null;
    let start: { x: number; y: number } | null = null;
    let over: HTMLElement | null = null;

    function mark(circle: HTMLElement | null): void {
      if (circle === over) return;
      over?.removeAttribute("data-over");
      circle?.setAttribute("data-over", "");
      over = circle;
    }

    function lift(): HTMLElement {
      const copy = chip.cloneNode(true) as HTMLElement;
      const size = chip.getBoundingClientRect();
      copy.removeAttribute("id");
      Object.assign(copy.style, {
        position: "fixed",
        left: "0",
        top: "0",
        width: `${size.width}px`,
        height: `${size.height}px`,
        pointerEvents: "none",
        zIndex: "100",
        margin: "0",
      });
      document.body.append(copy);
      return copy;
    }

    function move(event: PointerEvent): void {
      if (!start) return;
      const far = Math.hypot(event.clientX - start.x, event.clientY - start.y);
      if (!ghost && far > SLACK_PX) ghost = lift();
      if (!ghost) return;
      const { offsetWidth: width, offsetHeight: height } = ghost;
      const x = event.clientX - width / 2;
      const y = event.clientY - height / 2;
      ghost.style.transform = `translate(${x}px, ${y}px)`;
      mark(circleAt(event.clientX, event.clientY));
    }

    function end(event: PointerEvent): void {
      const circle = ghost && event.type === "pointerup" ? over : null;
      mark(null);
      ghost?.remove();
      ghost = start = null;
      const { spot, circle: kind } = circle?.dataset ?? {};
      if (spot && kind) options.onDrop(spot, kind, options.cents());
    }

    function press(event: PointerEvent): void {
      if (!options.enabled() || event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY };
      chip.setPointerCapture(event.pointerId);
    }

    chip.addEventListener("pointerdown", press);
    chip.addEventListener("pointermove", move);
    chip.addEventListener("pointerup", end);
    chip.addEventListener("pointercancel", end);
    return () => {
      ghost?.remove();
      chip.removeEventListener("pointerdown", press);
      chip.removeEventListener("pointermove", move);
      chip.removeEventListener("pointerup", end);
      chip.removeEventListener("pointercancel", end);
    };
  };
}
