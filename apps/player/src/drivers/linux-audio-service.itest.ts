import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { startProcess } from "@kit/testing/process";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { describeAudioEngine } from "../../testing/audio-engine.contract.ts";
import { type MockBus, startMockBus } from "../../testing/mock-bus.ts";
import { createBus } from "./dbus.ts";
import { launchMpvByService } from "./linux-audio-service.ts";
import { mpvArguments } from "./mpv-arguments.ts";
import { createMpvEngine } from "./mpv-engine.ts";

const clock = createClock();
const NO_BUS = createBus({ address: "unix:path=/nonexistent/bus", clock });

/** systemd's own program for sockets: like the unit of the package it starts one mpv per connection, as descriptor 3. */
async function startSocket() {
  const folder = await mkdtemp(join(tmpdir(), "audio-service-"));
  const socketPath = join(folder, "audio.sock");
  const listener = await startProcess({
    command: "systemd-socket-activate",
    args: ["--accept", `--listen=${socketPath}`, "mpv", ...mpvArguments({ output: "null" })],
    readyWhen: /Listening on/,
  });
  return {
    socketPath,
    async remove() {
      await listener.stop();
      await rm(folder, { recursive: true });
    },
  };
}

describe("mpv of the audio service", () => {
  let service: Awaited<ReturnType<typeof startSocket>>;
  beforeAll(async () => {
    service = await startSocket();
  });
  afterAll(() => service.remove());

  describeAudioEngine("mpv of the audio service", () => {
    const launch = launchMpvByService({ socketPath: service.socketPath, bus: NO_BUS, clock, log: silentLog });
    return createMpvEngine({ clock, log: silentLog, launch });
  });
});

it("reports that the audio service cannot be reached", async () => {
  const launch = launchMpvByService({ socketPath: "/nonexistent/audio.sock", bus: NO_BUS, clock, log: silentLog });
  const engine = createMpvEngine({ clock, log: silentLog, launch });
  await expect(engine.start()).rejects.toMatchObject({
    kind: "failed",
    message: "audio: the audio service cannot be reached",
  });
  await engine.close();
});

const SYSTEMD = {
  destination: "org.freedesktop.systemd1",
  path: "/org/freedesktop/systemd1",
  interface: "org.freedesktop.systemd1.Manager",
};

describe("an mpv that hangs", () => {
  let mock: MockBus;
  beforeAll(async () => {
    mock = await startMockBus();
  });
  afterAll(() => mock.remove());

  it("an mpv that hangs is killed by systemd before the next one starts", async () => {
    const service = await startSocket();
    onTestFinished(() => service.remove());
    const systemd = await mock.play(SYSTEMD);
    const unit = "('manara-player-audio@3-815-998.service', '', 'loaded', 'active', 'running', '', '/', 0, '', '/')";
    const list = `killed = [call for call in self.call_log if call[1] == "KillUnit"]\nret = [] if killed else [${unit}]`;
    await systemd.becomes("ListUnitsByPatterns", ["asas", "a(ssssssouso)"], list);
    await systemd.becomes("KillUnit", ["ssi", ""], "");
    const launch = launchMpvByService({ socketPath: service.socketPath, bus: mock.bus, clock, log: silentLog });
    const { socket, kill } = await launch();
    kill();
    expect(socket.destroyed).toBe(true);
    const calls = await systemd.mock("GetMethodCalls", "s", ["KillUnit"]);
    expect(calls).toEqual([[expect.any(Number), ["manara-player-audio@3-815-998.service", "all", 9]]]);
  });
});
