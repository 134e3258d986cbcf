import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField, Problem } from "@kit/problem";
import Type from "typebox";
import Value from "typebox/value";
import type { FirmwareUpdater } from "../ota/firmware-updater.ts";

export interface SimulatedUpdaterDeps {
  clock: Pick<Clock, "sleep">;
  ids: Pick<Ids, "next">;
}

export const SIMULATED_COMPATIBLE = "manara-player-simulated";
export const SIMULATED_SIGNER = "simulator";

/** A simulated bundle: this header as one line of JSON, then the payload. */
const Head = Type.Object({
  signer: Type.Literal(SIMULATED_SIGNER),
  compatible: Type.String(),
  version: Type.String(),
  sha256: Type.String(),
});

const MAX_HEAD_BYTES = 4096;
const STEP_MS = 200;
const STEPS = 10;
const RESTART_MS = 1000;

/** Two slots in memory; restarts are simulated. */
export function createSimulatedUpdater({ clock, ids }: SimulatedUpdaterDeps): FirmwareUpdater {
  let running: "a" | "b" = "a";
  let next: "a" | "b" = "a";
  let bootId = ids.next();
  const hashes: Record<"a" | "b", string | null> = { a: null, b: null };
  const other = () => (running === "a" ? "b" : "a");

  return {
    running: async () => ({ slot: running, bootId, compatible: SIMULATED_COMPATIBLE }),

    slots: async () => (["a", "b"] as const).map((name) => ({ name, is_booted: name === running, hash: hashes[name] })),

    async inspect(path, field) {
      const { head } = await readHead(path);
      if (!Value.Check(Head, head)) throw invalidField(field, "is no bundle with a valid signature");
      return { version: head.version, compatible: head.compatible };
    },

    async install(path, onProgress) {
      const { head, sizeBytes } = await readHead(path);
      for (let step = 1; step <= STEPS; step += 1) {
        await clock.sleep(STEP_MS);
        onProgress((step / STEPS) * 100);
      }
      if (!Value.Check(Head, head) || head.sha256 !== (await digestOf(path, sizeBytes))) {
        throw new Problem("failed", "firmware: the bundle is no sound firmware bundle");
      }
      next = other();
      hashes[next] = head.sha256;
    },

    async markGood() {
      next = running;
    },

    async markBad() {
      next = other();
    },

    async reboot() {
      await clock.sleep(RESTART_MS);
      running = next;
      bootId = ids.next();
    },
  };
}

async function readHead(path: string): Promise<{ head: unknown; sizeBytes: number }> {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(MAX_HEAD_BYTES) });
    const sizeBytes = buffer.indexOf("\n") + 1;
    return { head: parseJson(buffer.subarray(0, sizeBytes).toString("utf8")), sizeBytes };
  } finally {
    await file.close();
  }
}

async function digestOf(path: string, start: number): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { start }), hash);
  return hash.digest("hex");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
