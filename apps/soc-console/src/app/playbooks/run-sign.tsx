import type { Tone } from "../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../design/severity.tsx";
import { usePhrases } from "../language/language-context.tsx";
import type { RunStatus, RunStep } from "./playbooks-client.ts";
import { playbooksPhrases } from "./playbooks-phrases.ts";
import "./playbooks.css";

type Dot = readonly [DotShape, Tone];

const RUN_DOTS: Readonly<Record<RunStatus, Dot>> = {
  queued: ["ring", "running"],
  running: ["half", "running"],
  waiting: ["half", "waiting"],
  completed: ["check", "ok"],
  failed: ["cross", "failed"],
  compensated: ["cross", "waiting"],
  rejected: ["cross", "failed"],
  timeout: ["cross", "failed"],
  cancelled: ["cross", "plain"],
};

const STEP_DOTS: Readonly<Record<RunStep["status"], Dot>> = {
  running: ["half", "running"],
  waiting: ["half", "waiting"],
  retrying: ["half", "waiting"],
  completed: ["check", "ok"],
  skipped: ["ring", "plain"],
  failed: ["cross", "failed"],
  rejected: ["cross", "failed"],
  timeout: ["cross", "failed"],
};

/** State icon and label of a run. */
export function RunSign({ status }: { status: RunStatus }) {
  const words = usePhrases(playbooksPhrases);
  const [shape, tone] = RUN_DOTS[status];
  return (
    <span className="run-sign">
      <StatusDot shape={shape} tone={tone} />
      {words.statuses[status]}
    </span>
  );
}

/** State of a step; `otherwise` is the label of a step that has not started. */
export function StepSign({ status, otherwise }: { status: RunStep["status"] | undefined; otherwise: string }) {
  const words = usePhrases(playbooksPhrases);
  const [shape, tone] = status ? STEP_DOTS[status] : (["ring", "plain"] as const);
  return (
    <span className={status ? "run-sign" : "run-sign soft"}>
      <StatusDot shape={shape} tone={tone} />
      {status ? words.stepStatuses[status] : otherwise}
    </span>
  );
}
