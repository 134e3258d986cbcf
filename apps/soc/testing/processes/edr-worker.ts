import { readFileSync } from "node:fs";
import process from "node:process";
import { createClock } from "@kit/clock";
import { createIds } from "@kit/clock/ids";
import { silentLog } from "@kit/log/silent";
import { createDatabase } from "../../src/adapters/postgres.ts";
import { buildShowcase } from "../../src/demo/showcase.ts";
import { createBase } from "../../src/foundation/base.ts";
import { createShowcaseClock } from "../../src/foundation/showcase/showcase-clock.ts";
import { LOCAL_YAML } from "../../src/foundation/yaml/local-yaml.ts";
import { edrParts } from "../harness/edr-parts.ts";

const { EDR_DATABASE, EDR_ADAPTER = "", EDR_KEY_FILE = "", EDR_ENDPOINT = "", EDR_MIGRATIONS = "" } = process.env;

// Requests one isolation like an HTTP request does, in a process that a test can kill.
const clock = createClock();
const database = createDatabase({
  url: EDR_DATABASE,
  migrationsFolder: EDR_MIGRATIONS,
  clock,
  log: silentLog,
  onFirstAnswer: async () => undefined,
});
const base = createBase({
  yaml: LOCAL_YAML,
  mode: "real",
  database,
  showcase: createShowcaseClock(clock, buildShowcase),
  clock,
  ids: createIds(clock),
  log: silentLog,
});
await base.runtime.truth();
const key = Buffer.from(readFileSync(EDR_KEY_FILE, "utf8").trim());
const { commands } = await edrParts(base, { url: EDR_ADAPTER, key });
process.stdout.write("EDR worker is ready\n");
const caller = { kind: "user", username: "amina", role: "tier3" } as const;
await commands.run(caller, { endpoint_id: EDR_ENDPOINT, action: "isolate", body: { reason: "it spreads" } });
process.stdout.write("EDR worker is done\n");
