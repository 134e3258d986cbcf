import type { RuntimeTruthBody } from "@soc/service/contract/foundation/runtime/runtime";
import type { RuntimePhrases } from "./runtime-phrases.ts";

export interface Allowance {
  name: string;
  isAllowed: boolean;
  meaning: string;
}

function decide(isAllowed: boolean, { mode }: RuntimeTruthBody): "yes" | "preview" | "no" {
  if (isAllowed) return "yes";
  return mode === "dry_run" ? "preview" : "no";
}

/** What the platform may do in its current mode. */
export function listAllowances(truth: RuntimeTruthBody, words: RuntimePhrases): readonly Allowance[] {
  const { is_mutations_allowed, is_internal_workflows_allowed, is_external_actions_allowed } = truth;
  const { showcase_reads_allowed } = truth;
  return [
    {
      name: words.changes,
      isAllowed: is_mutations_allowed,
      meaning: words.changesMeaning[decide(is_mutations_allowed, truth)],
    },
    {
      name: words.pipelines,
      isAllowed: is_internal_workflows_allowed,
      meaning: words.pipelinesMeaning[decide(is_internal_workflows_allowed, truth)],
    },
    {
      name: words.outside,
      isAllowed: is_external_actions_allowed,
      meaning: words.outsideMeaning[decide(is_external_actions_allowed, truth)],
    },
    {
      name: words.showcase,
      isAllowed: showcase_reads_allowed,
      meaning: words.showcaseMeaning[decide(showcase_reads_allowed, truth)],
    },
  ];
}
