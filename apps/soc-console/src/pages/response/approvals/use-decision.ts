import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import type { Start } from "./approval-start.ts";
import {
  APPROVALS,
  type Approval,
  decideApproval,
  type InputValues,
  startApproved,
  type Vote,
} from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";

export interface Decision {
  isBusy: boolean;
  trouble: ApiError | undefined;
  troubleWords: string | undefined;
  /** What would have happened in real mode. */
  preview: { kind: "decision"; status: Approval["status"] } | { kind: "start" } | undefined;
  decide: (vote: Vote) => void;
  start: (start: Start, chosen: InputValues) => void;
}

/** Decides an approval, or uses it. `refuse` shows a refusal at its field, and returns false if it concerns none. */
export function useDecision(id: string, refuse: (error: ApiError) => boolean): Decision {
  const words = usePhrases(approvalsPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const [isBusy, setIsBusy] = useState(false);
  const [trouble, setTrouble] = useState<ApiError>();
  const [preview, setPreview] = useState<Decision["preview"]>();

  async function change(request: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setIsBusy(true);
    setTrouble(undefined);
    setPreview(undefined);
    try {
      await request();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // An ended session opens the sign-in dialog instead.
      if (error.status !== 401 && !refuse(error)) setTrouble(error);
    } finally {
      setIsBusy(false);
      // Refresh after a refusal as well: another user may have decided first.
      void queries.invalidateQueries({ queryKey: [APPROVALS] });
    }
  }

  return {
    isBusy,
    trouble,
    troubleWords: trouble && errorWords(trouble),
    preview,
    decide: (vote) =>
      void change(async () => {
        const answer = await decideApproval(server, id, vote);
        if ("preview" in answer) return setPreview({ kind: "decision", status: answer.preview.status });
        const { status } = answer;
        const text = { approved: words.approved, rejected: words.rejected, pending: words.voted, timeout: words.voted };
        notify({ text: text[status], tone: status === "rejected" ? "plain" : "ok" });
      }),
    start: (start, chosen) =>
      void change(async () => {
        const answer = await startApproved(server, start, id, chosen);
        if (answer.dry_run) setPreview({ kind: "start" });
      }),
  };
}
