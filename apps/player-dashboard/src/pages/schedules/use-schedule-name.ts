import type { ScheduleBody } from "@player/service/contract/schedules";
import { useLanguage } from "../../app/app.ts";
import { targetWords } from "../../app/targets/target-words.ts";
import { useTargetLists } from "../../app/targets/use-target-lists.ts";

/** The schedule's name, or a description of what it does. */
export function useScheduleName(): (schedule: Pick<ScheduleBody, "name" | "target">) => string {
  const lists = useTargetLists();
  const language = useLanguage();
  return ({ name, target }) => name || targetWords(target, lists, language);
}
