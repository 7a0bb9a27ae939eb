// The sizes at which the layout changes. Styles are written for a terminal of 1920 by 1080 and are
// overridden for smaller screens, always at one of these sizes and in this form:
//
//   @media (width <= 600px), (height <= 480px)    a phone, upright or on its side
//   @media (width > 600px) and (height <= 480px)  a phone on its side
//   @media (width <= 820px)                       a narrow page: one column, dialogs fill the screen
//   @media (width <= 1200px)                      a tablet: no side bar, one column in the lobby
//   @media (width <= 1200px) and (height > 880px) a tablet held upright (and not a phone)
//   @media (width <= 1500px)                      a laptop: shorter buttons
//   @media (height <= 880px)                      a low screen: less space between the rows
//   @media (pointer: coarse)                      a finger instead of a mouse, on a screen of any size
//
// `(width > 600px) and (height > 480px)` is for rules that a phone would otherwise have to undo. A
// media query cannot read a custom property, so the sizes are written out; styles.test.ts checks
// them.

export const WIDTHS_PX = { phone: 600, narrow: 820, tablet: 1200, laptop: 1500 } as const;
export const HEIGHTS_PX = { phone: 480, low: 880 } as const;

/** A phone, upright or on its side, as the styles ask for it. */
export const PHONE = `(width <= ${WIDTHS_PX.phone}px), (height <= ${HEIGHTS_PX.phone}px)`;

/** A screen with the side bar. */
export const WIDE = `(width > ${WIDTHS_PX.tablet}px) and (height > ${HEIGHTS_PX.phone}px)`;
