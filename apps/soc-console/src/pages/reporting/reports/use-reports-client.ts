import { useMemo } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { saveFile } from "../../../app/files/save-file.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../app/server/api-error.ts";
import { readBundle, saveBundle } from "../../casework/ledger/ledger-client.ts";
import { createReportsClient, fileName, type ReportSummary } from "./reports-client.ts";

export function useReportsClient() {
  const { server } = useApp();
  return useMemo(() => createReportsClient(server), [server]);
}

/** Downloads files; shows a refusal as a notice. */
export function useReportFiles() {
  const { server } = useApp();
  const client = useReportsClient();
  const { notify } = useNotices();
  const attempt = async (task: () => Promise<void>) => {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notify({ tone: "failed", text: errorWords(error) });
    }
  };
  return {
    download: (report: ReportSummary) =>
      attempt(async () => saveFile(fileName(report), await client.download(report.id))),
    bundle: (caseId: string) => attempt(async () => saveBundle(await readBundle(server, caseId))),
  };
}
