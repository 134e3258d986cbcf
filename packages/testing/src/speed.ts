import process from "node:process";
import { BUDGETS, type Budget } from "./budgets.ts";

/** Prints a speed. `npm run bench -- speed` has the machine for itself, and fails when it is above its budget. */
export function checkSpeed(budget: Budget, value = Number.NaN): void {
  const words = `${budget}: ${value.toFixed(1)}, budget ${BUDGETS[budget]}`;
  process.stdout.write(`${words}\n`);
  if (process.env.BENCH_SPEED && !(value <= BUDGETS[budget])) throw new Error(`too slow: ${words}`);
}
