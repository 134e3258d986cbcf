import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { FirmwareSlot } from "../../ota/firmware-updater.ts";
import { createMeasure } from "./measurement.ts";
import { hashProgram } from "./program-hash.ts";

const ASKED = { device_id: "d", request_id: "r", nonce: "00" };
const HASH = "0a".repeat(32);

function makeProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), "program-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "z"));
  for (const name of ["main.js", "chunk-B.js", "chunk-a.js", "z/deep.js"]) writeFileSync(join(folder, name), name);
  writeFileSync(join(folder, "large.js"), Buffer.alloc(3_000_000, "x"));
  return folder;
}

async function measure(slots: FirmwareSlot[], folder = makeProgram()) {
  const take = createMeasure({
    updater: { slots: async () => slots },
    boot: { read: async () => ({ id: "boot", uptime_ms: 5 }) },
    program: { version: "1.2.3", node: "v24.1.0", kernel: "6.12.1", folder },
  });
  return JSON.parse(await take(ASKED));
}

it("hashes the program as the documented command does", async () => {
  const folder = makeProgram();
  const command = "find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum";
  const expected = execFileSync("sh", ["-c", command], { cwd: folder }).toString().slice(0, 64);
  expect(await hashProgram(folder)).toBe(expected);
  expect(await hashProgram(`${folder}/`)).toBe(expected);
});

describe("a measurement", () => {
  it("a measurement has the digest of the booted slot, when it is known", async () => {
    const slots = [
      { name: "rootfs.0", is_booted: false, hash: null },
      { name: "rootfs.1", is_booted: true, hash: HASH.toUpperCase() },
    ];
    expect(await measure(slots)).toEqual({
      ...ASKED,
      firmware: { version: "1.2.3", hash: HASH },
      boot: { id: "boot", uptime_ms: 5 },
      slots: [slots[0], { name: "rootfs.1", is_booted: true, hash: HASH }],
      components: [
        { name: "manara-player", version: "1.2.3" },
        { name: "node", version: "v24.1.0" },
        { name: "kernel", version: "6.12.1" },
      ],
    });
  });

  it.each([
    ["no slots", []],
    ["a booted slot of unknown content", [{ name: "a", is_booted: true, hash: null }]],
    ["a digest that is none", [{ name: "a", is_booted: true, hash: "unknown" }]],
  ])("a measurement has the digest of the program with %s", async (_what, slots) => {
    const folder = makeProgram();
    const measured = await measure(slots, folder);
    expect(measured.firmware.hash).toBe(await hashProgram(folder));
    expect(measured.slots).toEqual(slots.map((slot) => ({ ...slot, hash: null })));
  });

  it("a measurement has at most the 16 slots that the platform accepts", async () => {
    const slots = Array.from({ length: 20 }, (_each, at) => ({ name: `s${at}`, is_booted: false, hash: null }));
    expect((await measure(slots)).slots).toHaveLength(16);
  });
});
