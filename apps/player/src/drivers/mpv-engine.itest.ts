import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, createClock } from "@kit/clock";
import { silentLog } from "@kit/log/silent";
import { sendSignal } from "@kit/testing/process";
import { checkSpeed } from "@kit/testing/speed";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { describeAudioEngine, fileSource, recordEvents } from "../../testing/audio-engine.contract.ts";
import { startRadio } from "../../testing/radio.ts";
import { LONG_FILE, makeSounds, type Sounds } from "../../testing/sounds.ts";
import type { AudioEngine } from "../playback/audio-engine.ts";
import { mpvArguments } from "./mpv-arguments.ts";
import { createMpvEngine } from "./mpv-engine.ts";
import { createMpvIpc } from "./mpv-ipc.ts";

/** Another mpv than the installed one, to try the same suite with it. */
const MPV = process.env.PLAYER_TEST_MPV ?? "mpv";
const clock = createClock();
/** Sleeps a twentieth of the requested time. */
const hastyClock: Clock = { ...clock, sleep: (ms, signal) => clock.sleep(ms / 20, signal) };

describeAudioEngine("mpv", () => createMpvEngine({ clock, log: silentLog, output: "null", command: MPV }));

describe("mpv engine", () => {
  let sounds: Sounds;
  let folder: string;
  let command: string;
  let engine: AudioEngine | undefined;

  beforeAll(async () => {
    sounds = await makeSounds();
  });
  afterAll(() => sounds.remove());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "player-mpv-"));
    command = await writeCommand();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await engine?.close();
    engine = undefined;
    await rm(folder, { recursive: true });
  });

  /** mpv itself, but it writes its process id to a file and has a second control socket. */
  async function writeCommand(...more: string[]): Promise<string> {
    const path = join(folder, "mpv");
    const script = [
      "#!/bin/sh",
      `echo $$ >> '${folder}/pids'`,
      `exec ${MPV} "$@" '--input-ipc-server=${folder}/door' ${more.join(" ")}`,
    ];
    await writeFile(path, script.join("\n"));
    await chmod(path, 0o700);
    return path;
  }

  function create(more: { output?: string; clock?: Clock } = {}): AudioEngine {
    engine = createMpvEngine({ clock, log: silentLog, output: "null", command, ...more });
    return engine;
  }

  async function pids(): Promise<number[]> {
    const text = await readFile(join(folder, "pids"), "utf8");
    return text.trim().split("\n").map(Number);
  }

  async function signal(name: NodeJS.Signals): Promise<number> {
    const pid = (await pids()).at(-1) ?? 0;
    sendSignal(pid, name);
    return pid;
  }

  async function ask(...question: string[]): Promise<unknown> {
    const socket = createConnection(join(folder, "door"));
    const ipc = createMpvIpc({ socket, clock, onHang: () => socket.destroy() });
    await once(socket, "connect");
    const answer = await ipc.request(...question);
    socket.destroy();
    return answer;
  }

  it("reports that mpv is not installed, and starts when it is", async () => {
    command = join(folder, "later");
    const late = create();
    await expect(late.start()).rejects.toMatchObject({ kind: "failed", message: "audio: mpv is not installed" });
    await rename(join(folder, "mpv"), command);
    await late.start();
  });

  it("reports that no audio device could be opened, and leaves no process running", async () => {
    await writeCommand("--audio-device=alsa/hw:99");
    const deaf = create({ output: "alsa" });
    const why = "audio: no audio device could be opened";
    await expect(deaf.start()).rejects.toMatchObject({ kind: "failed", message: why });
    expect((await pids()).filter(isAlive)).toEqual([]);
  });

  it("reports that mpv ended when mpv does not accept its arguments", async () => {
    await writeCommand("--no-such-option");
    await expect(create().start()).rejects.toMatchObject({ kind: "failed", message: "audio: mpv ended" });
  });

  /** mpv behind a relay that treats the arguments of `loadfile` as one of these versions does. */
  async function writeRelay(takesNames: boolean): Promise<string> {
    const path = join(folder, "relay.mjs");
    const script = `#!/usr/bin/env node
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
const service = new Socket({ fd: 3 });
const mpv = spawn("${MPV}", process.argv.slice(2), { stdio: ["ignore", "ignore", "ignore", "pipe"] });
mpv.stdio[3].pipe(service);
mpv.on("exit", () => process.exit());
service.on("close", () => mpv.kill());
for await (const line of createInterface({ input: service })) {
  const { command, request_id } = JSON.parse(line);
  const isRefused = Array.isArray(command)
    ? command[0] === "loadfile" && command.length > 3 && !Number.isInteger(command[3])
    : ${!takesNames};
  if (isRefused) service.write(JSON.stringify({ request_id, error: "invalid parameter" }) + "\\n");
  else mpv.stdio[3].write(line + "\\n");
}
`;
    await writeFile(path, script);
    await chmod(path, 0o700);
    return path;
  }

  it("plays with an mpv of 0.38 or later, whose third argument of a load is a place in the playlist", async () => {
    command = await writeRelay(true);
    const newer = create();
    await newer.start();
    const recorder = recordEvents(newer);
    newer.load(fileSource(sounds.path(LONG_FILE), { positionMs: 5000 }));
    await recorder.until("flowing");
    expect(newer.place().positionMs).toBeGreaterThanOrEqual(5000);
  });

  it("reports an unusable mpv version at its start", async () => {
    command = await writeRelay(false);
    await expect(create().start()).rejects.toMatchObject({
      kind: "failed",
      message: "audio: this version of mpv cannot be used (mpv: invalid parameter)",
    });
  });

  it("is back after it was killed, with the same volume and the last position", async () => {
    const killed = create();
    await killed.start();
    killed.setVolume(37);
    const recorder = recordEvents(killed);
    const loadedAtMs = clock.monotonicMs();
    const first = killed.load(fileSource(sounds.path(LONG_FILE), { positionMs: 5000 }));
    await recorder.until("flowing");
    await clock.sleep(300);
    const killedAtMs = clock.monotonicMs();
    await signal("SIGKILL");
    await recorder.until("lost");
    const stoodAtMs = killed.place().positionMs;
    const dropped = killed.load(fileSource(sounds.path(LONG_FILE)));
    await recorder.until("back");
    checkSpeed("mpv: back after a kill, ms", clock.monotonicMs() - killedAtMs);
    expect(stoodAtMs).toBeGreaterThan(5000);
    expect(stoodAtMs).toBeLessThanOrEqual(5000 + killedAtMs - loadedAtMs);
    expect(await ask("get_property", "volume")).toBe(37);
    const again = killed.load(fileSource(sounds.path(LONG_FILE), { positionMs: stoodAtMs }));
    await recorder.until("flowing", 2);
    expect([first, dropped, again]).toEqual([1, 2, 3]);
    expect(recorder.events).toEqual([
      { type: "flowing", load: first },
      { type: "lost" },
      { type: "back" },
      { type: "flowing", load: again },
    ]);
  });

  it("kills an mpv that hangs, and restarts it", async () => {
    const stuck = create();
    await stuck.start();
    const recorder = recordEvents(stuck);
    stuck.load(fileSource(sounds.path(LONG_FILE)));
    await recorder.until("flowing");
    const pid = await signal("SIGSTOP");
    await recorder.until("back");
    expect(recorder.types()).toEqual(["flowing", "lost", "back"]);
    expect(isAlive(pid)).toBe(false);
  });

  it("emits lost, and no failure of the file, when the audio device is gone", async () => {
    const unplugged = create();
    await unplugged.start();
    await ask("set_property", "audio-device", "alsa/hw:99");
    await ask("set_property", "ao", "alsa");
    const recorder = recordEvents(unplugged);
    unplugged.load(fileSource(sounds.path(LONG_FILE)));
    await recorder.until("back");
    expect(recorder.types()).toEqual(["lost", "back"]);
  });

  it("emits gone when mpv cannot be started any more, and may be started again", async () => {
    const gone = create({ clock: hastyClock });
    await gone.start();
    const recorder = recordEvents(gone);
    await rename(command, `${command}.moved`);
    await signal("SIGKILL");
    await recorder.until("gone");
    expect(recorder.events).toEqual([{ type: "lost" }, { type: "gone", why: "audio: mpv is not installed" }]);
    await rename(`${command}.moved`, command);
    await gone.start();
  });

  it("gives up on an mpv that dies repeatedly", async () => {
    const dying = create({ clock: hastyClock });
    await dying.start();
    const recorder = recordEvents(dying);
    for (let deaths = 1; deaths <= 6; deaths += 1) {
      await signal("SIGKILL");
      await recorder.until("back", deaths);
    }
    await signal("SIGKILL");
    await recorder.until("gone");
    expect(recorder.events.at(-1)).toEqual({ type: "gone", why: "audio: mpv ended" });
  });

  it("stays stopped when it is closed between a crash and the restart", async () => {
    const closed = create();
    await closed.start();
    const recorder = recordEvents(closed);
    await rename(command, `${command}.moved`);
    await signal("SIGKILL");
    await recorder.until("lost");
    await closed.close();
    await rename(`${command}.moved`, command);
    await clock.sleep(600);
    expect(recorder.types()).toEqual(["lost"]);
    expect(await pids()).toHaveLength(1);
  });

  it("leaves no mpv process behind when its own process is killed", async () => {
    const parent = spawn(process.execPath, [
      "--eval",
      orphaning(mpvArguments({ output: "null" }), sounds.path(LONG_FILE)),
    ]);
    const pid = Number(await firstLine(parent));
    await clock.sleep(500);
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 10_000 });
  });

  it("uses no proxy for a live source", async () => {
    vi.stubEnv("http_proxy", "http://127.0.0.1:1");
    const radio = await startRadio(sounds);
    const direct = create();
    await direct.start();
    const recorder = recordEvents(direct);
    direct.load(fileSource(radio.location, { isLive: true }));
    await vi.waitFor(() => expect(radio.hits()).toBe(1), { timeout: 5000 });
    await radio.close();
    expect(recorder.types()).not.toContain("failed");
  });

  it("does not follow a redirect of a live source", async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: "/elsewhere" }).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const obedient = create();
    await obedient.start();
    const recorder = recordEvents(obedient);
    const port = address !== null && typeof address === "object" ? address.port : 0;
    obedient.load(fileSource(`http://127.0.0.1:${port}/live`, { isLive: true }));
    await recorder.until("failed");
    server.close();
    expect(asked).toEqual(["/live"]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error("no output");
  const [line] = await once(stdout, "data");
  return String(line).trim();
}

/** A program that starts mpv as the engine does, lets it play, and prints its process id. */
function orphaning(mpv: string[], path: string): string {
  return `
    const { spawn } = require("node:child_process");
    const stdio = ["ignore", "ignore", "ignore", "pipe"];
    const child = spawn("mpv", ${JSON.stringify(mpv)}, { stdio, detached: true });
    child.stdio[3].write(${JSON.stringify(`${JSON.stringify({ command: ["loadfile", path] })}\n`)});
    console.log(child.pid);
  `;
}
