import type { SystemBody } from "@player/service/contract/system";
import { type ReadonlySignal, signal } from "@preact/signals";
import type { SystemAnswer } from "./system-client.ts";

export type SystemReading =
  | { state: "loading" }
  | { state: "here"; system: SystemBody }
  | { state: "away"; error: string | undefined; lastSystem: SystemBody | undefined };

export interface SystemReadings {
  reading: ReadonlySignal<SystemReading>;
  refresh: () => Promise<void>;
}

export function lastSystemOf(reading: SystemReading): SystemBody | undefined {
  switch (reading.state) {
    case "loading":
      return undefined;
    case "here":
      return reading.system;
    case "away":
      return reading.lastSystem;
    default:
      return reading satisfies never;
  }
}

export function createSystemReadings(readSystem: () => Promise<SystemAnswer>): SystemReadings {
  const reading = signal<SystemReading>({ state: "loading" });
  return {
    reading,
    async refresh() {
      const answer = await readSystem();
      reading.value = answer.isHere
        ? { state: "here", system: answer.system }
        : { state: "away", error: answer.error, lastSystem: lastSystemOf(reading.peek()) };
    },
  };
}
