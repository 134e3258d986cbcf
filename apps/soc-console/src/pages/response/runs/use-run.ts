import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { after, monotonicMs } from "../../../app/browser/clock.ts";
import { useApp, useLive, useMay } from "../../../app/context/app-context.ts";
import { fillTemplate, listPlaceholders, type TemplateScope } from "../../../app/playbooks/fill-template.ts";
import type { RunDetail, RunStatus } from "../../../app/playbooks/playbooks-client.ts";
import { buildRunLines, buildStepLines, type StepLine } from "../../../app/playbooks/step-lines.ts";
import { useActions } from "../../../app/playbooks/use-actions.ts";
import { createRunsClient, type RunsClient, runKeys } from "./runs-client.ts";

/** An open run is polled at most this often. */
const MIN_PERIOD_MS = 1000;
/** Steps have no events: poll the run while it runs. */
const RUNNING_MS = 2000;
const WAITING_MS = 30_000;

const OPEN: ReadonlySet<RunStatus> = new Set(["queued", "running", "waiting"]);

export function isOver(status: RunStatus): boolean {
  return !OPEN.has(status);
}

export function useRunsClient(): RunsClient {
  const { server } = useApp();
  return useMemo(() => createRunsClient(server), [server]);
}

/** One run, reloaded by its events and polled while it runs. */
export function useRun(id: string) {
  const client = useRunsClient();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: runKeys.one(id),
    queryFn: ({ signal }) => client.read(id, signal),
    refetchInterval: ({ state: { data } }) => {
      if (!data || isOver(data.status)) return false;
      return data.status === "waiting" ? WAITING_MS : RUNNING_MS;
    },
  });
  const readAgain = useThrottled(() => void queries.invalidateQueries({ queryKey: runKeys.one(id) }));
  useLive({
    onEvents: (events) => {
      const isAbout = events.some(({ type, subject_id }) => type.startsWith("execution.") && subject_id === id);
      if (isAbout || events.some(({ type }) => type.startsWith("approval."))) readAgain();
    },
    onReset: readAgain,
  });
  return query;
}

/** At most once a second; a call in between takes effect after that second. */
function useThrottled(task: () => void): () => void {
  const latest = useRef(task);
  const state = useRef<{ at: number; cancel: (() => void) | undefined }>({
    at: Number.NEGATIVE_INFINITY,
    cancel: undefined,
  });
  useEffect(() => {
    latest.current = task;
  });
  useEffect(() => () => state.current.cancel?.(), []);
  return () => {
    if (state.current.cancel) return;
    const run = () => {
      state.current = { at: monotonicMs(), cancel: undefined };
      latest.current();
    };
    const left = state.current.at + MIN_PERIOD_MS - monotonicMs();
    if (left <= 0) run();
    else state.current.cancel = after(left, run);
  };
}

/** The run, drawn on the playbook version with which it started. */
export function useRunLines(run: RunDetail): { lines: StepLine[]; isVersionLost: boolean } {
  const client = useRunsClient();
  const actions = useActions();
  const { playbook_id, playbook_version, steps } = run;
  const { data: playbook, isPending } = useQuery({
    queryKey: runKeys.playbook(playbook_id, playbook_version),
    queryFn: ({ signal }) => client.playbookThen(playbook_id, playbook_version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    lines: playbook ? buildStepLines(playbook.steps, actions, steps) : buildRunLines(actions, steps),
    isVersionLost: !playbook && !isPending,
  };
}

/** Loads the alert or the case of the run if the step references one of its fields. */
function useSubject(name: "alert" | "case", id: string | null, placeholders: readonly string[]) {
  const client = useRunsClient();
  const mayRead = useMay(name === "alert" ? "alerts:read" : "cases:read");
  const isNamed = placeholders.some((path) => path.startsWith(`${name}.`));
  const path = `/${name}s/${encodeURIComponent(id ?? "")}`;
  const { data } = useQuery({
    queryKey: runKeys.record(path),
    queryFn: ({ signal }) => client.record(path, signal),
    enabled: mayRead && isNamed && id !== null,
  });
  return { data, isNamed };
}

/** The input of a step: its parameters with the values of the run. */
export function useStepInput(run: RunDetail, template: object | undefined) {
  const placeholders = listPlaceholders(template);
  const alert = useSubject("alert", run.alert_id, placeholders);
  const found = useSubject("case", run.case_id, placeholders);
  const scope: TemplateScope = {
    alert: alert.data,
    case: found.data,
    parameters: run.parameters,
    execution: { id: run.execution_id, playbook_id: run.playbook_id, actor: run.requested_by },
    steps: Object.fromEntries(
      run.steps
        .filter(({ part }) => part === "step")
        .map(({ step_id, result, status, error }) => [step_id, { ...result, status, error }]),
    ),
  };
  return {
    input: template && fillTemplate(template, scope),
    /** Values of the alert or the case may have changed since. */
    isOfNow: alert.isNamed || found.isNamed,
  };
}
