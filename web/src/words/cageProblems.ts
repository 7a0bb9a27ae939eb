// Why cash or chips did not move, in words.

import { isUndecided } from "../protocol/presses";
import { maybe, t } from "./i18n.svelte";
import { errorWords } from "./vocabulary";

/** Why a press failed; one whose answer is open is to be repeated. */
export function problemWords(error: unknown): string {
  if (isUndecided(error)) return t("cage.unanswered");
  return maybe(`cage.refused.${(error as { code?: string }).code ?? ""}`) ?? errorWords(error);
}
