// The open page, from the part of the address after `#`.

export type Route =
  | { page: "lobby" }
  | { page: "table"; table: string; history: boolean }
  | { page: "deal"; table: string }
  | { page: "practice"; table: string }
  | { page: "cage" }
  | { page: "verify" };

/** The page that an address names. */
export function read(hash: string): Route {
  const [page, rest, then] = hash.replace(/^#\/?/, "").split("/", 3);
  if (page === "table" && rest) {
    return { page: "table", table: decodeURIComponent(rest), history: then === "history" };
  }
  if (page === "deal" && rest) return { page: "deal", table: decodeURIComponent(rest) };
  if (page === "practice" && rest) return { page: "practice", table: decodeURIComponent(rest) };
  if (page === "cage") return { page: "cage" };
  if (page === "verify") return { page: "verify" };
  return { page: "lobby" };
}

export const router = $state<{ route: Route }>({ route: read(location.hash) });

addEventListener("hashchange", () => {
  router.route = read(location.hash);
});

export const to = {
  lobby: () => "#/",
  verify: () => "#/verify",
  cage: () => "#/cage",
  table: (table: string) => `#/table/${encodeURIComponent(table)}`,
  deal: (table: string) => `#/deal/${encodeURIComponent(table)}`,
  history: (table: string) => `#/table/${encodeURIComponent(table)}/history`,
};

/** The address at which a visitor deals practice rounds. This machine has two names, and a browser
 * keeps their sessions apart: so one window deals, and another one plays. */
export function practiceAddress(table: string, here: { protocol: string; hostname: string; port: string }): string {
  const name = here.hostname === "localhost" ? "127.0.0.1" : "localhost";
  const port = here.port ? `:${here.port}` : "";
  return `${here.protocol}//${name}${port}/#/practice/${encodeURIComponent(table)}`;
}

/** Whether the page is a private table, which the server names with this prefix. */
export function isPrivate(route: Route): boolean {
  return route.page === "table" && route.table.startsWith("private.");
}

export function go(address: string): void {
  location.hash = address;
}

let landed = false;

/** Focus the main element of a new page. On the first page the browser decides. */
export function landing(main: HTMLElement): void {
  if (landed) main.focus({ preventScroll: true });
  landed = true;
}
