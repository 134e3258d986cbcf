import { EventEmitter } from "node:events";
import { createFakeClock } from "@kit/clock/fake";
import { expect, it, vi } from "vitest";
import { formatServiceAddress, type Host, runService } from "./service.ts";

const STOP_MS = 9000;

async function startService(stop: () => Promise<void>) {
  const clock = createFakeClock();
  const signals = new EventEmitter();
  const exit = vi.fn();
  const error = vi.fn();
  const host = Object.assign(signals, { exit, stdout: { write: vi.fn() }, stderr: { write: vi.fn() } });
  await runService(host as unknown as Host, { clock, log: { error } }, async () => ({ readyLine: "ready", stop }));
  signals.emit("SIGTERM");
  return { clock, exit, error };
}

it("exits with 0 after the service has stopped, and with 1 and the reason when stopping fails", async () => {
  const stopped = await startService(() => Promise.resolve());
  await stopped.clock.advance(0);
  expect(stopped.exit.mock.calls).toEqual([[0]]);
  expect(stopped.error).not.toHaveBeenCalled();

  const failed = await startService(() => Promise.reject(new Error("no database")));
  await failed.clock.advance(0);
  expect(failed.exit.mock.calls).toEqual([[1]]);
  expect(failed.error.mock.calls).toEqual([[{ err: new Error("no database") }, "stopping failed"]]);
});

it("reports that stopping took too long before it ends the process", async () => {
  const { clock, exit, error } = await startService(() => new Promise(() => undefined));
  await clock.advance(STOP_MS - 1);
  expect(exit).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(exit.mock.calls).toEqual([[1]]);
  expect(error.mock.calls).toEqual([[{ afterMs: STOP_MS }, "stopping took too long, the process ends now"]]);
});

it.each([
  ["127.0.0.1", true, "https://localhost:8443"],
  ["::1", true, "https://localhost:8443"],
  ["0.0.0.0", false, "http://localhost:8443"],
  ["::", false, "http://localhost:8443"],
  ["192.168.4.7", true, "https://192.168.4.7:8443"],
  ["fd12:3456:789a::a1", true, "https://[fd12:3456:789a::a1]:8443"],
  ["player.local", true, "https://player.local:8443"],
])("prints the address of a service on %s (TLS: %s) as %s", (host, hasTls, address) => {
  expect(formatServiceAddress({ host, port: 8443, hasTls })).toBe(address);
});
