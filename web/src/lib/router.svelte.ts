// Which page is open, by the address after the `#`.

export type Route = { page: "lobby" } | { page: "table"; table: string } | { page: "verify" };

function read(hash: string): Route {
  const [page, rest] = hash.replace(/^#\/?/, "").split("/", 2);
  if (page === "table" && rest) return { page: "table", table: decodeURIComponent(rest) };
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
  table: (table: string) => `#/table/${encodeURIComponent(table)}`,
};

export function go(address: string): void {
  location.hash = address;
}
