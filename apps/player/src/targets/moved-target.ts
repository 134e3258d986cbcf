import { type CardMove, movePath, moveRecitation } from "../library/card-move.ts";
import type { Step, Target } from "./target.schema.ts";

/** The target after a move on the card; undefined when the move does not concern it. */
export function moveTarget(move: CardMove, target: Target): Target | undefined {
  if (target.type !== "sequence") return moveStep(move, target);
  const moved = target.steps.map((step) => moveStep(move, step));
  if (moved.every((step) => step === undefined)) return undefined;
  return { ...target, steps: target.steps.map((step, at) => moved[at] ?? step) };
}

function moveStep(move: CardMove, step: Step): Step | undefined {
  if (step.type === "file") {
    const path = movePath(move, step.path);
    return path === undefined ? undefined : { ...step, path };
  }
  if (step.type !== "surah") return undefined;
  const moved = moveRecitation(move, step);
  return moved && { ...step, ...moved };
}
