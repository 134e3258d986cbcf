import { join } from "node:path";
import process from "node:process";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import type { RelayWorld } from "../harness/relay-world.ts";
import { buildEntry } from "./build-entry.ts";

const MIGRATIONS = join(import.meta.dirname, "../../src/migrations");

/** Starts a relay with the attestation worker, on the database and the broker of the world. */
export async function startRelayProcess({ world, mosquitto }: RelayWorld): Promise<StartedProcess> {
  return startProcess({
    command: process.execPath,
    args: [await buildEntry("relay-worker.ts")],
    env: {
      RELAY_DATABASE: world.platform.url ?? "",
      RELAY_MIGRATIONS: MIGRATIONS,
      RELAY_BROKER: mosquitto.url,
      RELAY_FOLDER: world.dataFolder,
    },
    readyWhen: /relay is ready/,
    withinMs: 60_000,
  });
}
