import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import process from "node:process";
import { createClock } from "@kit/clock";
import { openRequestJournal, type StoredRequest } from "../fixtures/request-journal.ts";
import { createSimulatedDevice, type FleetDevice, type SimulatedDevice } from "../fixtures/simulated-device.ts";

/** The broker and the devices, as the test writes them into a file. */
export interface Fleet {
  broker: { host: string; port: number; ca: string };
  devices: FleetDevice[];
}

const { SIMULATOR_FLEET = "", SIMULATOR_JOURNAL = "", SIMULATOR_SLOW_MS = "5000" } = process.env;
/** Concurrent handshakes. */
const CONNECTING = 40;
const REPORT_MS = 500;
const CHANCES = 1_000_000;

// Thousands of devices in a process that a test can kill. It prints their state as lines of JSON.
const clock = createClock();
const { broker, devices: fleet }: Fleet = JSON.parse(readFileSync(SIMULATOR_FLEET, "utf8"));
const journal = await openRequestJournal(SIMULATOR_JOURNAL);
const counts = { joins: 0, requests: 0, repeated: 0, receipts: 0, answers: 0 };
const stored = new Map<string, StoredRequest[]>();
for (const request of journal.list()) {
  stored.set(request.device_id, [...(stored.get(request.device_id) ?? []), request]);
}

let free = CONNECTING;
const queue: (() => void)[] = [];
async function takeTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (free === 0) await new Promise<void>((resolve) => queue.push(resolve));
  else free -= 1;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  }
}

const devices: SimulatedDevice[] = fleet.map((device) =>
  createSimulatedDevice({
    ...{ device, broker, journal, stored: stored.get(device.id) ?? [], slowMs: Number(SIMULATOR_SLOW_MS) },
    random: () => randomInt(CHANCES) / CHANCES,
    takeTurn,
    count: (what) => {
      counts[what] += 1;
    },
    clock,
  }),
);
for (const device of devices) device.start();
process.once("SIGTERM", () => process.exit(0));
process.stdout.write("simulator is ready\n");
for (;;) {
  const connected = devices.filter((device) => device.isConnected()).length;
  process.stdout.write(`${JSON.stringify({ connected, ...counts })}\n`);
  await clock.sleep(REPORT_MS);
}
