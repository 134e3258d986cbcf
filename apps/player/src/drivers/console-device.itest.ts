import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { createConsoleDevice } from "./console-device.ts";

const SECRET = "Device token: c0ffee\n";

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "console-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "console");
  const warnings: unknown[] = [];
  const device = createConsoleDevice({ path, log: { warn: (fields, message) => warnings.push({ fields, message }) } });
  return { path, device, warnings };
}

it("writes to a terminal that a person reads", async () => {
  const { path, device, warnings } = await setUp();
  // A pipe, because a test has no serial line.
  await promisify(execFile)("mkfifo", [path]);
  const reader = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
  onTestFinished(() => reader.close());
  device.write(SECRET);
  const { bytesRead, buffer } = await vi.waitFor(() => reader.read(Buffer.alloc(100), 0, 100), { timeout: 5000 });
  expect(buffer.subarray(0, bytesRead).toString()).toBe(SECRET);
  expect(warnings).toEqual([]);
});

it("writes no secret to a file that collects output", async () => {
  const { path, device, warnings } = await setUp();
  await writeFile(path, "log\n");
  device.write(SECRET);
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  expect(await readFile(path, "utf8")).toBe("log\n");
});

it("continues, and logs no secret, when there is no terminal or no person reads it", async () => {
  const { path, device, warnings } = await setUp();
  device.write(SECRET);
  await vi.waitFor(() => expect(warnings).toHaveLength(1));
  await promisify(execFile)("mkfifo", [path]);
  device.write(SECRET);
  await vi.waitFor(() => expect(warnings).toHaveLength(2));
  expect(JSON.stringify(warnings)).not.toContain("c0ffee");
});
