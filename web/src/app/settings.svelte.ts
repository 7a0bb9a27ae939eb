// The player's settings, kept in this browser.

export type Language = "en" | "es";

interface Settings {
  animations: boolean;
  fourColours: boolean;
  shortcuts: boolean;
  /** Whether the coach speaks, where it may: at the player's own tables and in replays. */
  coach: boolean;
  sound: boolean;
  /** How loud sounds are, from 0 to 100. */
  volume: number;
  language: Language;
  /** Minutes between reminders of time played and result; 0 for none. */
  reminderMinutes: number;
}

const KEY = "openfelt.settings";

function browserLanguage(): Language {
  const wanted = typeof navigator === "undefined" ? "en" : navigator.language;
  return wanted.toLowerCase().startsWith("es") ? "es" : "en";
}

function stored(): Settings {
  const usual: Settings = {
    animations: true,
    fourColours: false,
    shortcuts: true,
    coach: false,
    sound: true,
    volume: 60,
    language: browserLanguage(),
    reminderMinutes: 0,
  };
  try {
    return { ...usual, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return usual;
  }
}

export const settings = $state<Settings>(stored());

export function keepSettings(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage the settings last as long as the page.
  }
}

const still =
  typeof matchMedia === "undefined" ? null : matchMedia("(prefers-reduced-motion: reduce)");

/** Whether the operating system asks for less motion, whatever the player's settings. */
export const motion = $state({ reduced: still?.matches ?? false });

still?.addEventListener("change", () => {
  motion.reduced = still.matches;
});

/** Whether animations are on in both the player's settings and the operating system's. */
export function mayMove(): boolean {
  return settings.animations && !motion.reduced;
}
