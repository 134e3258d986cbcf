import type { Base } from "../../foundation/base.ts";
import { createVerdicts as createVerdictsOfRules } from "./feedback.service.ts";

/** Turns the verdict of an analyst on an alert into feedback on the rule that raised it. */
export function createVerdicts({ audit, clock, ids }: Base) {
  return createVerdictsOfRules({ audit, clock, ids });
}
