import { usePhrases } from "../../../app/language/language-context.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import type { Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import type { Case, CaseStatus } from "./cases-client.ts";
import { casesPhrases } from "./cases-phrases.ts";

const DOTS: Readonly<Record<CaseStatus, [DotShape, Tone]>> = {
  open: ["ring", "plain"],
  investigating: ["full", "running"],
  pending_approval: ["half", "waiting"],
  contained: ["half", "ok"],
  resolved: ["check", "ok"],
  closed: ["check", "plain"],
};

export function CaseStatusSign({ status }: { status: CaseStatus }) {
  const words = usePhrases(casesPhrases);
  const [shape, tone] = DOTS[status];
  return (
    <span className="cases-status">
      <StatusDot shape={shape} tone={tone} />
      {words.statuses[status]}
    </span>
  );
}

const SLA_TONES = { ok: "plain", near: "waiting", breached: "failed", met: "ok" } as const;

/** Due date of the case, from its SLA or set manually, and its status. */
export function CaseDue({ record }: { record: Pick<Case, "sla" | "due_at" | "status"> }) {
  const words = usePhrases(casesPhrases);
  const time = useTime();
  const { sla, due_at } = record;
  const due = due_at ?? sla?.resolve_by ?? null;
  const state = sla?.state ?? null;
  if (due === null && state === null) return null;
  return (
    <span
      className={`cases-due tone-${state ? SLA_TONES[state] : "plain"}`}
      title={due ? time.dateTime(due) : undefined}
    >
      {state && <span className="cases-due-state">{words.sla[state]}</span>}
      {due && state !== "met" && <span className="cases-due-time">{time.relative(due)}</span>}
    </span>
  );
}
