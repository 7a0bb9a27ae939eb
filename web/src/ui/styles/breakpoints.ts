// The sizes at which the layout changes. Styles are written for a terminal of 1920 by 1080 and are
// overridden for smaller screens, always by one of these media queries. A media query cannot read a
// custom property, so the sizes are written out; styles.test.ts checks them.

/** A phone, upright or on its side. */
export const PHONE = "(width <= 600px), (height <= 480px)";

/** A screen with the side bar. */
export const WIDE = "(width > 1200px) and (height > 480px)";

/** Every media query of the styles, and what it is for. */
export const QUERIES: Readonly<Record<string, string>> = {
  [PHONE]: "a phone, upright or on its side",
  "(width <= 600px)": "an upright phone: fewer columns, which a phone on its side has room for",
  "(width > 600px) and (height <= 480px)": "a phone on its side",
  "(width <= 820px)": "a narrow page: one column, dialogs fill the screen",
  "(width <= 1200px)": "a tablet: no side bar, one column in the lobby",
  "(width <= 1200px) and (height > 880px)": "a tablet held upright; the rules of a phone come after it",
  "(width <= 1500px)": "a laptop: shorter buttons",
  "(height <= 880px)": "a low screen: less space between the rows",

  // For rules that a smaller screen would otherwise have to undo.
  "(width > 600px) and (height > 480px)": "no phone",
  "(width > 600px) and (height > 480px) and (height <= 880px)": "a low screen that is no phone",
  "(width > 820px)": "no narrow page",
  [WIDE]: "a screen with the side bar",
  "(width > 1200px) and (height > 880px)": "a large screen: neither a tablet nor low",
  "(width > 1500px) and (height > 880px)": "a terminal: larger than a laptop",

  "(pointer: coarse)": "a finger instead of a mouse, on a screen of any size",
  "(prefers-reduced-motion: reduce)": "nothing moves",
  print: "a slip of paper",
};
