// A draft and its figures, which are asked for again with every change.

import { api } from "../../protocol/api";
import type { DraftFiguresView, HouseDraftForm, HouseDraftView } from "../../protocol/forms";
import { errorWords } from "../../words/vocabulary";
import { draftOf, formOf, type HouseDraft } from "./houseDraft";

/** How long a pause in typing ends an entry. */
const PAUSE_MS = 60;
/** How often the progress of a count is asked for. */
const LOOK_MS = 400;

export class DraftDesk {
  view = $state.raw<HouseDraftView | null>(null);
  draft = $state<HouseDraft | null>(null);
  /** The last figures that could be counted; they stay while something typed is not complete. */
  figures = $state.raw<DraftFiguresView | null>(null);
  where = $state("");
  problem = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked: AbortController | null = null;
  #openings = 0;
  #closed = false;

  /** Begin with a house as it is. */
  async open(house: string): Promise<void> {
    this.#stop();
    const opening = ++this.#openings;
    try {
      const view = await api.newDraft(house);
      // Another house may have been chosen while this one was on its way.
      if (opening !== this.#openings) return;
      this.figures = null;
      this.problem = this.where = "";
      this.draft = draftOf(view);
      this.view = view;
    } catch (error) {
      this.problem = errorWords(error);
    }
  }

  /** What is typed wrongly, and the form otherwise. */
  read(): { form: HouseDraftForm | null; wrong: string[] } {
    if (!this.draft || !this.view) return { form: null, wrong: [] };
    return formOf(this.draft, this.view);
  }

  /** Ask for the figures of this form soon. */
  price(form: HouseDraftForm, after = PAUSE_MS): void {
    this.#stop();
    this.#timer = setTimeout(() => void this.#ask(form), after);
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#asked?.abort();
  }

  async #ask(form: HouseDraftForm): Promise<void> {
    const asked = (this.#asked = new AbortController());
    try {
      const figures = await api.draftFigures(form, asked.signal);
      if (asked.signal.aborted) return;
      this.where = figures.problem?.where ?? "";
      this.problem = figures.problem?.sentence ?? "";
      if (!figures.problem) this.figures = figures;
      if (figures.counting && !this.#closed) this.price(form, LOOK_MS);
    } catch (error) {
      if (!asked.signal.aborted) this.problem = errorWords(error);
    }
  }
}
