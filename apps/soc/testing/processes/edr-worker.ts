import { readFileSync } from "node:fs";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { createChangesService } from "../../src/foundation/runtime/changes.service.ts";
import { createRuntimeService } from "../../src/foundation/runtime/runtime.service.ts";
import { edrParts } from "../worlds/edr-parts.ts";

const { EDR_DATABASE, EDR_ADAPTER = "", EDR_KEY_FILE = "", EDR_ENDPOINT = "", EDR_MIGRATIONS = "" } = process.env;

// Asks for one isolation as a request would, in a process that a test can kill.
const clock = createClock();
const database = createDatabase({
  url: EDR_DATABASE,
  migrationsFolder: EDR_MIGRATIONS,
  clock,
  log: silentLog,
  onFirstAnswer: async () => undefined,
});
const { db } = database;
const runtime = createRuntimeService({ mode: "real", database });
await runtime.truth();
const surroundings = { db, runtime, ids: createIds(clock), changes: createChangesService({ runtime, db }), clock };
const key = Buffer.from(readFileSync(EDR_KEY_FILE, "utf8").trim());
const { actions } = await edrParts(surroundings, { url: EDR_ADAPTER, key });
process.stdout.write("EDR worker is ready\n");
const caller = { kind: "user", username: "amina", role: "tier3" } as const;
await actions.command(caller, EDR_ENDPOINT, "isolate", { reason: "it spreads" });
process.stdout.write("EDR worker is done\n");
