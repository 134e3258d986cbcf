import { assembly, dependencyCount, namedDependencies, serviceFiles, storeFiles } from "./assembly-rules.ts";
import { FEATURE_RULES } from "./feature-rules.ts";
import { groupDirection } from "./group-rules.ts";
import { importCycles } from "./import-cycles.ts";
import { PACKAGE_RULES } from "./package-rules.ts";
import { pageDirection } from "./page-rules.ts";
import type { Rule } from "./rule.ts";
import { storeScopes } from "./site-rules.ts";
import { TIDINESS_RULES } from "./tidiness-rules.ts";
import { WORLD_RULES } from "./world-rules.ts";

export const RULES: readonly Rule[] = [
  ...FEATURE_RULES,
  ...PACKAGE_RULES,
  ...WORLD_RULES,
  ...TIDINESS_RULES,
  groupDirection,
  importCycles,
  serviceFiles,
  storeFiles,
  storeScopes,
  assembly,
  namedDependencies,
  dependencyCount,
  pageDirection,
];
