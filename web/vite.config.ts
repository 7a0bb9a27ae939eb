import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The server of the same machine answers what the pages ask while they are being worked on.
const server = "127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/openfelt/server/static",
    emptyOutDir: true,
    target: "es2022",
    // The page's policy allows no inline data, so nothing is folded into the style sheet.
    assetsInlineLimit: 0,
  },
  server: {
    proxy: {
      "/api": { target: `http://${server}` },
      "/ws": { target: `ws://${server}`, ws: true },
    },
  },
  // The tests of the styles read the style sheets.
  test: { include: ["src/**/*.test.ts"], environment: "node", css: true },
});
