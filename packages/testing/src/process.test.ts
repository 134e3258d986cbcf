import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePort, startProcess } from "./process.ts";

const node = (script: string) => ({ command: process.execPath, args: ["-e", script] });

it("waits for the ready line and stops by signal", async () => {
  const started = await startProcess({
    ...node(
      "process.on('SIGTERM', () => process.exit(7)); setTimeout(() => console.log('ready'), 50); setInterval(() => {}, 1e6)",
    ),
    readyWhen: /ready/,
  });
  expect(started.output()).toContain("ready");
  expect(await started.stop()).toBe(7);
  expect(await started.stop()).toBe(7);
});

it("reports the output of a server that did not become ready", async () => {
  const failing = startProcess({ ...node("console.error('no such folder'); process.exit(3)"), readyWhen: /ready/ });
  await expect(failing).rejects.toThrow(/exit code 3[\s\S]*no such folder/);
});

it("finds a port that a server can open", async () => {
  const port = await freePort();
  await new Promise<void>((resolve, reject) => {
    const server = createServer().listen(port, "127.0.0.1", () => server.close(() => resolve()));
    server.on("error", reject);
  });
});
