import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type StartedProcess, startProcess } from "@kit/testing/process";
import { buildEntry } from "./build-entry.ts";
import type { Fleet } from "./device-simulator.ts";

export interface FleetState {
  connected: number;
  /** How often a device has connected. */
  joins: number;
  requests: number;
  repeated: number;
  receipts: number;
  answers: number;
}

export interface DeviceSimulator {
  start(): Promise<void>;
  state(): FleetState;
  stop(signal?: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

const NONE: FleetState = { connected: 0, joins: 0, requests: 0, repeated: 0, receipts: 0, answers: 0 };
const TAIL = 500;

/** Prepares a process with all devices of the fleet. Their stored requests survive a kill. */
export async function prepareSimulator(fleet: Fleet, slowMs = 5000): Promise<DeviceSimulator> {
  const folder = await mkdtemp(join(tmpdir(), "simulator-"));
  const [file, journal] = [join(folder, "fleet.json"), join(folder, "journal")];
  await writeFile(file, JSON.stringify(fleet), { mode: 0o600 });
  let running: StartedProcess | undefined;
  return {
    async start() {
      running = await startProcess({
        command: process.execPath,
        args: ["--max-old-space-size=4096", await buildEntry("device-simulator.ts")],
        env: { SIMULATOR_FLEET: file, SIMULATOR_JOURNAL: journal, SIMULATOR_SLOW_MS: String(slowMs) },
        readyWhen: /simulator is ready/,
        withinMs: 120_000,
      });
    },
    state() {
      const lines = (running?.output() ?? "").slice(-TAIL).split("\n");
      const last = lines.findLast((line) => /^\{.*\}$/.test(line));
      return last === undefined ? NONE : JSON.parse(last);
    },
    async stop(signal = "SIGKILL") {
      await running?.stop(signal);
    },
    async remove() {
      await running?.stop("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
