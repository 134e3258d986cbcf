import { memo } from "react";
import { Link } from "../../../app/address/link.tsx";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import { isOpen, type KeptRow } from "./approval-state.ts";
import type { Approval } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";

const DOTS: Readonly<Record<Approval["status"], { shape: DotShape; tone: Tone }>> = {
  pending: { shape: "ring", tone: "waiting" },
  approved: { shape: "check", tone: "ok" },
  rejected: { shape: "cross", tone: "failed" },
  timeout: { shape: "half", tone: "plain" },
};

export function ApprovalStatus({ status }: Pick<Approval, "status">) {
  const words = usePhrases(approvalsPhrases);
  return (
    <span className="approvals-status">
      <StatusDot {...DOTS[status]} />
      {words.statuses[status]}
    </span>
  );
}

export interface ApprovalRowProps {
  row: KeptRow;
  isCurrent: boolean;
  search: Readonly<Record<string, string>>;
  now: Date;
}

/** One request: effect, requester, and time left to decide. */
export const ApprovalRow = memo(function ApprovalRow({ row, isCurrent, search, now }: ApprovalRowProps) {
  const words = usePhrases(approvalsPhrases);
  const time = useTime();
  const { approval, isGone } = row;
  const { id, action, effect, requested_by, status, expires_at, requested_at } = approval;
  const leftMs = Date.parse(expires_at) - now.getTime();
  const isWaiting = !isGone && isOpen(approval, now);
  return (
    <li className={isGone ? "approvals-item approvals-gone" : "approvals-item"} data-approval={id}>
      <Link
        to={`/approvals/${id}`}
        search={search}
        className={isCurrent ? "approvals-row approvals-current" : "approvals-row"}
        activeOptions={{ exact: true }}
      >
        <span className="approvals-what">
          <SafeText>{action}</SafeText>
        </span>
        <span className="approvals-end">
          {isWaiting ? <span title={time.dateTime(expires_at)}>{time.duration(leftMs)}</span> : null}
          {!isWaiting && (isGone ? words.gone : <ApprovalStatus status={status} />)}
        </span>
        <span className="approvals-gist">
          <SafeText>{effect.map(({ summary }) => summary).join(" · ")}</SafeText>
        </span>
        <span className="approvals-note">
          {fill(words.askedBy, { name: requested_by, time: time.relative(requested_at) })}
        </span>
      </Link>
    </li>
  );
});
