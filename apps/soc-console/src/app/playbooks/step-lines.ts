import type { Playbook, PlaybookAction, PlaybookStep, RunStep } from "./playbooks-client.ts";

/** How far the undo path of a run reaches at a step. */
export type WayBack = "none" | "begins" | "passes" | "ends";

/** One step of a playbook, with its state in a run. */
export interface StepLine {
  id: string;
  number: number;
  name: string;
  action: string;
  /** Running the step has effects outside the platform. */
  isLeaving: boolean;
  /** The action that undoes it. */
  undo: string | undefined;
  isUndoLeaving: boolean;
  when: string | null;
  /** Maximum number of attempts. */
  maxAttempts: number;
  /** The step in the playbook; undefined if that version is no longer stored. */
  step: PlaybookStep | undefined;
  /** Undefined until the step starts. */
  run: RunStep | undefined;
  undoRun: RunStep | undefined;
  back: WayBack;
}

type Actions = ReadonlyMap<string, Pick<PlaybookAction, "leaves_platform">>;

const isLeaving = (actions: Actions, name: string | undefined) =>
  name !== undefined && actions.get(name)?.leaves_platform === true;

/** The steps of a playbook in order, with their state in a run, if one is given. */
export function buildStepLines(
  steps: readonly PlaybookStep[],
  actions: Actions,
  run: readonly RunStep[] = [],
): StepLine[] {
  const find = (id: string, part: RunStep["part"]) => run.find((each) => each.step_id === id && each.part === part);
  const lines = steps.map((step, at): StepLine => {
    const undo = step.compensate?.action;
    return {
      id: step.id,
      number: at + 1,
      name: step.name,
      action: step.action,
      isLeaving: isLeaving(actions, step.action),
      undo,
      isUndoLeaving: isLeaving(actions, undo),
      when: step.when,
      maxAttempts: step.retries + 1,
      step,
      run: find(step.id, "step"),
      undoRun: find(step.id, "compensation"),
      back: "none",
    };
  });
  return markWayBack(lines);
}

/** The steps that a run has started, if the version of its playbook cannot be read. */
export function buildRunLines(actions: Actions, run: readonly RunStep[]): StepLine[] {
  const begun = run.filter(({ part }) => part === "step");
  const lines = begun.map((each, at): StepLine => {
    const undoRun = run.find(({ step_id, part }) => step_id === each.step_id && part === "compensation");
    return {
      id: each.step_id,
      number: at + 1,
      name: each.name,
      action: each.action,
      isLeaving: isLeaving(actions, each.action),
      undo: undoRun?.action,
      isUndoLeaving: isLeaving(actions, undoRun?.action),
      when: null,
      maxAttempts: each.attempt,
      step: undefined,
      run: each,
      undoRun,
      back: "none",
    };
  });
  return markWayBack(lines);
}

/** From the last started step, where the run turned back, to the first one that it undoes. */
function markWayBack(lines: readonly StepLine[]): StepLine[] {
  const first = lines.findIndex(({ undoRun }) => undoRun !== undefined);
  const turn = lines.findLastIndex(({ run }) => run !== undefined);
  if (first < 0) return [...lines];
  return lines.map((line, at) => ({ ...line, back: findBack(at, first, turn) }));
}

function findBack(at: number, first: number, turn: number): WayBack {
  if (at < first || at > turn) return "none";
  if (at === first) return "ends";
  return at === turn ? "begins" : "passes";
}

/** Duration of a step in milliseconds, so far if it still runs; undefined if it has not started. */
export function stepDuration(run: Pick<RunStep, "started_at" | "finished_at"> | undefined, now: Date) {
  if (!run) return undefined;
  const end = run.finished_at === null ? now.getTime() : Date.parse(run.finished_at);
  return Math.max(0, end - Date.parse(run.started_at));
}

/** The effects of cancelling a run. */
export interface Withdrawal {
  /** Steps that will never start. */
  notBegun: StepLine[];
  /** The waiting step, whose approval is withdrawn. */
  waiting: StepLine | undefined;
  /** Steps that are undone, in the order of the undo. */
  undone: StepLine[];
  /** Completed steps that no action can undo. */
  stays: StepLine[];
}

export function findWithdrawal(lines: readonly StepLine[]): Withdrawal {
  const isDone = ({ run }: StepLine) => run?.status === "completed";
  return {
    notBegun: lines.filter(({ run }) => run === undefined),
    waiting: lines.find(({ run }) => run?.status === "waiting"),
    undone: lines.filter((line) => isDone(line) && line.undo !== undefined).toReversed(),
    stays: lines.filter((line) => isDone(line) && line.undo === undefined),
  };
}

/** The actions of a playbook that have outside effects, also those that undo a step, without duplicates. */
export function listLeaving({ steps }: Pick<Playbook, "steps">, actions: Actions): string[] {
  const names = steps.flatMap(({ action, compensate }) => [action, ...(compensate ? [compensate.action] : [])]);
  return [...new Set(names.filter((name) => isLeaving(actions, name)))];
}
