const STEPS = ["language", "token", "wifi", "place", "time", "adhan", "done"] as const;
export type Step = (typeof STEPS)[number];

/** The steps of the guide. A browser that has the token skips its step, and a player that has Wi-Fi that one. */
export function stepsFor({ hasToken, hasWifi }: { hasToken: boolean; hasWifi: boolean }): Step[] {
  return STEPS.filter((step) => !(step === "token" && hasToken) && !(step === "wifi" && hasWifi));
}

/** Moves by that many steps, clamped to the first and the last one. */
export function shiftStep(steps: readonly Step[], step: Step, distance: number): Step {
  const to = Math.min(steps.length - 1, Math.max(0, steps.indexOf(step) + distance));
  return steps[to] ?? step;
}
