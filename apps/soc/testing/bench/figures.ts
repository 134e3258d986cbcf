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

/** How long each of the works took, one after the other. */
export async function time(clock: Pick<Clock, "monotonicMs">, works: readonly (() => Promise<unknown>)[]) {
  const waitsMs: number[] = [];
  for (const work of works) {
    const startMs = clock.monotonicMs();
    await work();
    waitsMs.push(clock.monotonicMs() - startMs);
  }
  return waitsMs;
}

/** The work's own time on the processor, in microseconds: what else the machine does is not in it. */
export function measureCpuMicros(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** One figure, as one line that a person can copy. */
export function print(line: string): void {
  process.stdout.write(`bench: ${line}\n`);
}
