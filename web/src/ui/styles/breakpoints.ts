// The sizes at which the layout changes. Styles are written for a terminal of 1920 by 1080 and are
// overridden for smaller screens, always at one of these sizes and in this form:
//
//   @media (width <= 820px)    a phone
//   @media (width <= 1200px)   a tablet: no side bar, one column in the lobby
//   @media (width <= 1500px)   a laptop: shorter buttons
//   @media (height <= 880px)   a low screen: less space between the rows
//
// `(width > 820px)` is for rules that a phone would otherwise have to undo. A media query cannot
// read a custom property, so the sizes are written out; styles.test.ts checks them.

export const WIDTHS_PX = { phone: 820, tablet: 1200, laptop: 1500 } as const;
export const HEIGHTS_PX = { low: 880 } as const;
