import { createFakeClock } from "@kit/clock/fake";
import { silentLog } from "@kit/log/silent";
import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createSimulatedNotifier } from "../drivers/simulated-notifier.ts";
import { createWatchdogService } from "./watchdog.service.ts";

it("notifies the service manager at half of the timeout, and when it stops", async () => {
  const clock = createFakeClock();
  const notifier = createSimulatedNotifier();
  const watchdog = createWatchdogService({ notifier, watchdogMs: 10_000, clock, log: silentLog });
  await watchdog.start();
  await clock.advance(20_000);
  await watchdog.close();
  await clock.advance(20_000);
  expect(notifier.sent()).toEqual(["READY=1", ...Array<string>(4).fill("WATCHDOG=1"), "STOPPING=1"]);
});

it("only reports ready when there is no watchdog", async () => {
  const clock = createFakeClock();
  const notifier = createSimulatedNotifier();
  const watchdog = createWatchdogService({ notifier, watchdogMs: undefined, clock, log: silentLog });
  await watchdog.start();
  await clock.advance(600_000);
  expect(notifier.sent()).toEqual(["READY=1"]);
});

it("does nothing without a service manager", async () => {
  const clock = createFakeClock();
  const watchdog = createWatchdogService({ notifier: undefined, watchdogMs: 10, clock, log: silentLog });
  await watchdog.start();
  await clock.advance(100);
  await watchdog.close();
});

it("continues when the service manager cannot be notified", async () => {
  const clock = createFakeClock();
  const simulated = createSimulatedNotifier();
  let isDeaf = false;
  const notifier = {
    ...simulated,
    alive: async () => {
      if (isDeaf) throw new Problem("failed", "notifier: the service manager cannot be notified");
      await simulated.alive();
    },
  };
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (fields: object) => warnings.push(fields) };
  const watchdog = createWatchdogService({ notifier, watchdogMs: 10_000, clock, log });
  await watchdog.start();
  isDeaf = true;
  await clock.advance(5000);
  isDeaf = false;
  await clock.advance(5000);
  await watchdog.close();
  expect(notifier.sent()).toEqual(["READY=1", "WATCHDOG=1", "STOPPING=1"]);
  expect(warnings).toHaveLength(1);
});
