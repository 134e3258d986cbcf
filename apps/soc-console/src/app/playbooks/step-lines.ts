import type { PlaybookAction, PlaybookStep, RunStep } from "./playbooks-client.ts";

/** How far the way back of an undone run reaches at a step. */
export type WayBack = "none" | "begins" | "passes" | "ends";

/** One step of a playbook, with what a run made of it. */
export interface StepLine {
  id: string;
  number: number;
  name: string;
  action: string;
  /** Something leaves the platform when it runs. */
  isLeaving: boolean;
  /** The action that undoes it. */
  undo: string | undefined;
  isUndoLeaving: boolean;
  when: string | null;
  /** How often it is tried at most. */
  maxAttempts: number;
  /** What the playbook says about it; undefined when its version is not known any more. */
  step: PlaybookStep | undefined;
  /** Undefined while the step has not begun. */
  run: RunStep | undefined;
  undoRun: RunStep | undefined;
  back: WayBack;
}

type Actions = ReadonlyMap<string, Pick<PlaybookAction, "leaves_platform">>;

const isLeaving = (actions: Actions, name: string | undefined) =>
  name !== undefined && actions.get(name)?.leaves_platform === true;

/** The steps of a playbook in their order; with a run, what became of each. */
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

/** The steps that a run has begun, when the version of its playbook cannot be read. */
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

/** From the last step that has begun, where the run turned, back to the first one that it undoes. */
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

/** How many milliseconds a step took, or takes so far; undefined when it has not begun. */
export function stepDuration(run: Pick<RunStep, "started_at" | "finished_at"> | undefined, now: Date) {
  if (!run) return undefined;
  const end = run.finished_at === null ? now.getTime() : Date.parse(run.finished_at);
  return Math.max(0, end - Date.parse(run.started_at));
}

/** What a run withdraws when it is cancelled. */
export interface Withdrawal {
  /** Steps that have not begun and never will. */
  notBegun: StepLine[];
  /** The step that waits: its approval is withdrawn. */
  waiting: StepLine | undefined;
  /** Steps that are undone, in the order in which that happens. */
  undone: StepLine[];
  /** Steps that are done and have nothing to undo them. */
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
