import { assembly, compositionSize, dependencyCount, serviceFiles } from "./assembly-rules.ts";
import { folderSize } from "./folder-rules.ts";
import { showcaseData } from "./group-rules.ts";
import { importCycles } from "./import-cycles.ts";
import { pageDirection } from "./page-rules.ts";
import type { Rule } from "./rule.ts";
import { functionNames, limitNames, plainWords, WORDS_ALLOWED } from "./word-rules.ts";

/** Rules that the tree does not keep yet: proved by planted violations, listed by tools/src/structure.ts, not enforced. */
export const RULES_TO_COME: readonly Rule[] = [
  showcaseData,
  folderSize,
  importCycles,
  serviceFiles,
  assembly,
  compositionSize,
  dependencyCount,
  pageDirection,
  plainWords(WORDS_ALLOWED),
  limitNames,
  functionNames,
];
