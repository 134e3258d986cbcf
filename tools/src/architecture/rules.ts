import { FEATURE_RULES } from "./feature-rules.ts";
import { groupDirection } from "./group-rules.ts";
import { PACKAGE_RULES } from "./package-rules.ts";
import type { Rule } from "./rule.ts";
import { TIDINESS_RULES } from "./tidiness-rules.ts";
import { WORLD_RULES } from "./world-rules.ts";

export const RULES: readonly Rule[] = [
  ...FEATURE_RULES,
  ...PACKAGE_RULES,
  ...WORLD_RULES,
  ...TIDINESS_RULES,
  groupDirection,
];
