// Whether the page stands on a narrow screen, such as a phone held upright.

const narrow = matchMedia("(max-width: 820px)");

export const screenSize = $state({ compact: narrow.matches });

narrow.addEventListener("change", () => {
  screenSize.compact = narrow.matches;
});
