import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { fill, isolated, useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useInputs } from "../../../app/playbooks/use-inputs.ts";
import { ApiError } from "../../../app/server/api-error.ts";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useNow, useTime } from "../../../app/time/time-context.tsx";
import { Meter } from "../../../design/charts/meter.tsx";
import { type Fact, Facts } from "../../../design/panel.tsx";
import { ErrorState, Notice, Skeleton } from "../../../design/states.tsx";
import { ApprovalDecision, MissingInputs, useWays } from "./approval-decision.tsx";
import { ApprovalEffect } from "./approval-effect.tsx";
import { ApprovalStatus } from "./approval-row.tsx";
import { ApprovalRun } from "./approval-run.tsx";
import { isOpen, shareLeft } from "./approval-state.ts";
import { APPROVALS, type Approval, type ApprovalDetail, type Playbook, readPlaybook } from "./approvals-client.ts";
import { approvalsPhrases } from "./approvals-phrases.ts";
import { useApproval } from "./use-approvals.ts";
import { useFullyVisible } from "./use-fully-visible.ts";

const SHORT_ID = 8;
const SOON_MS = 15 * 60_000;

function usePlaybook(id: string | null): Playbook | undefined {
  const { server } = useApp();
  const mayRead = useMay("soar:read");
  const { data } = useQuery({
    queryKey: [APPROVALS, "playbook", id],
    queryFn: ({ signal }) => readPlaybook(server, id ?? "", signal),
    enabled: mayRead && id !== null,
  });
  return data;
}

/** The effect that was shown before it changed; undefined if it has not changed. */
function useFormerEffect({ id, effect_hash, effect }: Approval): Approval["effect"] | undefined {
  const [shown, setShown] = useState<{
    id: string;
    hash: string;
    effect: Approval["effect"];
    former?: Approval["effect"];
  }>({
    id,
    hash: effect_hash,
    effect,
  });
  if (shown.id !== id) setShown({ id, hash: effect_hash, effect });
  else if (shown.hash !== effect_hash) setShown({ id, hash: effect_hash, effect, former: shown.effect });
  return shown.id === id ? shown.former : undefined;
}

/** Requester, remaining time, and number of votes. */
function Standing({ approval, detail, now }: { approval: Approval; detail: ApprovalDetail | undefined; now: Date }) {
  const words = usePhrases(approvalsPhrases);
  const numbers = useNumbers();
  const time = useTime();
  const { requested_by, requested_at, expires_at } = approval;
  const leftMs = Date.parse(expires_at) - now.getTime();
  const share = shareLeft(approval, now);
  const agreed = detail?.votes.filter(({ approved }) => approved).length ?? 0;
  const quorum = detail && fill(numbers.count(detail.policy.quorum, words.quorum), { count: agreed });
  return (
    <div className="approvals-standing">
      <span>{fill(words.askedBy, { name: isolated(requested_by), time: time.dateTime(requested_at) })}</span>
      {isOpen(approval, now) ? (
        <>
          <span className="approvals-countdown" role="timer">
            <Meter
              label={fill(words.left, { left: time.duration(leftMs) })}
              parts={[{ key: "left", value: share, fill: leftMs < SOON_MS ? "var(--failed)" : "var(--waiting)" }]}
              total={1}
            />
            {fill(words.left, { left: time.duration(leftMs) })}
          </span>
          <span>{fill(words.ends, { time: time.time(expires_at) })}</span>
          {quorum && detail.policy.quorum > 1 && <span className="approvals-quorum">{quorum}</span>}
        </>
      ) : (
        <ApprovalStatus status={approval.status} />
      )}
    </div>
  );
}

