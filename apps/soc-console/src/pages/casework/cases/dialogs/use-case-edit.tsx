import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { type Case, type CasePage, caseKeys, toEtag, useCasesClient } from "../cases-client.ts";
import type { CasePatch } from "../conflict.ts";
import { CloseDialog } from "./close-dialog.tsx";
import { ConflictDialog } from "./conflict-dialog.tsx";

interface Conflict {
  before: Case;
  patch: CasePatch;
  page: CasePage;
  settle: (changed: Case | undefined) => void;
}

interface PendingClose {
  record: Case;
  patch: CasePatch;
  settle: (isWanted: boolean) => void;
}

export interface CaseEdit {
  /** Changes a case. Returns undefined if it was refused, previewed or cancelled. */
  change: (record: Case, patch: CasePatch) => Promise<Case | undefined>;
  dialogs: ReactNode;
}

/** Changes cases with If-Match. After a conflict, the user decides whose values win. */
export function useCaseEdit(): CaseEdit {
  const client = useCasesClient();
  const queries = useQueryClient();
  const { notify } = useNotices();
  const { send } = useChanges();
  const [conflict, setConflict] = useState<Conflict>();
  const [closing, setClosing] = useState<PendingClose>();

  const remember = (changed: Case) => {
    queries.setQueryData<CasePage>(
      caseKeys.one(changed.id),
      (page) => page && { ...page, case: { ...page.case, ...changed } },
    );
    return changed;
  };
  /** A busy service may omit the history, which names the authors of changes. */
  const readPage = async (id: string): Promise<CasePage> => {
    const page = await client.page(id);
    return page.history === null ? { ...page, history: (await client.history(id)).items } : page;
  };
  const showConflict = async (before: Case, patch: CasePatch) => {
    const page = await readPage(before.id);
    queries.setQueryData(caseKeys.one(before.id), page);
    return new Promise<Case | undefined>((settle) => setConflict({ before, patch, page, settle }));
  };
  const patchCase = async (record: Case, patch: CasePatch): Promise<Case | undefined> => {
    let isConflict = false;
    const onRefused = (error: ApiError) => {
      isConflict = error.status === 409 && error.code !== "case_merged";
      return isConflict;
    };
    const changed = await send(() => client.update(record.id, patch, toEtag(record)), { before: record, onRefused });
    if (isConflict) return showConflict(record, patch);
    return changed && remember(changed);
  };
  const askToClose = (record: Case, patch: CasePatch) =>
    new Promise<boolean>((settle) => setClosing({ record, patch, settle }));

  const change: CaseEdit["change"] = async (record, patch) => {
    try {
      if (patch.status === "closed" && record.status !== "closed" && !(await askToClose(record, patch)))
        return undefined;
      return await patchCase(record, patch);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify({ tone: "failed", text: error.message });
      return undefined;
    }
  };

  const settleConflict = (isMine: boolean) => {
    if (!conflict) return;
    const { page, patch, settle } = conflict;
    setConflict(undefined);
    if (isMine) void patchCase(page.case, patch).then(settle);
    else settle(page.case);
  };
  const settleClosing = (isWanted: boolean) => {
    closing?.settle(isWanted);
    setClosing(undefined);
  };
  return {
    change,
    dialogs: (
      <>
        <ConflictDialog
          conflict={conflict}
          onTakeTheirs={() => settleConflict(false)}
          onKeepMine={() => settleConflict(true)}
        />
        <CloseDialog record={closing?.record} onDecide={settleClosing} />
      </>
    ),
  };
}
