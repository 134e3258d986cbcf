import type { Log } from "@kit/log";
import { Problem } from "@kit/problem";
import type { SystemBody } from "./system.schema.ts";

type BootFailure = SystemBody["boot_failures"][number];

/** The components that did not start. Everything else works without them. */
export function createBootFailures(log: Pick<Log, "warn">) {
  const failures = new Map<string, BootFailure>();

  async function settle(component: string, started: Promise<void>): Promise<void> {
    try {
      await started;
    } catch (error) {
      log.warn({ err: error, component }, "component failed to start");
      const why = error instanceof Problem ? error.message : "internal error";
      failures.set(component, { component, error: why.replace(new RegExp(`^${component}: `), "") });
    }
  }

  return {
    watch: (component: string, started: Promise<void>): void => void settle(component, started),
    list: (): BootFailure[] => [...failures.values()],
  };
}
