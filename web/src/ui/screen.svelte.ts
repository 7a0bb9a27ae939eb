// Whether the page is on a narrow screen, such as a phone held upright.

import { WIDTHS_PX } from "./styles/breakpoints";

const phone = matchMedia(`(width <= ${WIDTHS_PX.phone}px)`);

export const screenSize = $state({ phone: phone.matches });

phone.addEventListener("change", () => {
  screenSize.phone = phone.matches;
});
