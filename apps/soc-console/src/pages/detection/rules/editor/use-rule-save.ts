import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import type { ApiError } from "../../../../app/server/api-error.ts";
import { type Rule, ruleKeys, toEtag, useRulesClient } from "../rules-client.ts";
import { editorPhrases } from "./editor-phrases.ts";
import { type RuleDraft, toChanges, toRequest } from "./rule-draft.ts";

export interface RuleSave {
  /** Saves without waiting for a backtest. */
  save: (draft: RuleDraft, options?: { isOver?: boolean }) => Promise<Rule | undefined>;
  isBusy: boolean;
  /** Why the service refused. */
  problem: ApiError | undefined;
  isNameAsked: boolean;
}

const CONFLICT = 409;

export function isConflict(problem: ApiError | undefined): boolean {
  return problem?.status === CONFLICT;
}

/** Stores a new rule, or the changes as a new version. */
export function useRuleSave(stored: Rule | undefined): RuleSave {
  const words = usePhrases(editorPhrases);
  const { go } = useAddress();
  const { notify } = useNotices();
  const { send } = useChanges();
  const queries = useQueryClient();
  const client = useRulesClient();
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<ApiError>();
  const [isNameAsked, setIsNameAsked] = useState(false);

  const store = (draft: RuleDraft, isOver: boolean) => {
    const options = {
      before: stored ?? {},
      onRefused: (error: ApiError) => {
        setProblem(error);
        return true;
      },
    };
    if (!stored) return send(() => client.create(toRequest(draft)), options);
    const etag = isOver ? undefined : toEtag(stored);
    return send(() => client.update(stored.id, toChanges(draft, stored), etag), options);
  };
  const save: RuleSave["save"] = async (draft, { isOver = false } = {}) => {
    setProblem(undefined);
    if (draft.name.trim() === "") {
      setIsNameAsked(true);
      return undefined;
    }
    if (stored && Object.keys(toChanges(draft, stored)).length === 0) {
      notify({ tone: "plain", text: words.nothingChanged });
      return undefined;
    }
    setIsBusy(true);
    const rule = await store(draft, isOver).finally(() => setIsBusy(false));
    if (!rule) return undefined;
    notify({ tone: "ok", text: fill(words.saved, { n: rule.version }) });
    queries.setQueryData(ruleKeys.part(rule.id, "edited"), rule);
    void queries.invalidateQueries({
      queryKey: ruleKeys.one(rule.id),
      predicate: ({ queryKey }) => queryKey[3] !== "edited",
    });
    if (!stored) go(`/detections/${rule.id}/edit`);
    return rule;
  };
  return { save, isBusy, problem, isNameAsked };
}
