const STEPS = ["language", "token", "place", "time", "adhan", "done"] as const;
export type Step = (typeof STEPS)[number];

/** The way through the guide. A browser that has the token is not asked for it. */
export function stepsFor(hasToken: boolean): Step[] {
  return STEPS.filter((step) => step !== "token" || !hasToken);
}

/** The step so many further on; the first and the last one are the ends. */
export function shiftStep(steps: readonly Step[], step: Step, distance: number): Step {
  const to = Math.min(steps.length - 1, Math.max(0, steps.indexOf(step) + distance));
  return steps[to] ?? step;
}
