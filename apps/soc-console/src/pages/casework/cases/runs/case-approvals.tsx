import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp } from "../../../../app/context/app-context.ts";
import { useLive } from "../../../../app/context/use-live.ts";
import { useMe } from "../../../../app/context/use-session.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { fill, isolated } from "../../../../app/language/phrases.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { InputFields } from "../../../../app/playbooks/input-fields.tsx";
import { executePlaybook } from "../../../../app/playbooks/playbooks-client.ts";
import { useInputs } from "../../../../app/playbooks/use-inputs.ts";
import { ApiError } from "../../../../app/server/api-error.ts";
import type { Listed } from "../../../../app/server/wire.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../../app/time/time-context.tsx";
import { useNow } from "../../../../app/time/use-now.ts";
import { Button } from "../../../../design/button.tsx";
import { StatusDot } from "../../../../design/severity.tsx";
import { type CasePage, caseKeys } from "../cases-client.ts";
import { runsPhrases } from "./runs-phrases.ts";

type Approval = NonNullable<CasePage["approvals"]>[number];

/** A request stays open after its agent stopped waiting, until it expires. */
function isOpen({ status, kind, expires_at }: Approval, now: Date): boolean {
  return status === "pending" || (status === "timeout" && kind === "request" && now < new Date(expires_at));
}

/** The approvals of a case: all pending ones for those who decide, and everything that the user asked for. */
export function useCaseApprovals({ case: { id }, approvals }: CasePage) {
  const { server } = useApp();
  const queries = useQueryClient();
  const key = caseKeys.part(id, "approvals");
  const now = useNow(10_000);
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => server.get<Listed<Approval>>("/approvals/mine", { query: { limit: 100 }, signal }),
  });
  const readAgain = () => void queries.invalidateQueries({ queryKey: key });
  useLive({
    onEvents: (events) => events.some(({ type }) => type.startsWith("approval.")) && readAgain(),
    onReset: readAgain,
  });
  const mine = (data?.items ?? []).filter(({ case_id }) => case_id === id);
  const others = (approvals ?? []).filter((approval) => !mine.some((own) => own.id === approval.id));
  return {
    pending: [...mine.filter((own) => isOpen(own, now)), ...others],
    /** Approved, but the playbook has not been started: the one who asked does that. */
    approved: mine.filter(
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

const isAlways = () => true;

/** An approval that was granted: the same call once more, with the approval, starts the playbook. */
function Approved({ caseId, approval, onBegun }: { caseId: string; approval: Approval; onBegun: () => void }) {
  const words = usePhrases(runsPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const { username } = useMe();
  const [isBusy, setIsBusy] = useState(false);
  const { id, playbook_id, alert_id, parameters, decided_by } = approval;
  const form = useInputs(approval.missing_inputs);
  const isOwn = approval.requested_by === username;
  const run = async () => {
    const chosen = form.read(isAlways);
    if (playbook_id === null || !chosen) return;
    setIsBusy(true);
    try {
      const request = {
        case_id: caseId,
        parameters: { ...parameters, ...chosen },
        ...(alert_id !== null && { alert_id }),
      };
      await executePlaybook(server, playbook_id, request, id);
      notify({ tone: "ok", text: fill(words.begun, { name: isolated(safeText(approval.action)) }) });
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
      {isOwn && <InputFields form={form} isRequired={isAlways} />}
      {isOwn && (
        <Button size="s" kind="primary" isBusy={isBusy} onClick={() => void run()}>
          {words.runApproved}
        </Button>
      )}
    </li>
  );
}
