// How large the page is: a phone, upright or on its side; and wide enough for the side bar.

import { PHONE, WIDE } from "./styles/breakpoints";

const phone = matchMedia(PHONE);
const wide = matchMedia(WIDE);

export const screenSize = $state({ phone: phone.matches, wide: wide.matches });

phone.addEventListener("change", () => {
  screenSize.phone = phone.matches;
});
wide.addEventListener("change", () => {
  screenSize.wide = wide.matches;
});
