import type { Investigation, Step } from "../investigations-client.ts";

/** A step with its place in time. */
export interface TimedStep extends Step {
  key: string;
  agent: string;
  /** Milliseconds since the start of the investigation. */
  offsetMs: number;
}

/** An investigation ends after this time (docs/api: "after two minutes"). */
export const MAX_RUN_MS = 120_000;

/** Steps that query data. Clock and seed are internal to the investigation. */
const CALLS: readonly Step["kind"][] = ["reader", "tool", "model"];

/** The steps of all agents, which work in parallel, in order of time. */
export function orderSteps(
  steps: readonly Step[],
  { agents, started_at }: Pick<Investigation, "agents" | "started_at">,
): TimedStep[] {
  const names = new Map(agents.map(({ agent_id, name }) => [agent_id, name]));
  const times = steps.map(({ at }) => Date.parse(at));
  const begin = started_at === null ? Math.min(...times) : Date.parse(started_at);
  return steps
    .map((step) => ({
      ...step,
      key: `${step.agent_id} ${step.sequence}`,
      agent: names.get(step.agent_id) ?? step.agent_id,
      offsetMs: Math.max(0, Date.parse(step.at) - begin),
    }))
    .toSorted((a, b) => a.offsetMs - b.offsetMs || a.agent_id.localeCompare(b.agent_id) || a.sequence - b.sequence);
}

export function listCalls<Kind extends Pick<Step, "kind">>(steps: readonly Kind[]): Kind[] {
  return steps.filter(({ kind }) => CALLS.includes(kind));
}

/** Duration of the investigation, so far if it still runs. */
export function measureRun(
  { started_at, ended_at }: Pick<Investigation, "started_at" | "ended_at">,
  now: Date,
): number {
  if (started_at === null) return 0;
  return Math.max(0, (ended_at === null ? now.getTime() : Date.parse(ended_at)) - Date.parse(started_at));
}
