import type { Automation } from "../response/automations/automation.ts";
import type { SoarRule } from "../response/automations/soar-rules.schema.ts";
import { SEED } from "./seed.ts";
import { minutesBefore, toStoryId } from "./story.ts";

export const SOAR_RULES: readonly SoarRule[] = SEED.soar_rules.map((rule, index) => ({
  ...rule,
  id: toStoryId("soar_rule", index + 1),
}));

export function buildShowcaseAutomations(now: Date): Automation[] {
  return SEED.automations.map(({ by, minutesAgo, firedMinutesAgo, ...fact }, index) => {
    const created_at = minutesBefore(now, minutesAgo);
    return {
      ...fact,
      id: toStoryId("automation", index + 1),
      parameters: {},
      last_fired_at: firedMinutesAgo === null ? null : minutesBefore(now, firedMinutesAgo),
      created_by: by,
      created_at,
      updated_at: created_at,
    };
  });
}
