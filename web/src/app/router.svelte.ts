// The open page, from the part of the address after `#`.

/** The parts of the floor's page. */
type FloorPart = "tables" | "people" | "disputes" | "jackpots" | "fairness" | "alerts" | "shift" | "what-if" | "transfers";

/** The parts of the auditor's page. */
export type AuditPart = "events" | "rounds" | "checks" | "exports";

/** A money figure of a page, by which its transfers are found. */
export interface FigureOf {
  subject: "table" | "tables" | "takings" | "link" | "drawer" | "dealer" | "vouchers";
  figure: string;
  /** The table, link, drawer or dealer. */
  name?: string;
  wager?: string;
  /** What the figure covers; what its page covers unless it is said. */
  span?: "now" | "day" | "shift" | "month" | "year" | "recent" | "whole";
  /** The opening count of a tray's shift, or when the shift of a dealer began. */
  number?: number;
}

type Route =
  | { page: "lobby" }
  | { page: "table"; table: string; history: boolean }
  | { page: "deal"; table: string }
  | { page: "practice"; table: string }
  | { page: "cage"; figure?: FigureOf }
  | { page: "floor"; view: FloorPart; table: string | null; dispute: number | null; figure?: FigureOf }
  | { page: "audit"; view: AuditPart; round?: string }
  | { page: "verify" };

/** The page that an address names. */
export function read(hash: string): Route {
  const [page, rest, then] = hash.replace(/^#\/?/, "").split("/", 3);
  if (page === "table" && rest) {
    return { page: "table", table: decodeURIComponent(rest), history: then === "history" };
  }
  if (page === "deal" && rest) return { page: "deal", table: decodeURIComponent(rest) };
  if (page === "practice" && rest) return { page: "practice", table: decodeURIComponent(rest) };
  if (page === "cage") return rest === "transfers" && then ? { page: "cage", figure: readFigure(then) } : { page: "cage" };
  if (page === "verify") return { page: "verify" };
  if (page === "floor") return floorRoute(rest, then);
  if (page === "audit") {
    const view = rest === "rounds" || rest === "checks" || rest === "exports" ? rest : "events";
    return view === "rounds" && then ? { page: "audit", view, round: decodeURIComponent(then) } : { page: "audit", view };
  }
  return { page: "lobby" };
}

const PARTS: readonly FloorPart[] = ["people", "disputes", "jackpots", "fairness", "alerts", "shift", "what-if"];

function floorRoute(part: string | undefined, name: string | undefined): Route {
  const table = part === "table" && name ? decodeURIComponent(name) : null;
  const dispute = part === "disputes" && /^[1-9]\d*$/.test(name ?? "") ? Number(name) : null;
  const view = PARTS.find((candidate) => candidate === part) ?? "tables";
  if (part === "transfers" && name) return { page: "floor", view: "transfers", table, dispute, figure: readFigure(name) };
  return { page: "floor", view, table, dispute };
}

/** The figure that an address names; the server refuses one that does not exist. */
function readFigure(text: string): FigureOf {
  const { number, ...rest } = Object.fromEntries(new URLSearchParams(text));
  const figure = rest as unknown as FigureOf;
  return number === undefined ? figure : { ...figure, number: Number(number) };
}

/** A figure as a part of an address. */
export function figureQuery(figure: FigureOf): string {
  const given = Object.entries(figure).filter(([, value]) => value !== undefined && value !== "");
  return String(new URLSearchParams(given.map(([name, value]) => [name, String(value)])));
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
  transfers: (figure: FigureOf) => `#/floor/transfers/${figureQuery(figure)}`,
  ownTransfers: (figure: FigureOf) => `#/cage/transfers/${figureQuery(figure)}`,
  recall: (round: string) => `#/audit/rounds/${encodeURIComponent(round)}`,
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

/** Where a person begins after signing in: staff at their workplace, all others in the lobby. */
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
