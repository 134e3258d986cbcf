import { freePort } from "@kit/testing/process";
import { type StartedSoc, startSoc } from "../client.ts";
import { startDatabase, type TestDatabase } from "../database.ts";
import { plantPayloads } from "./plant-payloads.ts";
import { type SeededRecords, type SeedOptions, seed } from "./seed.ts";

export interface SeededSoc extends StartedSoc {
  database: TestDatabase;
  furnished: SeededRecords;
  url: string;
  devicesPort: number;
  stop(): Promise<void>;
}

const MANY = "1000000";
/** A busy machine is not what these tests are about. */
const PATIENT_MS = "15000";

/** A real SOC with its own PostgreSQL and log engine, filled by its API. */
export async function startSeededSoc(
  sizes: Pick<SeedOptions, "alerts" | "logs"> = {},
  env: Record<string, string> = {},
): Promise<SeededSoc> {
  const soc = await startEmptySoc(env);
  const { url, client, devicesPort } = soc;
  return { ...soc, furnished: await seed({ url, client, devicesPort, ...sizes }) };
}

export interface PlantedSoc extends Omit<SeededSoc, "furnished"> {
  planted: Omit<SeededRecords, "as">;
}

/** The same with a hostile text in every field. */
export async function startPlantedSoc(): Promise<PlantedSoc> {
  const soc = await startEmptySoc({});
  return { ...soc, planted: await plantPayloads(soc.client, soc.devicesPort) };
}

async function startEmptySoc(env: Record<string, string>) {
  const [database, devicesPort] = await Promise.all([startDatabase(), freePort()]);
  const soc = await startSoc(database.url, {
    SOC_DEVICES_HOST: "127.0.0.1",
    SOC_DEVICES_PORT: String(devicesPort),
    SOC_DEVICES_NAMES: "localhost",
    SOC_LIMIT_PLAYBOOK_PER_MINUTE: MANY,
    SOC_DATABASE_ANSWER_MS: PATIENT_MS,
    ...env,
  });
  return {
    ...soc,
    url: soc.service.url,
    devicesPort,
    database,
    async stop() {
      await soc.service.stop();
      await database.remove();
    },
  };
}
