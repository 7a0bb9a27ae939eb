// The open page, from the part of the address after `#`.

/** The parts of the floor's page. */
export type FloorPart = "tables" | "people" | "disputes" | "jackpots" | "fairness" | "alerts" | "shift" | "what-if";

/** The parts of the auditor's page. */
export type AuditPart = "events" | "rounds" | "checks" | "exports";

export type Route =
  | { page: "lobby" }
  | { page: "table"; table: string; history: boolean }
  | { page: "deal"; table: string }
  | { page: "practice"; table: string }
  | { page: "cage" }
  | { page: "floor"; view: FloorPart; table: string | null; dispute: number | null }
  | { page: "audit"; view: AuditPart }
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
  if (page === "floor") return floorRoute(rest, then);
  if (page === "audit") {
    const view = rest === "rounds" || rest === "checks" || rest === "exports" ? rest : "events";
    return { page: "audit", view };
  }
  return { page: "lobby" };
}

const PARTS: readonly FloorPart[] = ["people", "disputes", "jackpots", "fairness", "alerts", "shift", "what-if"];

function floorRoute(part: string | undefined, name: string | undefined): Route {
  const table = part === "table" && name ? decodeURIComponent(name) : null;
  const dispute = part === "disputes" && /^[1-9]\d*$/.test(name ?? "") ? Number(name) : null;
  const view = PARTS.find((one) => one === part) ?? "tables";
  return { page: "floor", view, table, dispute };
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
  floor: () => "#/floor",
  floorTable: (table: string) => `#/floor/table/${encodeURIComponent(table)}`,
  floorShift: () => "#/floor/shift",
  people: () => "#/floor/people",
  audit: (part: AuditPart = "events") => (part === "events" ? "#/audit" : `#/audit/${part}`),
  disputes: () => "#/floor/disputes",
  jackpots: () => "#/floor/jackpots",
  fairness: () => "#/floor/fairness",
  alerts: () => "#/floor/alerts",
  whatIf: () => "#/floor/what-if",
  dispute: (number: number) => `#/floor/disputes/${number}`,
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

/** Where a person begins after signing in: staff at their workplace, and everybody else in the lobby. */
export function home(pages: readonly string[]): string {
  if (pages.includes("floor")) return to.floor();
  return pages.includes("cage") ? to.cage() : to.lobby();
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
