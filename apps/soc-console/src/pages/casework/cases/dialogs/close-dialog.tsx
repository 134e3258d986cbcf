import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart } from "../../../../app/page/page.tsx";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Notice, Skeleton } from "../../../../design/states.tsx";
import { casePhrases } from "../case-phrases.ts";
import { type Case, caseKeys, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { countOpenEnds, findOpenEnds, type OpenEnds } from "../open-ends.ts";

/** Shown before a case is closed: everything that stays active. */
export function CloseDialog({ record, onDecide }: { record: Case | undefined; onDecide: (isWanted: boolean) => void }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(casePhrases) };
  const client = useCasesClient();
  const id = record?.id ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: caseKeys.one(id),
    queryFn: ({ signal }) => client.page(id, signal),
    enabled: record !== undefined,
    staleTime: 0,
  });
  const ends = data && findOpenEnds(data);
  return (
    <Dialog
      title={words.closeTitle}
      isOpen={record !== undefined}
      onClose={() => onDecide(false)}
      actions={
        <>
          <Button onClick={() => onDecide(false)}>{words.cancel}</Button>
          <Button kind="primary" disabled={!ends} onClick={() => onDecide(true)}>
            {ends && countOpenEnds(ends) > 0 ? words.closeAnyway : words.closeCase}
          </Button>
        </>
      }
    >
      {!ends && error && <FailedPart error={error} onRetry={() => void refetch()} />}
      {!ends && !error && <Skeleton rows={3} />}
      {ends && <Ends ends={ends} id={id} />}
    </Dialog>
  );
}

function Ends({ ends, id }: { ends: OpenEnds; id: string }) {
  const words = usePhrases(casePhrases);
  return (
    <div className="cases-ends">
      {ends.unread.length > 0 && <Notice tone="waiting">{words.endsUnread}</Notice>}
      {countOpenEnds(ends) === 0 && <p className="cases-text">{words.noEnds}</p>}
      <EndList title={words.endsInForce}>
        {ends.inForce.map((action) => (
          <li key={action.action_id}>
            <SafeText isMono>{action.hostname}</SafeText>
          </li>
        ))}
      </EndList>
      <EndList title={words.endsApprovals}>
        {ends.approvals.map((approval) => (
          <li key={approval.id}>
            <Link to={`/approvals/${approval.id}`}>
              <SafeText>{approval.action}</SafeText>
            </Link>
          </li>
        ))}
      </EndList>
      <EndList title={words.endsRuns}>
        {ends.runs.map((run) => (
          <li key={run.execution_id}>
            <Link to={`/runs/${run.execution_id}`}>
              <SafeText>{run.playbook_name}</SafeText>
            </Link>
          </li>
        ))}
      </EndList>
      <EndList title={words.endsTasks}>
        {ends.tasks.map((task) => (
          <li key={task.id}>
            <Link to={`/cases/${id}/tasks`}>
              <SafeText>{task.title}</SafeText>
            </Link>
          </li>
        ))}
      </EndList>
    </div>
  );
}

function EndList({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="cases-plain-list">{children}</ul>
    </section>
  );
}
