import type { ServiceNotifier } from "../system/service-notifier.ts";

export interface SimulatedNotifier extends ServiceNotifier {
  /** What a service manager would have been told, the newest last. */
  told: () => readonly string[];
}

export function createSimulatedNotifier(): SimulatedNotifier {
  const told: string[] = [];
  const tell = async (state: string) => {
    told.push(state);
  };
  return {
    ready: () => tell("READY=1"),
    alive: () => tell("WATCHDOG=1"),
    stopping: () => tell("STOPPING=1"),
    told: () => told,
  };
}
