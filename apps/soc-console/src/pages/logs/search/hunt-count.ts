import { fill, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { searchPhrases } from "./search-phrases.ts";
import type { HuntRun } from "./use-hunt-run.ts";

/** `100 of ≥ 1,000,000 logs · 210 ms`. */
export function useCountWords({ rows, isAtLeast, tookMs }: HuntRun): string {
  const words = usePhrases(searchPhrases);
  const { number } = useNumbers();
  const { duration } = useTime();
  if (rows.total === undefined || tookMs === undefined) return rows.isLoading ? words.searching : "";
  const total = `${isAtLeast ? "≥ " : ""}${number(rows.total)}`;
  return fill(words.shownOf, { shown: number(rows.count), total, time: duration(tookMs) });
}
