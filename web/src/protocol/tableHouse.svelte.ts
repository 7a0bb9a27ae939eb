// The house of a table: its limits and paytables, loaded again when its rules change.

import { api } from "./api";
import type { HouseView } from "./forms";
import type { TableLink } from "./tableLink.svelte";

export class TableHouse {
  /** The house as last loaded; null before the first answer. */
  view = $state.raw<HouseView | null>(null);

  /**
   * To be created in a component: it loads as long as the component is mounted. `failed` is called
   * when the house cannot be loaded, and when the session at the table has ended.
   */
  constructor(link: Pick<TableLink, "public" | "status">, failed: () => unknown) {
    const wanted = $derived(link.public ? `${link.public.house} ${link.public.fingerprint}` : null);
    $effect(() => {
      if (!wanted) return;
      const [name = "", fingerprint = ""] = wanted.split(" ");
      return this.load(name, fingerprint, failed);
    });
    $effect(() => {
      if (link.status === "ended" || link.status === "refused") failed();
    });
  }

  /** Load the house with these rules; returns what makes the answer unwanted. */
  load(name: string, fingerprint: string, failed: () => unknown): () => void {
    // The answer for rules that have changed since is not used.
    let current = true;
    void api.house(name, fingerprint).then(
      (house) => {
        if (current) this.view = house;
      },
      () => {
        if (current) failed();
      },
    );
    return () => {
      current = false;
    };
  }
}
