import type { Rule } from "./rule.ts";
import { plainWords, WORDS_ALLOWED } from "./word-rules.ts";

/** Rules that the tree does not keep yet: proved by planted violations, listed by tools/src/structure.ts, not enforced. */
export const RULES_TO_COME: readonly Rule[] = [plainWords(WORDS_ALLOWED)];
