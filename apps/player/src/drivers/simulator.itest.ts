import { once } from "node:events";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { invalidField } from "@kit/problem";
import { expect, it, onTestFinished } from "vitest";
import { createSimulator } from "./simulator.ts";

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), "simulator-"));
  const path = join(folder, "simulator.sock");
  // A file that a killed process leaves behind.
  await writeFile(path, "");
  const commands: unknown[] = [];
  const simulator = createSimulator({
    path,
    tap: (uid) => {
      if (uid === "") throw invalidField("uid", "must be 4, 7 or 10 bytes in hexadecimal");
      commands.push(["tap", uid]);
    },
    lift: () => commands.push("lift"),
    changeKey: (key, change) => commands.push([key, change]),
    turn: (steps) => commands.push(["turn", steps]),
    setBattery: (battery) => commands.push(battery),
    eject: () => commands.push("eject"),
  });
  await simulator.start();
  onTestFinished(async () => {
    await simulator.close();
    await rm(folder, { recursive: true });
  });
  const socket = createConnection(path);
  onTestFinished(() => void socket.destroy());
  const lines = createInterface(socket)[Symbol.asyncIterator]();
  const ask = async (text: string): Promise<unknown> => {
    socket.write(text);
    return JSON.parse((await lines.next()).value ?? "null");
  };
  return { path, commands, simulator, socket, ask };
}

it("executes every line, and answers it", async () => {
  const { ask, commands } = await setUp();
  const lines = [
    { tap: "04A1B2C3" },
    { lift: true },
    { button: "press" },
    { button: "down" },
    { key: { name: "volume_up", change: "repeat" } },
    { turn: -3 },
    { battery: { percentage: 12, charging: false } },
    { eject: true },
  ];
  for (const line of lines) expect(await ask(`${JSON.stringify(line)}\n`)).toEqual({ ok: true });
  expect(commands).toEqual([
    ["tap", "04A1B2C3"],
    "lift",
    ["main", "press"],
    ["main", "down"],
    ["volume_up", "repeat"],
    ["turn", -3],
    { percentage: 12, charging: false },
    "eject",
  ]);
});

it.each([
  "",
  "tap",
  "5",
  "null",
  "{}",
  '{"tap":5}',
  '{"lift":false}',
  '{"button":"hold"}',
  '{"key":{"name":"power","change":"down"}}',
  '{"key":{"name":"main"}}',
  '{"turn":101}',
  '{"turn":0.5}',
  '{"battery":{"percentage":101,"charging":true}}',
  '{"tap":"04A1B2C3","lift":true}',
  '{"reboot":true}',
])("refuses the line %j, does nothing, and continues", async (line) => {
  const { ask, commands } = await setUp();
  expect(await ask(`${line}\n`)).toEqual({
    error: "line: must have one valid field of tap, lift, button, key, turn, battery, eject",
  });
  expect(commands).toEqual([]);
  expect(await ask('{"lift":true}\n')).toEqual({ ok: true });
});

it("returns the refusals of the device itself", async () => {
  const { ask } = await setUp();
  expect(await ask('{"tap":""}\n')).toEqual({ error: "uid: must be 4, 7 or 10 bytes in hexadecimal" });
});

it("is accessible only to its owner", async () => {
  const { path } = await setUp();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it("closes a connection with an endless line, and all connections when it is closed", async () => {
  const one = await setUp();
  one.socket.on("error", () => undefined);
  one.socket.write("x".repeat(10_000));
  await once(one.socket, "close");
  const other = await setUp();
  await other.ask('{"lift":true}\n');
  const closed = once(other.socket, "close");
  await other.simulator.close();
  await closed;
  await other.simulator.close();
});