function Votes({ votes }: Pick<ApprovalDetail, "votes">) {
  const words = usePhrases(approvalsPhrases);
  const time = useTime();
  if (votes.length === 0) return null;
  return (
    <section aria-label={words.votes}>
      <h3 className="approvals-heading">{words.votes}</h3>
      <ul className="approvals-votes">
        {votes.map(({ decided_by, approved, reason, decided_at }) => (
          <li key={decided_by}>
            <SafeText isMono>{decided_by}</SafeText> {approved ? words.voteApproved : words.voteRejected}{" "}
            <span className="soft">{time.dateTime(decided_at)}</span>
            {reason !== null && (
              <p className="approvals-reason">
                <SafeText>{reason}</SafeText>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Why({ justification, case_id, alert_id }: Approval) {
  const words = usePhrases(approvalsPhrases);
  return (
    <>
      {justification !== "" && <SafeText>{justification}</SafeText>}{" "}
      {case_id !== null && (
        <Link to={`/cases/${case_id}`}>
          {words.case} {case_id.slice(0, SHORT_ID)}
        </Link>
      )}{" "}
      {alert_id !== null && (
        <Link to={`/alerts/${alert_id}`}>
          {words.alert} {alert_id.slice(0, SHORT_ID)}
        </Link>
      )}
    </>
  );
}

function listUndo(playbook: Playbook): string[] {
  return [...new Set(playbook.steps.flatMap(({ compensate }) => (compensate ? compensate.action : [])))];
}

interface ApprovalFactsProps {
  approval: Approval;
  detail: ApprovalDetail | undefined;
  playbook: Playbook | undefined;
}

function ApprovalFacts({ approval, detail, playbook }: ApprovalFactsProps) {
  const words = usePhrases(approvalsPhrases);
  const { playbook_id, playbook_version, parameters, effect_hash, justification, case_id, alert_id } = approval;
  const hasWhy = justification !== "" || case_id !== null || alert_id !== null;
  const undo = playbook ? listUndo(playbook) : [];
  const facts: (Fact | false)[] = [
    hasWhy && { label: words.why, value: <Why {...approval} /> },
    playbook_id !== null && {
      label: words.playbook,
      value: (
        <Link to={`/playbooks/${playbook_id}`}>
          {playbook_version === null ? playbook_id : `${playbook_id} v${playbook_version}`}
        </Link>
      ),
    },
    playbook !== undefined && {
      label: words.undo,
      value: undo.length > 0 ? <SafeText isMono>{undo.join(", ")}</SafeText> : words.noUndo,
    },
    detail !== undefined && {
      label: words.requesters,
      value: <SafeText isMono>{detail.requesters.join(", ")}</SafeText>,
    },
    Object.keys(parameters).length > 0 && {
      label: words.parameters,
      value: (
        <pre className="approvals-body" dir="ltr">
          {safeText(JSON.stringify(parameters, null, 2))}
        </pre>
      ),
    },
    { label: words.hash, value: <SafeText isMono>{effect_hash}</SafeText> },
  ];
  return <Facts items={facts.filter((fact) => fact !== false)} />;
}

interface ShownProps {
  approval: Approval;
  detail: ApprovalDetail | undefined;
  mayDecide: boolean;
}

function ShownApproval({ approval, detail, mayDecide }: ShownProps) {
  const words = usePhrases(approvalsPhrases);
  const mode = useMode();
  const now = useNow();
  const effect = useRef<HTMLElement>(null);
  const isSeen = useFullyVisible(effect, `${approval.id} ${approval.effect_hash}`);
  const former = useFormerEffect(approval);
  const playbook = usePlaybook(approval.playbook_id);
  const form = useInputs(approval.missing_inputs);
  const ways = useWays(detail, mayDecide, now);
  const { playbook_version, execution_id, status } = approval;
  // The approval of a step has a run from the start, and counts as used when it is decided.
  const isUnused = status === "pending" || (status === "approved" && execution_id === null);
  const isOutdated =
    isUnused && playbook !== undefined && playbook_version !== null && playbook.version !== playbook_version;
  const titles = { dry_run: words.wouldHappen, dummy: words.wouldHappen, real: words.willHappen };
  const title = isUnused ? titles[mode ?? "real"] : words.happened;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it. */}
      <div className="approvals-read" tabIndex={0}>
        <h2 className="approvals-title">
          <SafeText>{approval.action}</SafeText>
        </h2>
        <Standing approval={approval} detail={detail} now={now} />
        {former && (
          <>
            <ApprovalEffect effect={former} title={title} isOld />
            <Notice tone="waiting">{words.changed}</Notice>
          </>
        )}
        {isOutdated && (
          <Notice tone="waiting">
            {fill(words.outdated, { asked: String(playbook_version), now: String(playbook.version) })}
          </Notice>
        )}
        <ApprovalEffect ref={effect} effect={approval.effect} title={title} />
        {ways && <MissingInputs form={form} ways={ways} />}
        {execution_id !== null && <ApprovalRun approval={{ ...approval, execution_id }} />}
        <ApprovalFacts approval={approval} detail={detail} playbook={playbook} />
        {detail && <Votes votes={detail.votes} />}
      </div>
      {detail && ways && <ApprovalDecision approval={detail} ways={ways} form={form} isSeen={isSeen} />}
    </>
  );
}

export interface ApprovalDetailViewProps {
  id: string;
  /** The list entry, shown until the details load. */
  row: Approval | undefined;
  mayDecide: boolean;
}

export function ApprovalDetailView({ id, row, mayDecide }: ApprovalDetailViewProps) {
  const words = usePhrases(approvalsPhrases);
  const { data: detail, error, refetch } = useApproval(id);
  const approval = detail ?? row;
  if (approval) return <ShownApproval key={id} approval={approval} detail={detail} mayDecide={mayDecide} />;
  if (!(error instanceof ApiError)) return <Skeleton rows={6} />;
  return (
    <ErrorState
      title={words.failed}
      text={error.message}
      requestId={error.requestId}
      retryLabel={words.retry}
      onRetry={() => void refetch()}
    />
  );
}
