import { sendSignal, startProcess } from "@kit/testing/process";
import { describe, expect, it, onTestFinished } from "vitest";

const ROOT = new URL("../", import.meta.url).pathname;

/** A small service as the products run theirs. On SIGUSR2 it runs the given code. */
async function start(code: string) {
  const program = `
    import { runService } from "${ROOT}packages/http/dist/service.js";
    import { createClock } from "${ROOT}packages/clock/dist/clock.js";
    import { createLog } from "${ROOT}packages/log/dist/log.js";
    import { Problem } from "${ROOT}packages/problem/dist/problem.js";
    const clock = createClock();
    const log = createLog({ clock, level: "info" });
    process.on("SIGUSR2", () => { ${code} });
    const alive = setInterval(() => console.log("alive"), 50);
    await runService(process, { clock, log }, async () => ({
      readyLine: "ready",
      async stop() { console.log("stopped in order"); },
    }));
  `;
  const service = await startProcess({
    command: process.execPath,
    args: ["--input-type=module", "--eval", program],
    readyWhen: /^ready$/m,
  });
  onTestFinished(async () => {
    await service.stop("SIGKILL");
  });
  return service;
}

const countAlive = (output: string) => output.split("alive").length;

describe("unexpected errors of a service", () => {
  it.each([
    ["a promise that nothing awaits", `void Promise.reject(new Problem("failed", "storage: full"));`],
    ["an event listener", `throw new Problem("failed", "storage: full");`],
  ])("do not stop it after a Problem in %s, which it logs", async (_where, code) => {
    const service = await start(code);
    sendSignal(service.pid, "SIGUSR2");
    await expect.poll(() => service.output()).toContain("storage: full");
    const before = countAlive(service.output());
    await expect.poll(() => countAlive(service.output())).toBeGreaterThan(before + 2);
    expect(await service.stop()).toBe(0);
  });

  it.each([
    ["a promise that nothing awaits", "void Promise.reject(new TypeError('our own error'));"],
    ["an event listener", "throw new TypeError('our own error');"],
  ])("stop it in order after an unknown error in %s, so that it is restarted", async (_where, code) => {
    const service = await start(code);
    sendSignal(service.pid, "SIGUSR2");
    await expect.poll(() => service.output()).toContain("stopped in order");
    expect(service.output()).toContain("our own error");
    // The process exits on its own, so the signal finds none.
    await expect.poll(() => isAlive(service.pid)).toBe(false);
    expect(await service.stop()).toBe(70);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
