import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServiceNotifier } from "../src/system/service-notifier.ts";

export interface NotifierBench {
  notifier: ServiceNotifier;
  /** The messages that the service manager received, in order. */
  sent: () => readonly string[];
  remove: () => Promise<void>;
}

/** The contract of every notifier, in the format of sd_notify(3). */
export function describeServiceNotifier(name: string, create: () => Promise<NotifierBench>): void {
  describe(name, () => {
    let bench: NotifierBench;

    beforeAll(async () => {
      bench = await create();
    }, 60_000);

    afterAll(() => bench.remove());

    it("sends ready, alive and stopping", async () => {
      const { notifier, sent } = bench;
      await notifier.ready();
      await notifier.alive();
      await notifier.alive();
      await notifier.stopping();
      expect(sent()).toEqual(["READY=1", "WATCHDOG=1", "WATCHDOG=1", "STOPPING=1"]);
    });
  });
}
