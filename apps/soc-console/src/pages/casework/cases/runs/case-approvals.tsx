import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp, useLive, useMay } from "../../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { InputFields } from "../../../../app/playbooks/input-fields.tsx";
import { executePlaybook, isPreview } from "../../../../app/playbooks/playbooks-client.ts";
import { useInputs } from "../../../../app/playbooks/use-inputs.ts";
import { ApiError } from "../../../../app/server/api-error.ts";
import type { ListResponse } from "../../../../app/server/server.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useNow, useTime } from "../../../../app/time/time-context.tsx";
import { Button } from "../../../../design/button.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { isOpen } from "../../../response/approvals/approval-state.ts";
import { type CasePage, caseKeys } from "../cases-client.ts";
import { runsPhrases } from "./runs-phrases.ts";

type Approval = NonNullable<CasePage["approvals"]>[number];

type CaseOfApprovals = Pick<CasePage, "approvals"> & { case: Pick<CasePage["case"], "id"> };

/** The approvals of a case: those that the user requested, and for approvers all that are open or granted. */
export function useCaseApprovals({ case: { id }, approvals }: CaseOfApprovals) {
  const { server } = useApp();
  const queries = useQueryClient();
  const key = caseKeys.part(id, "approvals");
  const now = useNow(10_000);
  const mayDecide = useMay("approvals:manage");
  const { data } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const read = (path: string, query: { status?: string } = {}) =>
        server.get<ListResponse<Approval>>(path, { query: { limit: 100, ...query }, signal });
      const [own, granted] = await Promise.all([
        read("/approvals/mine"),
        mayDecide ? read("/approvals", { status: "approved" }) : undefined,
      ]);
      return { own: own.items, granted: granted?.items ?? [] };
    },
  });
  const readAgain = () => void queries.invalidateQueries({ queryKey: key });
  useLive({
    onEvents: (events) => events.some(({ type }) => type.startsWith("approval.")) && readAgain(),
    onReset: readAgain,
  });
  const mine = (data?.own ?? []).filter(({ case_id }) => case_id === id);
  const isOfOthers = (approval: Approval) => !mine.some((own) => own.id === approval.id);
  const others = (approvals ?? []).filter(isOfOthers);
  const granted = (data?.granted ?? []).filter((approval) => approval.case_id === id && isOfOthers(approval));
  return {
    pending: [...mine.filter((own) => isOpen(own, now)), ...others],
    /** Approved, but not used yet: any permitted caller starts the playbook. */
    approved: [...mine, ...granted].filter(
      ({ status, kind, execution_id }) => status === "approved" && kind === "playbook" && execution_id === null,
    ),
    readAgain,
  };
}

export interface CaseApprovalsProps {
  caseId: string;
  pending: readonly Approval[];
  approved: readonly Approval[];
  onBegun: () => void;
}

export function CaseApprovals({ caseId, pending, approved, onBegun }: CaseApprovalsProps) {
  const words = usePhrases(runsPhrases);
  const time = useTime();
  if (pending.length + approved.length === 0) return null;
  return (
    <section className="case-pending" aria-label={words.waitingApprovals}>
      <h2>{words.waitingApprovals}</h2>
      <ul className="cases-plain-list">
        {approved.map((approval) => (
          <Approved key={approval.id} caseId={caseId} approval={approval} onBegun={onBegun} />
        ))}
        {pending.map((approval) => (
          <li key={approval.id}>
            <StatusDot shape="half" tone="waiting" />{" "}
            <Link to={`/approvals/${approval.id}`}>
              <SafeText>{approval.action}</SafeText>
            </Link>{" "}
            <span className="soft">
              <SafeText>{approval.requested_by}</SafeText> · {time.relative(approval.expires_at)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Starts the playbook by repeating the request with the granted approval. */
function Approved({ caseId, approval, onBegun }: { caseId: string; approval: Approval; onBegun: () => void }) {
  const words = usePhrases(runsPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const mayRun = useMay("soar:execute");
  const [isBusy, setIsBusy] = useState(false);
  const { id, playbook_id, alert_id, parameters, decided_by } = approval;
  const form = useInputs(approval.missing_inputs);
  const run = async () => {
    const chosen = form.read();
    if (playbook_id === null || !chosen) return;
    setIsBusy(true);
    try {
      const request = {
        case_id: caseId,
        parameters: { ...parameters, ...chosen },
        ...(alert_id !== null && { alert_id }),
      };
      const answer = await executePlaybook(server, playbook_id, request, id);
      const text = isPreview(answer) ? words.previewed : words.begun;
      notify({ tone: "ok", text: fill(text, { name: isolated(safeText(approval.action)) }) });
      onBegun();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!form.refuse(error)) notify({ tone: "failed", text: error.message });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <li className="cases-bar">
      <StatusDot shape="check" tone="ok" />
      <Link to={`/approvals/${id}`}>
        <SafeText>{approval.action}</SafeText>
      </Link>
      <span className="soft">{fill(words.approvedBy, { name: isolated(decided_by ?? "") })}</span>
      {mayRun && <InputFields form={form} />}
      {mayRun && (
        <Button size="s" kind="primary" isBusy={isBusy} onClick={() => void run()}>
          {words.runApproved}
        </Button>
      )}
    </li>
  );
}
