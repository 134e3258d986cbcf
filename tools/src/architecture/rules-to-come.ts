import { folderSize } from "./folder-rules.ts";
import { groupDirection } from "./group-rules.ts";
import { importCycles } from "./import-cycles.ts";
import type { Rule } from "./rule.ts";

/** Rules that the tree does not keep yet: proved by planted violations, listed by tools/src/structure.ts, not enforced. */
export const RULES_TO_COME: readonly Rule[] = [groupDirection((path) => path), folderSize, importCycles];
