import type { ServiceNotifier } from "../system/service-notifier.ts";

export interface SimulatedNotifier extends ServiceNotifier {
  /** The messages for a service manager, the newest last. */
  sent: () => readonly string[];
}

export function createSimulatedNotifier(): SimulatedNotifier {
  const sent: string[] = [];
  const notify = async (state: string) => {
    sent.push(state);
  };
  return {
    ready: () => notify("READY=1"),
    alive: () => notify("WATCHDOG=1"),
    stopping: () => notify("STOPPING=1"),
    sent: () => sent,
  };
}
