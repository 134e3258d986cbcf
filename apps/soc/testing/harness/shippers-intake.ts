import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createAuditStore } from "../../src/foundation/audit/audit.store.ts";
import type { Base } from "../../src/foundation/base.ts";
import { createIntakeParts, type IntakePartsNeeds } from "../../src/logs/intake.feature.ts";

export type IntakeOptions = Pick<Base, "db"> &
  Pick<IntakePartsNeeds, "logStore"> &
  Partial<Pick<IntakePartsNeeds, "name" | "hasSession" | "alerts" | "streams" | "limits">> & {
    log?: Base["log"];
  };

const noAlerts: IntakePartsNeeds["alerts"] = {
  create: async () => {
    throw new Error("unexpected alert about a silent source");
  },
  closeByItself: async () => undefined,
};

/** The intake as the product assembles it, on a database and a log store. Its workers are not started. */
export function createIntake({ db, name = "box", log = silentLog, alerts = noAlerts, ...options }: IntakeOptions) {
  const clock = createClock();
  const ids = createIds(clock);
  const surroundings = { db, clock, ids, log, audit: createAuditStore(ids), runtime: { choose: chooseDatabase } };
  return { ...createIntakeParts(surroundings, { ...options, alerts, name, uncertainMs: 0 }), clock };
}

async function chooseDatabase<Source>({ database }: { database: Source }): Promise<Source> {
  return database;
}
