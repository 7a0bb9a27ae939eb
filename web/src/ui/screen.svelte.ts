// Whether the page is on a small screen: a phone, upright or on its side.

import { PHONE } from "./styles/breakpoints";

const phone = matchMedia(PHONE);

export const screenSize = $state({ phone: phone.matches });

phone.addEventListener("change", () => {
  screenSize.phone = phone.matches;
});
