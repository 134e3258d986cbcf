import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useListKeys } from "../../../../app/lists/use-list-keys.ts";
import { FailedPart } from "../../../../app/page/page.tsx";
import type { Run } from "../../../../app/playbooks/playbooks-client.ts";
import { RunDialog } from "../../../../app/playbooks/run-dialog.tsx";
import { RunSign } from "../../../../app/playbooks/run-sign.tsx";
import { useStatusText } from "../../../../app/status/status.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import type { ListColumn } from "../../../../design/list/column.ts";
import { WindowList } from "../../../../design/list/window-list.tsx";
import { EmptyState } from "../../../../design/states.tsx";
import { type CasePage, caseKeys } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { useItemPages } from "../use-item-pages.ts";
import { CaseApprovals, useCaseApprovals } from "./case-approvals.tsx";
import { createRunsClient } from "./runs-client.ts";
import { runsPhrases } from "./runs-phrases.ts";

const readKey = (run: Run) => run.execution_id;
export function RunsTab({ page }: { page: CasePage }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(runsPhrases) };
  const time = useTime();
  const { server } = useApp();
  const { go } = useAddress();
  const queries = useQueryClient();
  const { reason } = useChanges();
  const { id } = page.case;
  const client = useMemo(() => createRunsClient(server), [server]);
  const mayRead = useMay("soar:read");
  const mayRun = useMay("soar:read", "soar:execute");
  const approvals = useCaseApprovals(page);
  const [isRunning, setIsRunning] = useState(false);
  const pages = useItemPages<Run>({
    caseId: id,
    noun: "execution",
    read: (query, signal) =>
      mayRead ? client.list(id, query, signal) : Promise.resolve({ items: [], total: 0, next_cursor: null }),
  });
  const open = useCallback((key: string) => go(`/runs/${key}`), [go]);
  const keys = useListKeys(pages, readKey, {
    noun: "case-runs",
    group: words.runs,
    onOpen: open,
    isWithoutSelect: true,
  });
  useCommands([
    ...keys.commands,
    ...(mayRun
      ? [
          {
            id: "case-runs.run",
            label: words.run,
            group: words.runs,
            keys: ["r"],
            isEnabled: reason === undefined,
            reason,
            isInStatusLine: true,
            run: () => setIsRunning(true),
          },
        ]
      : []),
  ]);
  useStatusText(fill(words.shown, { shown: pages.count, total: pages.total ?? pages.count }));
  const columns = useMemo<ListColumn[]>(
    () => [
      { key: "name", title: words.playbook, width: "minmax(160px, 1fr)" },
      { key: "status", title: words.status, width: "112px" },
      { key: "steps", title: words.steps, width: "56px", align: "end" },
      { key: "by", title: words.by, width: "104px" },
      { key: "at", title: words.started, width: "164px" },
    ],
    [words.playbook, words.status, words.steps, words.by, words.started],
  );
  const render = useCallback(
    (run: Run) => {
      return (
        <>
          <span className="list-title list-strong">
            <SafeText>{run.playbook_name}</SafeText>
            {run.simulated && <span className="soft"> · {words.simulated}</span>}
          </span>
          <RunSign status={run.status} />
          <span className="list-mono">
            {run.steps_completed}/{run.steps_total}
          </span>
          <span className="list-title soft">
            <SafeText>{run.requested_by}</SafeText>
          </span>
          <span className="list-mono">{time.dateTime(run.created_at)}</span>
        </>
      );
    },
    [words.simulated, time],
  );
  const readAgain = () => {
    pages.reload();
    approvals.readAgain();
    void queries.invalidateQueries({ queryKey: caseKeys.one(id) });
  };
  return (
    <div className="case-list">
      {mayRun && (
        <div className="cases-bar">
          <Button keys={["R"]} disabled={reason !== undefined} title={reason} onClick={() => setIsRunning(true)}>
            {words.run}
          </Button>
        </div>
      )}
      <CaseApprovals {...approvals} caseId={id} onBegun={readAgain} />
      {pages.error !== undefined && pages.count === 0 ? (
        <FailedPart error={pages.error} onRetry={pages.reload} />
      ) : (
        <WindowList
          label={words.runs}
          columns={columns}
          pages={pages}
          rowKey={readKey}
          renderRow={render}
          {...keys.list}
          onOpen={open}
          empty={
            <EmptyState title={mayRead ? words.empty : words.mayNot} text={mayRun ? words.emptyText : undefined} />
          }
        />
      )}
      {isRunning && <RunDialog caseId={id} onClose={() => setIsRunning(false)} onBegun={readAgain} />}
    </div>
  );
}
