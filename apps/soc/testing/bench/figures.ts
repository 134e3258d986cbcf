import process from "node:process";
import type { Clock } from "@kit/clock";

export interface Figures {
  p50: number;
  p95: number;
  max: number;
}

export function computeFigures(waitsMs: readonly number[]): Figures {
  const sorted = waitsMs.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

export const inWords = ({ p50, p95, max }: Figures) => [p50, p95, max].map((ms) => ms.toFixed(0)).join(" / ");

/** The duration of each piece of work, run in sequence. */
export async function time(clock: Pick<Clock, "monotonicMs">, works: readonly (() => Promise<unknown>)[]) {
  const waitsMs: number[] = [];
  for (const work of works) {
    const startMs = clock.monotonicMs();
    await work();
    waitsMs.push(clock.monotonicMs() - startMs);
  }
  return waitsMs;
}

/** The CPU time of the work in microseconds; other load on the machine is not included. */
export function measureCpuMicros(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Prints one figure as one line. */
export function print(line: string): void {
  process.stdout.write(`bench: ${line}\n`);
}
