import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { expect, it, onTestFinished } from "vitest";
import { reportToServiceManager } from "./service-manager.ts";

const clock = createClock();
/** The socket of a service manager: prints each datagram as a line. The program waits by a barrier until it was read. */
const RECEIVER = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM); s.bind(sys.argv[1]); print("listening", flush=True)
while True: print(s.recv(4096).decode().strip(), flush=True)`;

function createService() {
  let stops = 0;
  const stop = async () => {
    stops += 1;
  };
  return { service: { readyLine: "ready", stop }, stops: () => stops };
}

it("reports ready, alive at half of the watchdog's timeout until it stops, and stopping", async () => {
  const folder = await mkdtemp(join(tmpdir(), "notify-"));
  const socket = join(folder, "notify");
  const receiver = spawn("/usr/bin/python3", ["-c", RECEIVER, socket]);
  let output = "";
  receiver.stdout.on("data", (text: Buffer) => {
    output += text.toString();
  });
  await once(receiver.stdout, "data");
  onTestFinished(async () => {
    receiver.kill();
    await once(receiver, "exit");
    await rm(folder, { recursive: true });
  });
  const received = () => output.match(/^[A-Z]+=1$/gm)?.filter((line) => line !== "BARRIER=1") ?? [];
  const { service, stops } = createService();
  const environment = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: "400000" };
  const reporting = await reportToServiceManager(service, { environment, clock, log: silentLog });
  await expect.poll(() => received().length).toBeGreaterThanOrEqual(3);
  await reporting.stop();
  expect(stops()).toBe(1);
  await expect.poll(() => received().at(-1)).toBe("STOPPING=1");
  const [ready, ...others] = received();
  expect(ready).toBe("READY=1");
  expect(new Set(others.slice(0, -1))).toEqual(new Set(["WATCHDOG=1"]));
  await clock.sleep(500);
  expect(received().length).toBe(others.length + 1);
});

it("serves without a service manager, or when it does not answer", async () => {
  const { service, stops } = createService();
  const deaf = { NOTIFY_SOCKET: "/nonexistent/notify" };
  const reporting = await reportToServiceManager(service, { environment: deaf, clock, log: silentLog });
  await reporting.stop();
  expect(stops()).toBe(1);
  expect(await reportToServiceManager(service, { environment: {}, clock, log: silentLog })).toBe(service);
});
