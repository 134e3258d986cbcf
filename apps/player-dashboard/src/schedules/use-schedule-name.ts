import type { ScheduleBody } from "@player/service/contract/schedules";
import { useLanguage } from "../shell/app.ts";
import { targetWords } from "../targets/target-words.ts";
import { useTargetLists } from "../targets/use-target-lists.ts";

/** What its owner calls it, or else what it does. */
export function useScheduleName(): (schedule: Pick<ScheduleBody, "name" | "target">) => string {
  const lists = useTargetLists();
  const language = useLanguage();
  return ({ name, target }) => name || targetWords(target, lists, language);
}
