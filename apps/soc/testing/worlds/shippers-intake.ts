import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createIntakeParts, type IntakePartsDeps } from "../../src/logs/intake/intake-parts.worker.ts";

export type IntakeOptions = Pick<IntakePartsDeps, "db" | "logStore" | "limits"> &
  Partial<Pick<IntakePartsDeps, "name" | "log" | "alerts" | "stream">>;

const noAlerts: IntakePartsDeps["alerts"] = {
  create: async () => {
    throw new Error("no source falls silent here");
  },
};

/** The intake put together as the product does it, on a database and a log store. Its worker is not started. */
export function createIntake({ name = "box", log = silentLog, alerts = noAlerts, ...options }: IntakeOptions) {
  const clock = createClock();
  const parts = createIntakeParts({
    ...options,
    alerts,
    runtime: { choose: async ({ database }) => database },
    name,
    unsettledMs: 0,
    clock,
    ids: createIds(clock),
    log,
  });
  return { ...parts, clock };
}
