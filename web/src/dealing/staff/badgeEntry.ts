// What has been entered of a badge number, a PIN and a new PIN, and what is asked for next.

import type { PinForm } from "../../protocol/forms";

export const BADGE_DIGITS = 12;
export const PIN_DIGITS = 8;

/** `new` and `again` where a PIN that a supervisor has set is changed. */
export type Stage = "badge" | "pin" | "new" | "again";

/** A value: every entry gives another one. */
export class BadgeEntry {
  constructor(
    readonly stage: Stage = "badge",
    private readonly badge = "",
    private readonly pin = "",
    private readonly newPin = "",
    /** What can be sent now; null while something is still to be entered. */
    readonly form: PinForm | null = null,
  ) {}

  /** The entry with what was typed, or `differs` where the new PIN was not repeated. */
  with(typed: string): BadgeEntry | "differs" {
    const { badge, pin, newPin } = this;
    switch (this.stage) {
      case "badge":
        return new BadgeEntry("pin", typed);
      case "pin":
        return new BadgeEntry("pin", badge, typed, "", { badge, pin: typed });
      case "new":
        return new BadgeEntry("again", badge, pin, typed);
      case "again":
        if (typed !== newPin) return "differs";
        return new BadgeEntry("again", badge, pin, newPin, { badge, pin, new_pin: newPin });
    }
  }

  /** Ask for the new PIN once more. */
  again(): BadgeEntry {
    return new BadgeEntry("new", this.badge, this.pin);
  }

  /** What is asked for after a refusal: a new PIN, the same PIN once more, or all of it. */
  after(code: string): BadgeEntry {
    if (code === "pin_step" || (code === "weak_pin" && this.newPin)) return this.again();
    return new BadgeEntry();
  }
}
